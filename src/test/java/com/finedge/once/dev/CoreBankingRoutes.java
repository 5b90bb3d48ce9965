package com.finedge.once.dev;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import com.fasterxml.jackson.databind.type.LogicalType;
import com.finedge.once.dev.Fault.Call;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.catalina.core.StandardServer;
import org.apache.catalina.startup.Tomcat;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.http.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.autoconfigure.jackson.Jackson2ObjectMapperBuilderCustomizer;
import org.springframework.boot.autoconfigure.jackson.JacksonAutoConfiguration;
import org.springframework.boot.autoconfigure.web.embedded.EmbeddedWebServerFactoryCustomizerAutoConfiguration;
import org.springframework.boot.autoconfigure.web.servlet.DispatcherServletAutoConfiguration;
import org.springframework.boot.autoconfigure.web.servlet.ServletWebServerFactoryAutoConfiguration;
import org.springframework.boot.autoconfigure.web.servlet.WebMvcAutoConfiguration;
import org.springframework.boot.web.embedded.tomcat.TomcatServletWebServerFactory;
import org.springframework.boot.web.embedded.tomcat.TomcatWebServer;
import org.springframework.context.annotation.Bean;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.HttpMediaTypeNotSupportedException;
import org.springframework.web.servlet.function.RequestPredicates;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * The bank's HTTP interface.
 *
 * <p>Neither a configuration nor a controller by annotation: the application's component scan passes this package, and
 * must find nothing in it.
 */
@ImportAutoConfiguration({
    DispatcherServletAutoConfiguration.class,
    EmbeddedWebServerFactoryCustomizerAutoConfiguration.class,
    HttpMessageConvertersAutoConfiguration.class,
    JacksonAutoConfiguration.class,
    ServletWebServerFactoryAutoConfiguration.class,
    WebMvcAutoConfiguration.class
})
class CoreBankingRoutes {

    private static final String IDEMPOTENCY_KEY = "Idempotency-Key";

    /** The body of every answer that isn't a receipt. */
    record Refusal(String code, String message) {}

    record DebitReceipt(String reference) {}

    record NotificationReceipt(String notificationId) {}

    /** A request that breaks the rules of the interface. */
    private static final class BadRequest extends RuntimeException {
        private final String code;

        private BadRequest(String code, String message) {
            super(message);
            this.code = code;
        }
    }

    private final AtomicReference<Ledger> ledger = new AtomicReference<>(new Ledger(InstantSource.system()));
    private final AtomicLong references = new AtomicLong();

    Ledger ledger() {
        return ledger.get();
    }

    /** Begins a new ledger without entries and faults, and lets held calls go unanswered by the old one. */
    void clear() {
        ledger.getAndSet(new Ledger(InstantSource.system())).close();
    }

