package com.finedge.once.console;

/**
 * How full a queue is, about.
 *
 * @param deadLetters whether it takes what could not be done
 * @param waiting messages that can be received
 * @param hidden messages that somebody is at work on, or that wait for a delay
 */
public record QueueLevel(String queue, boolean deadLetters, long waiting, long hidden) {

    long all() {
        return waiting + hidden;
    }
}
