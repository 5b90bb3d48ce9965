package com.finedge.once.config;

import com.finedge.once.adapter.sqs.SqsQueue;
import com.finedge.once.adapter.sqs.SqsQueues;
import com.finedge.once.config.WatchedQueues.Watched;
import java.util.Optional;
import org.apache.camel.CamelContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.sqs.model.QueueDoesNotExistException;

/** Looks whether what SQS moves by itself goes where it is watched, and stays there for long enough. */
class DeadLetterChecks implements StartCheck {

    private static final Logger log = LoggerFactory.getLogger(DeadLetterChecks.class);

    private final WatchedQueues watched;
    private final SqsQueues queues;

    DeadLetterChecks(WatchedQueues watched, SqsQueues queues) {
        this.watched = watched;
        this.queues = queues;
    }

    @Override
    public void check(CamelContext camel) {
        for (Watched one : watched.all()) {
            // One that isn't there is refused by whoever needs it.
            named(one.queue()).ifPresent(queue -> check(one, queue));
        }
    }

    private void check(Watched one, SqsQueue queue) {
        String target = queue.deadLetterQueue();
        String wanted = one.deadLetters();
        if (target != null && wanted != null) {
            Checks.refuse(
                    !target.equals(wanted),
                    "the queue %s has %s in its redrive policy and must have %s (%s): what SQS moves by itself would be "
                            + "watched and redriven by nobody",
                    queue.name(),
                    target,
                    wanted,
                    one.property());
        }
        String name = target == null ? wanted : target;
        if (name == null) {
            log.warn(
                    "The queue {} has no redrive policy, so it has no dead letters to watch: a message that can't be handled"
                            + " comes back for as long as the queue keeps it",
                    queue.name());
            return;
        }
        Optional<SqsQueue> there = named(name);
        Checks.refuse(there.isEmpty(), "there is no queue %s, the dead-letter queue of %s", name, queue.name());
        there.ifPresent(deadLetters -> check(queue, deadLetters));
    }

    private static void check(SqsQueue queue, SqsQueue deadLetters) {
        Checks.refuse(
                queue.retentionIsKnown()
                        && deadLetters.retentionIsKnown()
                        && deadLetters.retention().compareTo(queue.retention()) <= 0,
                "the dead-letter queue %s keeps messages for %s and must keep them for longer than %s (%s): the age of a "
                        + "message counts from its first sending",
                deadLetters.name(),
                deadLetters.retention(),
                queue.name(),
                queue.retention());
        Checks.refuse(
                deadLetters.maxReceiveCount() != null,
                "the dead-letter queue %s must have no redrive policy: whoever looks at its messages often enough would "
                        + "move them on",
                deadLetters.name());
    }

    private Optional<SqsQueue> named(String name) {
        try {
            return Optional.of(queues.named(name));
        } catch (QueueDoesNotExistException e) {
            return Optional.empty();
        }
    }
}
