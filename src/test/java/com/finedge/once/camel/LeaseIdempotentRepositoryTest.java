package com.finedge.once.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.finedge.once.claim.Claim;
import com.finedge.once.claim.ClaimKey;
import com.finedge.once.claim.ClaimListener;
import com.finedge.once.claim.ClaimRecord;
import com.finedge.once.claim.ClaimResult;
import com.finedge.once.claim.ClaimState;
import com.finedge.once.claim.ClaimStore;
import com.finedge.once.claim.ClaimStoreException;
import com.finedge.once.claim.Claims;
import com.finedge.once.claim.Fingerprint;
import com.finedge.once.support.ForwardingClaimStore;
import com.finedge.once.support.SettableClock;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.mock.MockEndpoint;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.model.IdempotentConsumerDefinition;
import org.apache.camel.model.ProcessorDefinition;
import org.apache.camel.support.DefaultExchange;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the repository promises, through Camel's own pattern. */
class LeaseIdempotentRepositoryTest {

    private static final String SCOPE = "charge-recovery";
    private static final ClaimKey KEY = new ClaimKey(SCOPE, "CHG-1");
    private static final Duration LEASE = Duration.ofSeconds(30);

    private final SettableClock clock = new SettableClock();
    private final FailingStore store = new FailingStore();
    private final Claims claims =
            new Claims(store, LEASE, Duration.ofDays(60), clock, UUID::randomUUID, ClaimListener.NONE);
    private final LeaseIdempotentRepository repository = new LeaseIdempotentRepository(claims, SCOPE);
    private final DefaultCamelContext camel = new DefaultCamelContext();
    private final AtomicInteger effects = new AtomicInteger();
    private Runnable meanwhile = () -> {};

    @BeforeEach
    void start() throws Exception {
        camel.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                errorHandler(noErrorHandler());
                effect(idempotent("eager-completion").completionEager(true));
                effect(idempotent("late-completion"));
                effect(idempotent("late-claim").eager(false).completionEager(true));
                effect(idempotent("duplicates-run")
                        .completionEager(true)
                        .skipDuplicate(false)
                        .filter(exchangeProperty(Exchange.DUPLICATE_MESSAGE))
                        .process(exchange -> meanwhile.run())
                        .stop()
                        .end());
                effect(idempotent("kept-on-failure").completionEager(true).removeOnFailure(false));
            }

            private IdempotentConsumerDefinition idempotent(String name) {
                return from("direct:" + name).idempotentConsumer(header("key"), repository);
            }

