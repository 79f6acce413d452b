package io.weir.stress.result;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.stress.RunSchema;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** That the schema can say no; that real runs fit it is shown where real runs are made. */
class RunSchemaTest {

  private static final String EMPTY =
      """
      {"schemaVersion": 1, "weir": "1", "lucene": "1", "command": [], "startedAt": "2026-11-20T10:00:00Z",
       "finishedAt": "2026-11-20T10:00:00Z", "interrupted": true, "environment": {}, "workload": {},
       "arms": [%s], "warnings": [], "slos": []}
      """;

  @Test
  void run_withoutArms_fits() throws IOException {
    assertEquals(List.of(), RunSchema.errors(EMPTY.formatted("")));
  }

  @Test
  void whatTheSchemaDoesNotSay_isAnError() throws IOException {
    String arm =
        "{\"name\": \"a\", \"round\": 0, \"status\": \"good\", \"settings\": {\"x\": 1}, \"colour\": 7}";
    assertEquals(
        List.of(
            "$.arms[0].round: must have a minimum value of 1",
            "$.arms[0].settings.x: integer found, string expected",
            "$.arms[0].status: does not have a value in the enumeration [\"done\", \"interrupted\", \"failed\"]",
            "$.arms[0]: property 'colour' is not defined in the schema and the schema does not allow additional properties",
            "$.arms[0]: required property 'warnings' not found"),
        RunSchema.errors(EMPTY.formatted(arm)));
  }
}
