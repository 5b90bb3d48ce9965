package com.finedge.once.config;

import com.finedge.once.camel.RouteFiles;
import com.finedge.once.camel.RouteFiles.Source;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.camel.CamelContext;
import org.apache.camel.spi.Resource;
import org.apache.camel.spring.boot.CamelSpringBootRoutesCollector;
import org.apache.camel.support.ResourceHelper;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ConfigurableApplicationContext;

/** Hands Camel the route files of the jar and those of {@code once.routes}, after they were checked together. */
class RoutesFromFolder extends CamelSpringBootRoutesCollector {

    private static final Logger log = LoggerFactory.getLogger(RoutesFromFolder.class);

    private final ConfigurableApplicationContext application;
    private final @Nullable String folder;

    RoutesFromFolder(
            ConfigurableApplicationContext application, boolean includeNonSingletons, @Nullable String folder) {
        super(application, includeNonSingletons);
        this.application = application;
        this.folder = folder;
    }

    @Override
    public Collection<Resource> findRouteResourcesFromDirectory(
            CamelContext camel, String excludePattern, String includePattern) {
        Collection<Resource> ofTheJar = super.findRouteResourcesFromDirectory(camel, excludePattern, includePattern);
        if (folder == null || folder.isBlank()) {
            return ofTheJar;
        }
        RouteFolder onDisk = new RouteFolder(Path.of(folder).toAbsolutePath());
        List<Source> sources = ofTheJar.stream().map(RoutesFromFolder::source).toList();
        RouteFolder.refuse(onDisk.findings(check(), sources));
        Set<String> replaced = onDisk.names();
        List<Resource> all = new ArrayList<>(ofTheJar.stream()
                .filter(resource -> !replaced.contains(source(resource).name()))
                .toList());
        log.info(
                "Routes from {}: {}, of which {} replace those of the jar",
                onDisk.path(),
                replaced.size(),
                ofTheJar.size() - all.size());
        onDisk.files().forEach(file -> all.add(ResourceHelper.resolveResource(camel, "file:" + file)));
        return all;
    }

    private RouteFiles check() {
        Map<String, Class<?>> ofEveryRole = KnownBeans.of(application.getEnvironment());
        return new RouteFiles(
                name -> application.containsBean(name) ? application.getType(name, false) : ofEveryRole.get(name),
                application.getEnvironment()::getProperty);
    }

    private static Source source(Resource resource) {
        try (InputStream text = resource.getInputStream()) {
            return new Source(resource.getLocation(), new String(text.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
