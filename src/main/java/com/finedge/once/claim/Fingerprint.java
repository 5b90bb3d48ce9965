package com.finedge.once.claim;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * The content of a unit of work in one comparable value, so that the same key with other content is seen as a
 * conflict and not as a duplicate.
 *
 * @param value SHA-256 in 64 lower-case hexadecimal digits
 */
public record Fingerprint(String value) {

    private static final Pattern SHA_256 = Pattern.compile("[0-9a-f]{64}");

    /** @throws IllegalArgumentException if the value is no SHA-256 */
    public Fingerprint {
        if (!SHA_256.matcher(value).matches()) {
            throw new IllegalArgumentException("a fingerprint is 64 lower-case hexadecimal digits");
        }
    }

    /**
     * The fingerprint of business fields in their canonical form. Order counts; the envelope (event id, times of
     * sending, version) must not be among them.
     */
    public static Fingerprint of(String... fields) {
        MessageDigest digest = sha256();
        for (String field : fields) {
            byte[] bytes = field.getBytes(StandardCharsets.UTF_8);
            // The length goes first: without it ("ab", "c") and ("a", "bc") would be the same content.
            digest.update(
                    ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
            digest.update(bytes);
        }
        return new Fingerprint(HexFormat.of().formatHex(digest.digest()));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
