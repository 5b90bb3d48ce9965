package com.finedge.once.deadletter;

import com.finedge.once.audit.AuditLog;
import com.finedge.once.audit.Operator;
import com.finedge.once.audit.OperatorAction;
import com.finedge.once.claim.ClaimKey;
import com.finedge.once.claim.ClaimRecord;
import com.finedge.once.claim.ClaimState;
import com.finedge.once.claim.Claims;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Predicate;

/** What an operator can see and mend of a dead-letter queue and of the claims behind it, one thing at a time. */
public final class DeadLetters {

    /** How many letters a look takes at the most. */
    public static final int MOST_LOOKED_AT = 1_000;

    private static final int A_RECEIVE = 10;

    /** How long letters that are looked at stay away, should this process die meanwhile. */
    private static final Duration HIDDEN = Duration.ofSeconds(30);

    /** A look ends before the first letter would come back. */
    private static final Duration LONGEST_LOOK = Duration.ofSeconds(20);

    private final RedrivableQueue queue;
    private final Effects effects;
    private final Claims claims;
    private final AuditLog audit;
    private final Examiner examiner;
    private final InstantSource clock;

    public DeadLetters(RedrivableQueue queue, Effects effects, Claims claims, AuditLog audit, InstantSource clock) {
        this.queue = queue;
        this.effects = effects;
        this.claims = claims;
        this.audit = audit;
        this.clock = clock;
        this.examiner = new Examiner(claims, effects, clock);
    }

    /**
     * Looks at the letters, hands them back, and says what a redrive would do with each.
     *
     * @param filter which ones are wanted
     * @param terms what a redrive would be allowed
     * @param most how many are looked at, 1 to {@link #MOST_LOOKED_AT}
     */
    public Look look(LetterFilter filter, Terms terms, int most) {
        Depth depth = queue.depth();
        List<LetterView> views = new ArrayList<>();
        Seen seen = seen(depth, Math.clamp(most, 1, MOST_LOOKED_AT), letters -> {
            views.addAll(views(letters, filter, terms));
            return false;
        });
        views.sort(Comparator.comparing(LetterView::sentAt).thenComparing(LetterView::id));
        return new Look(queue.name(), depth, seen.count(), seen.complete(), views);
    }

    /**
     * Sends a corrected body as a message of its own, with a link to the letter that it stands for, and deletes that one.
     *
     * @param letterId the queue's id of a letter that is no valid message
     */
    public ReplaceResult replace(String letterId, Correction correction) {
        Reading reading = effects.read(correction.body());
        if (reading instanceof Reading.Invalid invalid) {
            return new ReplaceResult.StillInvalid(invalid);
        }
        List<ReplaceResult> result = new ArrayList<>();
        seen(
                queue.depth(),
                MOST_LOOKED_AT,
                letters -> letters.stream()
                        .filter(letter -> letter.id().equals(letterId))
                        .findFirst()
                        .map(letter -> result.add(replaced(letter, correction, (Reading.Valid) reading)))
                        .orElse(false));
        return result.isEmpty() ? new ReplaceResult.NotFound() : result.getFirst();
    }

    private ReplaceResult replaced(DeadLetter letter, Correction correction, Reading.Valid reading) {
        if (effects.read(letter.body()) instanceof Reading.Valid) {
            return new ReplaceResult.NotInvalid();
        }
        audit.record(new OperatorAction(
                correction.by(),
                "replace-dead-letter",
                reading.key().toString(),
                "ordered for letter " + letter.id(),
                clock.instant()));
        queue.sendInstead(letter, effects.renewed(letter.id(), correction.body()));
        queue.delete(letter);
        return new ReplaceResult.Sent();
    }

    /** A claim, with what operators did to it and what the performer of its effect says. */
    public Optional<ClaimDossier> claim(ClaimKey key, int mostActions) {
        return claims.find(key)
                .map(record -> new ClaimDossier(record, audit.on(key.toString(), mostActions), effects.ask(key)));
    }

