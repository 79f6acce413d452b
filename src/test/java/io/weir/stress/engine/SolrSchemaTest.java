package io.weir.stress.engine;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.rest.EngineException;
import io.weir.run.RunJson;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a run finds in a schema of the user's; {@code CommandSolrTargetIT} has real ones. */
class SolrSchemaTest {

  @ParameterizedTest
  @ValueSource(strings = {"solr.DenseVectorField", "org.apache.solr.schema.DenseVectorField"})
  void requireVectors_aStoredFieldOfTheirLength_isTaken(String type) {
    assertDoesNotThrow(() -> schema(type, "8", "true").requireVectors(8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "solr.DenseVectorField 9 true",
        "solr.DenseVectorField 8 false",
        "solr.StrField 8 true",
        "solr.ScalarQuantizedDenseVectorField 8 true",
        "org.apache.solr.schema.BinaryQuantizedDenseVectorField 8 true"
      })
  void requireVectors_anotherField_isRefusedWithWhatIsMissing(String other) throws Exception {
    String[] parts = other.split(" ");
    SolrSchema schema = schema(parts[0], parts[1], parts[2]);

    assertEquals(
        "the schema must have a stored field \"vector\" of a type with class"
            + " solr.DenseVectorField, vectorDimension=8 and similarityFunction=dot_product,"
            + " because documents have vectors: products",
        assertThrows(EngineException.class, () -> schema.requireVectors(8)).getMessage());
  }

  private static SolrSchema schema(String type, String dims, String stored) throws Exception {
    return new SolrSchema(
        "products",
        RunJson.parse(
            ("{\"fieldTypes\":[{\"name\":\"t\",\"class\":\"%s\",\"vectorDimension\":\"%s\"}],"
                    + "\"fields\":[{\"name\":\"vector\",\"type\":\"t\",\"stored\":%s}]}")
                .formatted(type, dims, stored)));
  }
}
