package io.weir.stress.engine;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.rest.EngineException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a run asks of the schema of a collection, which it never changes.
 *
 * <p><b>Threads:</b> any. <b>Failure:</b> {@link EngineException} with what is missing.
 *
 * @param collection its name
 * @param schema as Solr answers it
 */
record SolrSchema(String collection, JsonNode schema) {

  /** The field of vectors. Solr's default has none: the length of vectors is a part of a type. */
  static final String VECTOR = "vector";

  private static final Set<String> NEEDED_FIELDS = new TreeSet<>(List.of("*_l", "*_s", "*_t"));

  /** The unique key; the fields of documents must be there too. */
  String requireKeyAndFields() throws EngineException {
    String key =
        Optional.ofNullable(schema.path("uniqueKey").textValue())
            .orElseThrow(
                () ->
                    new EngineException(
                        "the schema must have a uniqueKey, because updates go by it: "
                            + collection));
    Set<String> missing = new TreeSet<>(NEEDED_FIELDS);
    schema.path("dynamicFields").forEach(field -> missing.remove(field.path("name").asText()));
    if (!missing.isEmpty()) {
      throw new EngineException(
          "the schema must have the dynamic fields %s, as Solr's default has, and has no %s: %s"
              .formatted(String.join(", ", NEEDED_FIELDS), String.join(", ", missing), collection));
    }
    return key;
  }

  /** There must be a field for vectors that can be searched and read. */
  void requireVectors(int dims) throws EngineException {
    for (JsonNode field : schema.path("fields")) {
      if (field.path("name").asText().equals(VECTOR)
          && field.path("stored").asBoolean(true)
          && isOfVectors(field.path("type"), dims)) {
        return;
      }
    }
    throw new EngineException(
        ("the schema must have a stored field \"%s\" of a type with class solr.DenseVectorField,"
                + " vectorDimension=%d and similarityFunction=dot_product, because documents have"
                + " vectors: %s")
            .formatted(VECTOR, dims, collection));
  }

  private boolean isOfVectors(JsonNode name, int dims) {
    for (JsonNode type : schema.path("fieldTypes")) {
      if (type.path("name").equals(name)) {
        return type.path("class").asText().endsWith(".DenseVectorField") // not one that quantises
            && type.path("vectorDimension").asInt() == dims;
      }
    }
    return false;
  }
}