    /** Makes a FAILED claim claimable again; its message must be sent besides, as a redrive does. */
    public ReopenResult reopen(ClaimKey key, Operator by) {
        Optional<ClaimRecord> record = claims.find(key);
        if (record.isEmpty()) {
            return ReopenResult.NOT_FOUND;
        }
        if (record.get().state() != ClaimState.FAILED) {
            return ReopenResult.NOT_FAILED;
        }
        audit.record(new OperatorAction(by, "reopen-claim", key.toString(), "ordered", clock.instant()));
        return claims.reopen(key, by.who(), by.why()) ? ReopenResult.REOPENED : ReopenResult.NOT_FAILED;
    }

    private record Seen(int count, boolean complete) {}

    /** @param enough is shown some letters after others, and says whether it has seen what it wanted */
    private Seen seen(Depth depth, int most, Predicate<List<DeadLetter>> enough) {
        Instant until = clock.instant().plus(LONGEST_LOOK);
        List<DeadLetter> held = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        try {
            while (ids.size() < most && clock.instant().isBefore(until)) {
                List<DeadLetter> some = queue.receive(Math.min(A_RECEIVE, most - ids.size()), HIDDEN);
                some.forEach(letter -> held.add(letter.withoutBody()));
                List<DeadLetter> unseen =
                        some.stream().filter(letter -> ids.add(letter.id())).toList();
                if (unseen.isEmpty()) {
                    return new Seen(ids.size(), true);
                }
                if (enough.test(unseen)) {
                    return new Seen(ids.size(), false);
                }
                // The number is approximate, so it only saves the wait for a last, empty answer.
                if (some.size() < A_RECEIVE && ids.size() >= depth.visible()) {
                    return new Seen(ids.size(), true);
                }
            }
            return new Seen(ids.size(), ids.size() >= depth.all());
        } finally {
            queue.handBack(held);
        }
    }

    private List<LetterView> views(List<DeadLetter> letters, LetterFilter filter, Terms terms) {
        try (ExecutorService atOnce = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Optional<LetterView>>> views = letters.stream()
                    .map(letter -> atOnce.submit(() -> view(letter, filter, terms)))
                    .toList();
            return views.stream().map(Calls::result).flatMap(Optional::stream).toList();
        }
    }

    private Optional<LetterView> view(DeadLetter letter, LetterFilter filter, Terms terms) {
        Reading reading = effects.read(letter.body());
        if (!filter.matches(letter, reading, clock.instant())) {
            return Optional.empty();
        }
        Findings findings = examiner.examine(letter, reading);
        Verdict verdict = examiner.decide(findings, terms);
        LetterView.ClaimView claim = findings.claim().map(DeadLetters::view).orElse(null);
        String evidence = switch (findings.evidence()) {
            case Evidence.NotAsked notAsked -> null;
            case Evidence.Happened happened -> "HAPPENED";
            case Evidence.NotHappened no -> "NOT_HAPPENED";
            case Evidence.Unsure unsure -> "UNSURE";
        };
        return Optional.of(
                switch (reading) {
                    case Reading.Valid valid ->
                        new LetterView(
                                letter.id(),
                                letter.code(),
                                letter.reason(),
                                valid.key().scope(),
                                valid.key().key(),
                                valid.fingerprint().value(),
                                null,
                                null,
                                letter.sentAt(),
                                letter.failedAt(),
                                letter.redrives(),
                                claim,
                                evidence,
                                verdict.word(),
                                verdict.text());
                    case Reading.Invalid invalid ->
                        new LetterView(
                                letter.id(),
                                letter.code(),
                                letter.reason(),
                                null,
                                null,
                                null,
                                invalid.code() + ": " + invalid.rule(),
                                Masked.excerpt(letter.body()),
                                letter.sentAt(),
                                letter.failedAt(),
                                letter.redrives(),
                                claim,
                                evidence,
                                verdict.word(),
                                verdict.text());
                });
    }

    private static LetterView.ClaimView view(ClaimRecord record) {
        return new LetterView.ClaimView(
                record.state().name(),
                record.outcome(),
                record.attempts(),
                record.createdAt(),
                record.updatedAt(),
                record.leaseUntil(),
                record.fingerprint().value(),
                record.detail());
    }
}