            private void effect(ProcessorDefinition<?> pattern) {
                pattern.process(exchange -> {
                            meanwhile.run();
                            effects.incrementAndGet();
                        })
                        .end()
                        .to("mock:acknowledged");
            }
        });
        camel.start();
    }

    @AfterEach
    void stop() {
        camel.stop();
    }

    private Exchange deliver(String route) {
        return deliver(route, "19.90");
    }

    private Exchange deliver(String route, String amount) {
        return camel.createProducerTemplate().send("direct:" + route, exchange -> {
            exchange.getMessage().setHeader("key", KEY.key());
            exchange.getMessage().setBody(amount);
        });
    }

    private int acknowledged() {
        return camel.getEndpoint("mock:acknowledged", MockEndpoint.class).getReceivedCounter();
    }

    private Claim claimElsewhere() {
        return ((ClaimResult.Acquired) claims.claim(KEY, Fingerprint.of(KEY.key()))).claim();
    }

    private ClaimRecord record() {
        return claims.find(KEY).orElseThrow();
    }

    private void loseTheLease() {
        clock.advance(LEASE.plusMillis(1));
        claimElsewhere();
    }

    @Test
    void anEffectIsRecordedAndThenAcknowledged() {
        Exchange exchange = deliver("eager-completion");

        assertThat(exchange.getException()).isNull();
        assertThat(record().state()).isEqualTo(ClaimState.DONE);
        assertThat(record().outcome()).isEqualTo("CONFIRMED");
        assertThat(acknowledged()).isEqualTo(1);
        assertThat(repository.contains(KEY.key())).isTrue();
    }

    @Test
    void aDuplicateOfARecordedEffectIsSkippedAndAcknowledged() {
        deliver("eager-completion");
        Exchange duplicate = deliver("eager-completion");

        assertThat(duplicate.getException()).isNull();
        assertThat(effects).hasValue(1);
        assertThat(acknowledged()).isEqualTo(2);
    }

    @Test
    void aDuplicateInProgressFailsAndIsNotAcknowledged() {
        claimElsewhere();

        Exchange duplicate = deliver("eager-completion");

        assertThat(duplicate.getException())
                .isInstanceOf(ClaimInProgressException.class)
                .hasMessageContaining(KEY.toString())
                .hasMessageContaining(record().leaseUntil().toString());
        assertThat(effects).hasValue(0);
        assertThat(acknowledged()).isZero();
        assertThat(repository.contains(KEY.key())).isFalse();
    }

    @Test
    void aFailureGivesTheClaimBackSoThatTheNextDeliveryRunsAtOnce() {
        meanwhile = () -> {
            throw new IllegalStateException("the effect failed");
        };
        Exchange failed = deliver("eager-completion");
        assertThat(failed.getException()).hasMessage("the effect failed");
        assertThat(acknowledged()).isZero();

        meanwhile = () -> {};
        deliver("eager-completion");

        assertThat(record().state()).isEqualTo(ClaimState.DONE);
        assertThat(record().fence()).isEqualTo(2);
        assertThat(acknowledged()).isEqualTo(1);
    }

    @Test
    void aClaimThatCanNotBeGivenBackRunsOutAndLeavesTheFailureAsItWas() {
        meanwhile = () -> {
            store.down = true;
            throw new IllegalStateException("the effect failed");
        };
        Exchange failed = deliver("eager-completion");
        assertThat(failed.getException()).hasMessage("the effect failed");
        store.down = false;
        meanwhile = () -> {};

        assertThat(deliver("eager-completion").getException()).isInstanceOf(ClaimInProgressException.class);
        clock.advance(LEASE.plusMillis(1));
        assertThat(deliver("eager-completion").getException()).isNull();
        assertThat(effects).hasValue(1);
    }

    @Test
    void withoutRemoveOnFailureTheClaimIsHeldUntilItsLeaseEnds() {
        meanwhile = () -> {
            throw new IllegalStateException("the effect failed");
        };
        deliver("kept-on-failure");
        meanwhile = () -> {};

        assertThat(deliver("kept-on-failure").getException()).isInstanceOf(ClaimInProgressException.class);
        clock.advance(LEASE.plusMillis(1));
        assertThat(deliver("kept-on-failure").getException()).isNull();
    }

    @Test
    void aLeaseLostMeanwhileFailsTheExchangeBeforeItIsAcknowledged() {
        meanwhile = this::loseTheLease;

        Exchange late = deliver("eager-completion");

        assertThat(late.getException()).isInstanceOf(LeaseLostException.class).hasMessageContaining(KEY.toString());
        assertThat(acknowledged()).isZero();
        assertThat(record().state()).isEqualTo(ClaimState.IN_PROGRESS);
        assertThat(record().fence()).isEqualTo(2);
    }

    @Test
    void aStoreThatIsDownOnConfirmFailsTheExchangeBeforeItIsAcknowledged() {
        meanwhile = () -> store.down = true;

        Exchange exchange = deliver("eager-completion");

        assertThat(exchange.getException()).isInstanceOf(ClaimStoreException.class);
        assertThat(acknowledged()).isZero();
    }

    @Test
    void aStoreThatIsDownOnClaimFailsTheExchangeBeforeTheEffect() {
        store.down = true;

        Exchange exchange = deliver("eager-completion");

        assertThat(exchange.getException()).isInstanceOf(ClaimStoreException.class);
        assertThat(effects).hasValue(0);
        assertThat(acknowledged()).isZero();
    }

    /** Why {@code completionEager} must be set. */
    @Test
    void byDefaultCamelConfirmsOnlyAfterTheStepThatAcknowledges() {
        meanwhile = this::loseTheLease;

        deliver("late-completion");

        assertThat(acknowledged()).isEqualTo(1);
        assertThat(record().state()).isEqualTo(ClaimState.IN_PROGRESS);
    }

    @Test
    void aPatternThatIsNotEagerIsRefusedBeforeTheEffect() {
        Exchange exchange = deliver("late-claim");

        assertThat(exchange.getException())
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("eager");
        assertThat(effects).hasValue(0);
        assertThat(acknowledged()).isZero();
    }

    @Test
    void aDuplicateThatRunsOnConfirmsAndGivesBackNothing() {
        deliver("duplicates-run");
        ClaimRecord done = record();
        clock.advance(Duration.ofSeconds(1));

        assertThat(deliver("duplicates-run").getException()).isNull();
        meanwhile = () -> {
            throw new IllegalStateException("the duplicate failed");
        };
        assertThat(deliver("duplicates-run").getException()).hasMessage("the duplicate failed");

        assertThat(record()).isEqualTo(done);
        assertThat(effects).hasValue(1);
    }

    @Test
    void aKeyThatWasGivenUpElsewhereFailsInsteadOfVanishing() {
        claims.markFailed(claimElsewhere(), "INSUFFICIENT_FUNDS", Map.of());

        assertThat(deliver("eager-completion").getException())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("given up");
        assertThat(acknowledged()).isZero();
    }

    @Test
    void aKeyThatIsClaimedElsewhereWithItsContentFailsInsteadOfVanishing() {
        claims.claim(KEY, Fingerprint.of(KEY.key(), "19.90"));

        assertThat(deliver("eager-completion").getException())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("other content");
        assertThat(acknowledged()).isZero();
    }

    @Test
    void otherContentUnderTheSameKeyIsADuplicate() {
        deliver("eager-completion", "19.90");
        Exchange other = deliver("eager-completion", "1990.00");

        assertThat(other.getException()).isNull();
        assertThat(effects).hasValue(1);
        assertThat(acknowledged()).isEqualTo(2);
    }

    @Test
    void twoScopesClaimTheSameKeyOnOneExchange() {
        LeaseIdempotentRepository other = new LeaseIdempotentRepository(claims, "notification");
        Exchange exchange = new DefaultExchange(camel);

        assertThat(repository.add(exchange, KEY.key())).isTrue();
        assertThat(other.add(exchange, KEY.key())).isTrue();
        assertThat(other.remove(exchange, KEY.key())).isTrue();
        assertThat(repository.confirm(exchange, KEY.key())).isTrue();

        assertThat(record().state()).isEqualTo(ClaimState.DONE);
        assertThat(claims.find(new ClaimKey("notification", KEY.key())))
                .hasValueSatisfying(released -> assertThat(released.state()).isEqualTo(ClaimState.IN_PROGRESS));
    }

    @Test
    void aBlankKeyFailsTheExchange() {
        assertThatThrownBy(() -> repository.add(new DefaultExchange(camel), " "))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void clearingIsRefused() {
        deliver("eager-completion");

        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(repository::clear);
        assertThat(repository.contains(KEY.key())).isTrue();
    }

    @Test
    void theVariantsWithoutAnExchangeAreRefused() {
        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> repository.add(KEY.key()));
        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> repository.confirm(KEY.key()));
        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> repository.remove(KEY.key()));
        assertThat(claims.find(KEY)).isEmpty();
    }

    /** The store in memory, which can be down. */
    private static final class FailingStore extends ForwardingClaimStore {

        private boolean down;

        @Override
        protected ClaimStore store() {
            if (down) {
                throw new ClaimStoreException("down");
            }
            return super.store();
        }
    }
}
