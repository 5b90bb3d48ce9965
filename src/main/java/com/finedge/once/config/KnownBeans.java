package com.finedge.once.config;

import com.finedge.once.OnceApplication;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.context.annotation.AnnotatedBeanDefinitionReader;
import org.springframework.context.annotation.ClassPathBeanDefinitionScanner;
import org.springframework.context.annotation.ConfigurationClassPostProcessor;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.type.filter.AssignableTypeFilter;
import org.springframework.util.ClassUtils;

/** The beans that routes may name, of every role: a file may be of a role that this process hasn't. */
final class KnownBeans {

    private static final Map<String, Object> EVERYTHING = Map.of(
            "once.roles",
            Arrays.stream(Role.values()).map(Role::label).collect(Collectors.joining(",")),
            "once.claims.store",
            "jdbc");

    private KnownBeans() {}

    /** Their types by their names, from their definitions: none of them is made. */
    static Map<String, Class<?>> of(ConfigurableEnvironment environment) {
        StandardEnvironment everything = new StandardEnvironment();
        MutablePropertySources sources = everything.getPropertySources();
        sources.addFirst(new MapPropertySource("everything", EVERYTHING));
        environment.getPropertySources().stream()
                // It answers from the environment that it is attached to.
                .filter(source -> !ConfigurationPropertySources.isAttachedConfigurationPropertySource(source))
                .forEach(sources::addLast);
        DefaultListableBeanFactory factory = new DefaultListableBeanFactory();
        ClassPathBeanDefinitionScanner scanner = new ClassPathBeanDefinitionScanner(factory, true, everything);
        scanner.addExcludeFilter(new AssignableTypeFilter(OnceApplication.class));
        scanner.scan(OnceApplication.class.getPackageName());
        // A team's own, where its classes aren't below our package.
        Stream.of(everything.getProperty("spring.main.sources", String[].class, new String[0]))
                .map(name -> ClassUtils.resolveClassName(name, null))
                .forEach(new AnnotatedBeanDefinitionReader(factory, everything)::registerBean);
        ConfigurationClassPostProcessor configurations = new ConfigurationClassPostProcessor();
        configurations.setEnvironment(everything);
        configurations.postProcessBeanDefinitionRegistry(factory);
        Map<String, Class<?>> beans = new TreeMap<>();
        for (String name : factory.getBeanDefinitionNames()) {
            Class<?> type = factory.getType(name, false);
            if (type != null) {
                beans.put(name, type);
            }
        }
        return beans;
    }
}
