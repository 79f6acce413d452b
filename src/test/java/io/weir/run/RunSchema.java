package io.weir.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import com.networknt.schema.ValidationMessage;
import io.weir.figure.Figure;
import io.weir.host.Environment;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The schema that is published for {@code run.json}: that of the records, and of the figures that
 * they can have.
 */
public final class RunSchema {

  private static final Path FILE = Path.of("docs", "run.schema.json");
  private static final Set<Class<?>> WHOLE =
      Set.of(int.class, long.class, Integer.class, Long.class, OptionalLong.class);

  private final ObjectNode defs = JsonNodeFactory.instance.objectNode();

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

  /**
   * Fails if the published schema is not that of the code; {@code -Dweir.golden=write} writes it.
   */
  static void assertCurrent() throws IOException {
    String current = current();
    if ("write".equals(System.getProperty("weir.golden"))) {
      Files.writeString(FILE, current);
    }
    assertEquals(Files.readString(FILE), current);
  }

  /** What the code says. */
  public static String current() throws IOException {
    return new ObjectMapper()
            .writerWithDefaultPrettyPrinter()
            .writeValueAsString(new RunSchema().root())
        + "\n";
  }

  private ObjectNode root() {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    root.put("$id", "urn:weir:run:" + Run.SCHEMA_VERSION);
    root.put("title", "run.json of a Weir run, schemaVersion " + Run.SCHEMA_VERSION);
    root.put(
        "description",
        "A later version may add properties, and its schema has them; it does not change or remove"
            + " one without a new schemaVersion.");
    root.setAll(record(Run.class));
    ((ObjectNode) root.get("properties"))
        .putObject("schemaVersion")
        .put("const", Run.SCHEMA_VERSION);
    root.set("$defs", defs);
    return root;
  }

  private ObjectNode of(Type type) {
    if (type instanceof ParameterizedType generic) {
      Type[] arguments = generic.getActualTypeArguments();
      if (generic.getRawType() == Optional.class) {
        return of(arguments[0]);
      }
      return Collection.class.isAssignableFrom((Class<?>) generic.getRawType())
          ? json("array").set("items", of(arguments[0]))
          : json("object").set("additionalProperties", of(arguments[1]));
    }
    Class<?> plain = (Class<?>) type;
    if (plain == JsonNode.class) { // the one tree in a run
      return of(Environment.class);
    }
    if (plain.isEnum()) {
      ObjectNode words = JsonNodeFactory.instance.objectNode();
      ArrayNode values = words.putArray("enum");
      for (Object constant : plain.getEnumConstants()) {
        values.add(RunJson.tree(constant));
      }
      return words;
    }
    if (plain == Values.class || plain.isRecord()) {
      return inDefs(plain);
    }
    if (plain == Instant.class) {
      return json("string").put("format", "date-time");
    }
    if (WHOLE.contains(plain)) {
      return json("integer");
    }
    return json(
        plain == String.class
            ? "string"
            : plain == boolean.class || plain == Boolean.class ? "boolean" : "number");
  }

  private ObjectNode inDefs(Class<?> type) {
    String name =
        type.getSimpleName().substring(0, 1).toLowerCase(Locale.ROOT)
            + type.getSimpleName().substring(1);
    if (!defs.has(name)) {
      defs.putObject(name); // a part has parts
      defs.set(name, type == Values.class ? values() : record(type));
    }
    return JsonNodeFactory.instance.objectNode().put("$ref", "#/$defs/" + name);
  }

  private ObjectNode values() {
    ObjectNode values = json("object");
    ObjectNode properties = values.putObject("properties");
    for (Figure<?> figure : Run.FIGURES.all()) {
      String unit = figure.unit().symbol();
      properties.set(
          figure.id(),
          of(figure.type())
              .put("description", figure.text() + (unit.isEmpty() ? "" : ", in " + unit)));
    }
    return values.put("additionalProperties", false);
  }

  private ObjectNode record(Class<?> type) {
    RecordComponent[] components = type.getRecordComponents();
    if (components[0].getAccessor().isAnnotationPresent(JsonValue.class)) {
      return of(components[0].getGenericType());
    }
    ObjectNode object = json("object");
    ObjectNode properties = object.putObject("properties");
    ArrayNode required = object.putArray("required");
    for (RecordComponent component : components) {
      properties.set(component.getName(), of(component.getGenericType()));
      if (isRequired(type, component)) {
        required.add(component.getName());
      }
    }
    return object.put("additionalProperties", false);
  }

  /** What could not be learnt of a machine is absent. */
  private static boolean isRequired(Class<?> type, RecordComponent component) {
    return type.getPackage() == Run.class.getPackage() && component.getType() != Optional.class;
  }

  private static ObjectNode json(String type) {
    return JsonNodeFactory.instance.objectNode().put("type", type);
  }
}
