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
USER 10001
EXPOSE 8080 8081
# Of a process that has lived through a full heap nobody knows which of its threads still work.
ENTRYPOINT ["java", "-XX:MaxRAMPercentage=75", "-XX:+ExitOnOutOfMemoryError", "-jar", "once.jar"]
