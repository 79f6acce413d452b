package io.weir.stress;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import com.networknt.schema.ValidationMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The schema that is published for {@code run.json}. */
public final class RunSchema {

  private static final Path FILE = Path.of("docs", "run.schema.json");

  private RunSchema() {}

  /** That what a real run wrote is what the schema says, no more and no less. */
  public static void assertValid(Path runJson) throws IOException {
    assertEquals(List.of(), errors(Files.readString(runJson)), () -> "of " + runJson);
  }

  /** In what a run differs from the schema. */
  public static List<String> errors(String runJson) throws IOException {
    JsonSchema schema =
        JsonSchemaFactory.getInstance(VersionFlag.V202012).getSchema(Files.readString(FILE));
    return schema.validate(new ObjectMapper().readTree(runJson)).stream()
        .map(ValidationMessage::getMessage)
        .sorted()
        .toList();
  }
}
