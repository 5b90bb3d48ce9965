package com.finedge.once.dev;

import com.finedge.once.OnceApplication;
import org.springframework.boot.SpringApplication;

/** Starts Once with all its back ends on this machine; {@code make run} calls it. */
public final class TestOnceApplication {

    private TestOnceApplication() {}

    public static void main(String[] args) {
        LocalAws.useLocalCredentials();
        SpringApplication.from(OnceApplication::main)
                .with(DevelopmentServices.class)
                .run(args);
    }
}
