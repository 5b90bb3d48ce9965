package com.finedge.once.adapter.payment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.finedge.once.charge.Money;
import com.finedge.once.order.PaymentProvider;
import com.finedge.once.order.UncertainPaymentException;
import java.io.IOException;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.client.RestClient;

/**
 * {@code POST /payments} and {@code POST /payments/KEY/refunds} with an {@code Idempotency-Key}, and {@code GET
 * /payments/KEY}.
 *
 * <p>A 2xx with a reference is done, a 4xx with a {@code code} is a refusal. That a payment is unknown is a 404 with the code
 * {@code NO_SUCH_PAYMENT}: any other 404 may come from a wrong URL, and nobody's money may depend on that. All else is
 * uncertain: silence, 5xx, 408, 409, 425, 429, 401, 403, 407, and what can't be read.
 */
public final class HttpPaymentProvider implements PaymentProvider {

    private static final Set<Integer> NO_ANSWER = Set.of(401, 403, 404, 405, 407, 408, 409, 425, 429);
    private static final String NO_SUCH_PAYMENT = "NO_SUCH_PAYMENT";
    private static final Pattern CODE = Pattern.compile("[A-Z][A-Z0-9_]{0,63}");
    private static final Pattern REFERENCE = Pattern.compile("[A-Za-z0-9._:-]{1,128}");

    /** More than any answer of this API; the rest of a longer one isn't read. */
    private static final int MOST_BYTES = 4_096;

    private final RestClient provider;
    private final ObjectMapper json;

    /** @param provider has the base URL and the connect and read time-outs */
    public HttpPaymentProvider(RestClient provider, ObjectMapper json) {
        this.provider = provider;
        this.json = json;
    }

    private record ChargeBody(String orderId, String customerId, String amount, String currency) {}

    @Override
    public Charge charge(String key, String orderId, String customerId, Money amount) {
        return certain(() -> provider.post()
                .uri("/payments")
                .header("Idempotency-Key", key)
                .contentType(MediaType.APPLICATION_JSON)
                .body(new ChargeBody(
                        orderId, customerId, amount.digits(), amount.currency().getCurrencyCode()))
                .exchangeForRequiredValue((request, response) -> charge(response)));
    }

    private Charge charge(ClientHttpResponse response) throws IOException {
        Answer answer = read(response);
        return answer.reference == null ? new Charge.Declined(refusal(answer)) : new Charge.Charged(answer.reference);
    }

    @Override
    public Charge find(String key) {
        return certain(() -> provider.get()
                .uri("/payments/{key}", key)
                .exchangeForRequiredValue((request, response) -> {
                    Answer answer = read(response);
                    if (answer.status == 404 && NO_SUCH_PAYMENT.equals(answer.code)) {
                        return new Charge.Unknown();
                    }
                    if (answer.reference != null) {
                        return new Charge.Charged(answer.reference);
                    }
                    if (answer.isSuccess() && answer.code != null) {
                        return new Charge.Declined(answer.code);
                    }
                    throw uncertain(answer);
                }));
    }

    @Override
    public Refund refund(String key, String chargeKey) {
        return certain(() -> provider.post()
                .uri("/payments/{key}/refunds", chargeKey)
                .header("Idempotency-Key", key)
                .exchangeForRequiredValue((request, response) -> refund(response)));
    }

    private Refund refund(ClientHttpResponse response) throws IOException {
        Answer answer = read(response);
        return answer.reference == null ? new Refund.Refused(refusal(answer)) : new Refund.Refunded(answer.reference);
    }

    @FunctionalInterface
    private interface Call<T> {
        T make();
    }

    private static <T> T certain(Call<T> call) {
        try {
            return call.make();
        } catch (ResourceAccessException e) {
            throw new UncertainPaymentException("the payment provider did not answer in time or broke off", e);
        }
    }

    private record Answer(
            int status,
            @Nullable String reference,
            @Nullable String code) {

        boolean isSuccess() {
            return status >= 200 && status < 300;
        }
    }

    /** A reference counts only with a success. */
    private Answer read(ClientHttpResponse response) throws IOException {
        int status = response.getStatusCode().value();
        JsonNode body = body(response);
        String reference = field(body, "reference", REFERENCE);
        return new Answer(status, status >= 200 && status < 300 ? reference : null, field(body, "code", CODE));
    }

    private @Nullable JsonNode body(ClientHttpResponse response) {
        try {
            return json.readTree(response.getBody().readNBytes(MOST_BYTES));
        } catch (IOException e) {
            return null;
        }
    }

    private static @Nullable String field(@Nullable JsonNode body, String name, Pattern form) {
        String value = body == null ? null : body.path(name).textValue();
        return value != null && form.matcher(value).matches() ? value : null;
    }

    private static String refusal(Answer answer) {
        if (answer.status < 400 || answer.status >= 500 || NO_ANSWER.contains(answer.status) || answer.code == null) {
            throw uncertain(answer);
        }
        return answer.code;
    }

    private static UncertainPaymentException uncertain(Answer answer) {
        return new UncertainPaymentException("the payment provider answered " + answer.status, null);
    }
}
