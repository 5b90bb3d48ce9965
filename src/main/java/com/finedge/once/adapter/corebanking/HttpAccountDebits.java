package com.finedge.once.adapter.corebanking;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.finedge.once.charge.AccountDebitPort;
import com.finedge.once.charge.Charge;
import com.finedge.once.charge.ChargeId;
import com.finedge.once.charge.DebitResult;
import com.finedge.once.charge.DebitSearch;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.hc.client5.http.ConnectTimeoutException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.client.RestClient;

/**
 * {@code POST /debits} with the charge id as {@code Idempotency-Key}.
 *
 * <p>2xx is debited. A 4xx is the bank's refusal, with its {@code code}; but 408, 409, 425 and 429 mean "not now", as
 * 5xx and I/O faults do, and so does a 401, 403, 404, 405 or 407 without a code: that is our credentials or our URL,
 * and it must not fail every charge of a bad deploy.
 */
public final class HttpAccountDebits implements AccountDebitPort {

    private static final Set<Integer> NOT_TAKEN = Set.of(425, 429, 503);
    private static final Set<Integer> LEFT_OPEN = Set.of(408, 409);
    private static final Set<Integer> OUR_OWN_FAULT = Set.of(401, 403, 404, 405, 407);
    private static final Pattern CODE = Pattern.compile("[A-Z][A-Z0-9_]{0,63}");
    private static final Pattern REFERENCE = Pattern.compile("[A-Za-z0-9._:/-]{1,128}");

    private static final String NOT_DEBITED = "NOT_DEBITED";

    /** More than any answer of this API; the rest of a longer one isn't read. */
    private static final int MOST_BYTES = 4_096;

    private final RestClient bank;
    private final ObjectMapper json;

    /** @param bank has the base URL and the connect and read time-outs */
    public HttpAccountDebits(RestClient bank, ObjectMapper json) {
        this.bank = bank;
        this.json = json;
    }

    @Override
    public DebitResult debit(Charge charge) {
        try {
            return bank.post()
                    .uri("/debits")
                    .header("Idempotency-Key", charge.id().value())
                    .contentType(MediaType.APPLICATION_JSON)
                    .body(new DebitBody(
                            charge.id().value(),
                            charge.accountId(),
                            charge.type(),
                            charge.amount().digits(),
                            charge.amount().currency().getCurrencyCode(),
                            charge.dueAt().toString()))
                    .exchangeForRequiredValue((request, response) -> read(response));
        } catch (ResourceAccessException e) {
            return neverArrived(e)
                    ? new DebitResult.Unavailable("the bank can't be reached")
                    : new DebitResult.Unknown("the bank did not answer in time or broke off");
        }
    }

    /**
     * {@code GET /debits/<charge id>}. Only a 200 that names the same key is a find, and only a 404 with the bank's own code
     * is none: a gateway that doesn't know the path answers 404 too, and a login page 200.
     */
    @Override
    public DebitSearch find(ChargeId id) {
        try {
            return bank.get()
                    .uri("/debits/{key}", id.value())
                    .accept(MediaType.APPLICATION_JSON)
                    .exchangeForRequiredValue((request, response) -> found(id, response));
        } catch (ResourceAccessException e) {
            return new DebitSearch.NoAnswer(
                    neverArrived(e) ? "the bank can't be reached" : "the bank did not answer in time or broke off");
        }
    }

    private DebitSearch found(ChargeId id, ClientHttpResponse response) throws IOException {
        int status = response.getStatusCode().value();
        JsonNode answer = status == 200 || status == 404 ? body(response) : MissingNode.getInstance();
        if (status == 200 && id.value().equals(answer.path("idempotencyKey").textValue())) {
            return new DebitSearch.Found(matching(answer.path("reference").textValue(), REFERENCE));
        }
        if (status == 404 && NOT_DEBITED.equals(answer.path("code").textValue())) {
            return new DebitSearch.NotFound();
        }
        return new DebitSearch.NoAnswer(
                "the bank answered " + status + (status == 200 || status == 404 ? ", and not to the question" : ""));
    }

    private DebitResult read(ClientHttpResponse response) throws IOException {
        HttpStatusCode status = response.getStatusCode();
        if (status.is2xxSuccessful()) {
            // Debited whatever the rest says: a receipt that breaks off changes nothing about the money.
            return new DebitResult.Debited(field(response, "reference", REFERENCE));
        }
        String answer = "the bank answered " + status.value();
        if (NOT_TAKEN.contains(status.value())) {
            return new DebitResult.Unavailable(answer);
        }
        if (!status.is4xxClientError() || LEFT_OPEN.contains(status.value())) {
            return new DebitResult.Unknown(answer);
        }
        String code = field(response, "code", CODE);
        if (code == null && OUR_OWN_FAULT.contains(status.value())) {
            return new DebitResult.Unavailable(answer);
        }
        return new DebitResult.Rejected(code == null ? "HTTP_" + status.value() : code);
    }

    private @Nullable String field(ClientHttpResponse response, String name, Pattern form) {
        return matching(body(response).path(name).textValue(), form);
    }

    private static @Nullable String matching(@Nullable String value, Pattern form) {
        return value != null && form.matcher(value).matches() ? value : null;
    }

    /** What can't be read has no fields. */
    private JsonNode body(ClientHttpResponse response) {
        try {
            JsonNode body = json.readTree(response.getBody().readNBytes(MOST_BYTES));
            return body == null ? MissingNode.getInstance() : body;
        } catch (IOException e) {
            return MissingNode.getInstance();
        }
    }

    private static boolean neverArrived(ResourceAccessException e) {
        Throwable cause = e.getCause();
        return cause instanceof ConnectException
                || cause instanceof ConnectTimeoutException
                || cause instanceof NoRouteToHostException
                || cause instanceof UnknownHostException;
    }

    private record DebitBody(
            String chargeId, String accountId, String chargeType, String amount, String currency, String dueAt) {}
}
