# The application in layers, from the jar that `mvn package` made: the libraries change seldom, the classes often.
FROM eclipse-temurin:25-jre AS layers
WORKDIR /build
COPY target/once-[0-9]*.jar once.jar
RUN java -Djarmode=tools -jar once.jar extract --layers --destination layers

FROM eclipse-temurin:25-jre
WORKDIR /once
COPY --from=layers /build/layers/dependencies/ ./
COPY --from=layers /build/layers/snapshot-dependencies/ ./
COPY --from=layers /build/layers/application/ ./
# Classes loaded and linked once, here: starting takes about half as long. The run that teaches it ends before anything is connected to.
RUN AWS_ACCESS_KEY_ID=none AWS_SECRET_ACCESS_KEY=none java -XX:AOTCacheOutput=once.aot -Xlog:aot=error -Dspring.context.exit=onRefresh \
    -Donce.roles=charge-recovery -Donce.aws.region=eu-west-1 -jar once.jar
USER 10001
EXPOSE 8080 8081
# Of a process that has lived through a full heap nobody knows which of its threads still work.
# What OpenTelemetry's queue is built on, the JVM warns of in lines that are no JSON.
ENTRYPOINT ["java", "-XX:MaxRAMPercentage=75", "-XX:+ExitOnOutOfMemoryError", "-XX:AOTCache=once.aot", "-Dsun.misc.unsafe.memory.access=allow", "-jar", "once.jar"]
