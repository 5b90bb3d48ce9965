package com.finedge.once.deadletter;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What was seen in a dead-letter queue.
 *
 * @param queue its name
 * @param depth how many letters it holds, about
 * @param seen how many were looked at
 * @param complete whether that were all that could be received; if not, there are more than were looked at
 * @param letters those that the filter means, the oldest first
 */
public record Look(String queue, Depth depth, int seen, boolean complete, List<LetterView> letters) {

    /** How many letters there are of each code. */
    public Map<String, Long> byCode() {
        return letters.stream().collect(Collectors.groupingBy(LetterView::code, TreeMap::new, Collectors.counting()));
    }

    /** How many letters there are of each verdict. */
    public Map<String, Long> byVerdict() {
        return letters.stream()
                .collect(Collectors.groupingBy(LetterView::verdict, TreeMap::new, Collectors.counting()));
    }
}
