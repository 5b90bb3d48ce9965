package com.finedge.once.adapter.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Messages about charges may also come within an SNS notification, of which the schema knows nothing. */
abstract class ChargeSchemaContract extends SchemaContract {

    ChargeSchemaContract(Class<? extends Record> type, String name) {
        super(type, name);
    }

    List<Path> validBeyondSchema() throws IOException {
        return examples("valid/beyond-schema");
    }

    @ParameterizedTest
    @MethodSource("validBeyondSchema")
    void theReaderAloneAcceptsWhatItUnwraps(Path example) throws IOException {
        String body = Files.readString(example);

        assertThat(schemaAccepts(MAPPER.readTree(body))).isFalse();
        assertThat(read(body)).isEqualTo(read(baseExample()));
    }
}
