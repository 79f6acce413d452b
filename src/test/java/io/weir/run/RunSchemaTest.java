package io.weir.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** That the schema can say no; that real runs fit it is shown where real runs are made. */
class RunSchemaTest {

  private static final String EMPTY =
      """
      {"schemaVersion": 2, "kind": "load", "weir": "1", "lucene": "1", "command": [],
       "startedAt": "2026-11-20T10:00:00Z", "finishedAt": "2026-11-20T10:00:00Z",
       "interrupted": true, "environment": {}, "workload": {}, "values": {},
       "parts": [%s], "warnings": [], "findings": [], "slos": []}
      """;

  @Test
  void schema_isThatOfTheRecordsAndTheFigures() throws IOException {
    RunSchema.assertCurrent();
  }

  @Test
  void whatTheSchemaDoesNotSay_isAnError() throws IOException {
    String arm =
        """
        {"kind": "arm", "name": "a", "round": 1, "status": "good", "settings": {"x": 1},
         "values": {"merge.seconds": "long", "merge.colour": 7}, "findings": [], "parts": []}
        """;
    assertEquals(
        List.of(
            "$.parts[0].settings.x: integer found, string expected",
            "$.parts[0].status: does not have a value in the enumeration [\"done\", \"interrupted\", \"failed\"]",
            "$.parts[0].values.merge.seconds: string found, number expected",
            "$.parts[0].values: property 'merge.colour' is not defined in the schema and the schema does not allow additional properties",
            "$.parts[0]: required property 'warnings' not found"),
        RunSchema.errors(EMPTY.formatted(arm)).stream()
            .filter(error -> error.startsWith("$.parts"))
            .toList());
  }
}