    @Bean
    Jackson2ObjectMapperBuilderCustomizer strictReading() {
        return builder -> builder.featuresToEnable(
                        DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                        DeserializationFeature.FAIL_ON_TRAILING_TOKENS,
                        DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
                .postConfigurer(mapper -> {
                    // An amount that comes as a JSON number is a client's mistake, not something to put right.
                    var texts = mapper.coercionConfigFor(LogicalType.Textual);
                    for (var shape :
                            List.of(CoercionInputShape.Integer, CoercionInputShape.Float, CoercionInputShape.Boolean)) {
                        texts.setCoercion(shape, CoercionAction.Fail);
                    }
                });
    }

    @Bean
    TomcatServletWebServerFactory webServer() {
        return new TomcatServletWebServerFactory() {
            @Override
            protected TomcatWebServer getTomcatWebServer(Tomcat tomcat) {
                // A JVM that has done its work must end though its bank still runs. -2 is Tomcat's code for a server
                // whose end nobody waits for: Boot's thread that does would keep the JVM alive.
                StandardServer server = (StandardServer) tomcat.getServer();
                server.setPort(-2);
                server.setUtilityThreadsAsDaemon(true);
                return super.getTomcatWebServer(tomcat);
            }
        };
    }

    @Bean
    RouterFunction<ServerResponse> routes() {
        return RouterFunctions.route()
                .POST("/debits", this::debit)
                .GET("/debits", request -> entries(request, ledger().debits(), Debit::chargeId))
                .GET(
                        "/debits/{key}",
                        request -> ledger().debitOf(request.pathVariable("key"))
                                .map(debit -> answer(HttpStatus.OK, debit))
                                .orElseGet(() -> refuse(
                                        HttpStatus.NOT_FOUND,
                                        "NOT_DEBITED",
                                        "No debit was made under this Idempotency-Key.")))
                .POST("/notifications", this::notification)
                .GET("/notifications", request -> entries(request, ledger().notifications(), Notification::chargeId))
                .PUT("/faults/{chargeId}", request -> {
                    ledger().fault(request.pathVariable("chargeId"), request.body(Fault.class));
                    return ServerResponse.noContent().build();
                })
                .DELETE("/faults/{chargeId}", request -> {
                    ledger().clearFaults(request.pathVariable("chargeId"));
                    return ServerResponse.noContent().build();
                })
                .DELETE("/ledger", request -> {
                    clear();
                    return ServerResponse.noContent().build();
                })
                .route(
                        RequestPredicates.all(),
                        request -> refuse(
                                HttpStatus.NOT_FOUND,
                                "NOT_FOUND",
                                "There is no %s %s here.".formatted(request.method(), request.path())))
                .onError(BadRequest.class, (e, request) -> badRequest(((BadRequest) e).code, e))
                .onError(
                        HttpMessageNotReadableException.class, (e, request) -> badRequest("INVALID_REQUEST", reason(e)))
                .onError(HttpMediaTypeNotSupportedException.class, (e, request) -> badRequest("INVALID_REQUEST", e))
                .build();
    }

    private ServerResponse debit(ServerRequest request) throws ServletException, IOException {
        String key = idempotencyKey(request);
        Debit.Order order = request.body(Debit.Order.class);
        Ledger current = ledger();
        return underFaults(current, order.chargeId(), Call.DEBIT, () -> current.hasDebit(key), () -> {
            var entry = current.debit("DEB-%06d".formatted(references.incrementAndGet()), key, order);
            if (!entry.content().order().equals(order)) {
                return reused("The Idempotency-Key", key, "debit");
            }
            return answer(
                    entry.fresh() ? HttpStatus.CREATED : HttpStatus.OK,
                    new DebitReceipt(entry.content().reference()));
        });
    }

    private ServerResponse notification(ServerRequest request) throws ServletException, IOException {
        String key = idempotencyKey(request);
        Notification.Order order = request.body(Notification.Order.class);
        String id = order.notificationId();
        if (!key.equals(id)) {
            throw new BadRequest(
                    "INVALID_REQUEST", "The Idempotency-Key of a notification must be its notificationId.");
        }
        Ledger current = ledger();
        return underFaults(current, order.chargeId(), Call.NOTIFICATION, () -> current.hasNotification(id), () -> {
            var entry = current.notification(order);
            if (!entry.content().order().equals(order)) {
                return reused("The notificationId", id, "notification");
            }
            return answer(entry.fresh() ? HttpStatus.ACCEPTED : HttpStatus.OK, new NotificationReceipt(id));
        });
    }

    private static ServerResponse underFaults(
            Ledger ledger, String chargeId, Call call, BooleanSupplier done, Supplier<ServerResponse> act) {
        Fault fault = ledger.nextFault(chargeId, call).orElse(null);
        if (fault == null) {
            return act.get();
        }
        return switch (fault.kind()) {
            case REJECT ->
                done.getAsBoolean()
                        ? act.get()
                        : refuse(
                                HttpStatus.UNPROCESSABLE_ENTITY,
                                Objects.requireNonNull(fault.code()),
                                "Refused, as this charge's fault says.");
            case UNAVAILABLE ->
                refuse(
                        HttpStatusCode.valueOf(Objects.requireNonNull(fault.status())),
                        "UNAVAILABLE",
                        "Out of order, as this charge's fault says.");
            case TIMEOUT_BEFORE -> {
                ledger.hold(delay(fault));
                yield refuse(HttpStatus.SERVICE_UNAVAILABLE, "TIMEOUT", "Too late, and nothing has happened.");
            }
            case TIMEOUT_AFTER -> {
                ServerResponse answer = act.get();
                ledger.hold(delay(fault));
                yield answer;
            }
            case SLOW ->
                ledger.hold(delay(fault))
                        ? act.get()
                        : refuse(HttpStatus.SERVICE_UNAVAILABLE, "CLEARED", "The ledger was cleared meanwhile.");
        };
    }

    private static Duration delay(Fault fault) {
        return Objects.requireNonNull(fault.delay());
    }

    private static String idempotencyKey(ServerRequest request) {
        String key = request.headers().firstHeader(IDEMPOTENCY_KEY);
        if (key == null || key.isBlank()) {
            throw new BadRequest("IDEMPOTENCY_KEY_MISSING", "The header Idempotency-Key is missing or blank.");
        }
        return key;
    }

    private static <T> ServerResponse entries(ServerRequest request, List<T> all, Function<T, String> chargeId) {
        return answer(
                HttpStatus.OK,
                request.param("chargeId")
                        .map(wanted -> all.stream()
                                .filter(entry -> chargeId.apply(entry).equals(wanted))
                                .toList())
                        .orElse(all));
    }

    private static ServerResponse reused(String name, String key, String what) {
        return refuse(
                HttpStatus.UNPROCESSABLE_ENTITY,
                "IDEMPOTENCY_KEY_REUSED",
                "%s \"%s\" belongs to another %s.".formatted(name, key, what));
    }

    private static ServerResponse badRequest(String code, Throwable reason) {
        return refuse(HttpStatus.BAD_REQUEST, code, Objects.requireNonNullElse(reason.getMessage(), "Not readable."));
    }

    private static ServerResponse refuse(HttpStatusCode status, String code, String message) {
        return answer(status, new Refusal(code, message));
    }

    private static ServerResponse answer(HttpStatusCode status, Object body) {
        return ServerResponse.status(status).body(body);
    }

    /** Jackson's account of what is wrong, as one sentence without Java's class names. */
    private static IllegalArgumentException reason(Throwable unreadable) {
        return switch (Objects.requireNonNullElse(unreadable.getCause(), unreadable)) {
            case ValueInstantiationException e
            when e.getCause() instanceof IllegalArgumentException sentence -> sentence;
            case UnrecognizedPropertyException e ->
                new IllegalArgumentException("There is no field \"%s\"; the fields are %s."
                        .formatted(
                                e.getPropertyName(),
                                e.getKnownPropertyIds().stream()
                                        .map(Object::toString)
                                        .sorted()
                                        .collect(Collectors.joining(", "))));
            case InvalidFormatException e
            when e.getTargetType().isEnum() ->
                new IllegalArgumentException("The field \"%s\" can't be \"%s\".".formatted(path(e), e.getValue()));
            case JsonMappingException e
            when !e.getPath().isEmpty() ->
                new IllegalArgumentException(
                        "The field \"%s\" has a value that doesn't belong there.".formatted(path(e)));
            default -> new IllegalArgumentException("The body is not the JSON object that belongs here.");
        };
    }

    private static String path(JsonMappingException e) {
        return e.getPath().stream()
                .map(JsonMappingException.Reference::getFieldName)
                .collect(Collectors.joining("."));
    }
}
