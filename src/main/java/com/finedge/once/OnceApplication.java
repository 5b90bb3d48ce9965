package com.finedge.once;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/** Starts Once; {@code once.roles} says which of its parts run in this process. */
@SpringBootApplication
@ConfigurationPropertiesScan
public class OnceApplication {

    public static void main(String[] args) {
        SpringApplication.run(OnceApplication.class, args);
    }
}
