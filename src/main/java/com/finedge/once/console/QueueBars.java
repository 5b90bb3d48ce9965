package com.finedge.once.console;

import java.util.List;

/** How full the queues are beside one another; the fullest has all of the width, which is 100. */
public record QueueBars(QueueLevel level, double waiting, double hidden) {

    static List<QueueBars> of(List<QueueLevel> levels) {
        double most = Math.max(levels.stream().mapToLong(QueueLevel::all).max().orElse(0), 1);
        return levels.stream()
                .map(level -> new QueueBars(level, level.waiting() * 100 / most, level.hidden() * 100 / most))
                .toList();
    }
}
