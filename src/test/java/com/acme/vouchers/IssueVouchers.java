package com.acme.vouchers;

import com.finedge.once.effect.Effect;
import com.finedge.once.effect.EffectRequest;
import com.finedge.once.effect.EffectResult;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.MediaType;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;

/** Issues vouchers at the loyalty service. */
@Component("vouchers")
public class IssueVouchers implements Effect {

    private final RestClient loyalty;

    public IssueVouchers(@Value("${vouchers.url}") String url) {
        SimpleClientHttpRequestFactory calls = new SimpleClientHttpRequestFactory();
        // Together below once.claims.lease: a call that outlasts its lease is made by a second owner meanwhile.
        calls.setConnectTimeout(Duration.ofSeconds(2));
        calls.setReadTimeout(Duration.ofSeconds(10));
        loyalty = RestClient.builder().baseUrl(url).requestFactory(calls).build();
    }

    @Override
    public EffectResult perform(EffectRequest request) {
        return loyalty.post()
                .uri("/vouchers")
                .header("Idempotency-Key", request.idempotencyKey())
                .contentType(MediaType.APPLICATION_JSON)
                .body(request.body())
                .exchange((call, answer) -> switch (answer.getStatusCode().value()) {
                    case 200, 201 -> new EffectResult.Done("ISSUED");
                    case 422 -> new EffectResult.Refused("NOT_ELIGIBLE", "refused by the loyalty service");
                    default -> new EffectResult.Uncertain("the loyalty service answered " + answer.getStatusCode());
                });
    }
}
