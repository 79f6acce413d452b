package io.weir.stress.engine;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.stress.queries.SearchQuery;
import io.weir.stress.setting.VectorFormat;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What OpenSearch and Elasticsearch call vectors, where all else of their interface is shared. Both
 * build Lucene's graph, by the dot product, of floats or of what they quantise them to. Both keep
 * the floats too.
 */
enum RestVectors {
  /**
   * By its k-NN plug-in. Each candidate is one of a shard's nearest, as many as are searched for.
   */
  OPENSEARCH("opensearch-knn", Map.of("knn", true)) {
    @Override
    Map<String, Object> field(int dims, VectorFormat format) {
      Map<String, Object> method = new LinkedHashMap<>();
      method.putAll(Map.of("name", "hnsw", "engine", "lucene", "space_type", "innerproduct"));
      if (format == VectorFormat.INT8) {
        method.put("parameters", Map.of("encoder", SCALAR));
      }
      return Map.of("type", "knn_vector", "dimension", dims, "method", method);
    }

    @Override
    Optional<String> obstacle(int dims, VectorFormat format) {
      return switch (format) {
        case FLOAT, INT8 -> Optional.empty();
        case INT4, BINARY ->
            Optional.of(
                "vector-format must be float or int8 in OpenSearch, because its k-NN with engine"
                    + " lucene quantises to 7 bits only: vector-format="
                    + format.label());
      };
    }

    /** A clause like others, so a hybrid query is a choice of two. */
    @Override
    Map<String, Object> search(Optional<Map<String, Object>> text, float[] vector) {
      Map<String, Object> nearest =
          Map.of("knn", Map.of(FIELD, Map.of("vector", vector, "k", SearchQuery.NEIGHBOURS)));
      return Map.of(
          "query",
          text.<Map<String, Object>>map(
                  words -> Map.of("bool", Map.of("should", List.of(words, nearest))))
              .orElse(nearest));
    }

    @Override
    Map<String, Object> read() {
      return Map.of("_source", List.of(FIELD));
    }

    @Override
    JsonNode vector(JsonNode hit) {
      return hit.path("_source").path(FIELD);
    }
  },

  /** By itself. Its default kind of graph depends on its version, so the mapping names one. */
  ELASTICSEARCH("", Map.of()) {
    @Override
    Map<String, Object> field(int dims, VectorFormat format) {
      return Map.of(
          "type",
          "dense_vector",
          "dims",
          dims,
          "index",
          true,
          "similarity",
          "dot_product",
          "index_options",
          Map.of("type", graph(format)));
    }

    private static String graph(VectorFormat format) {
      return switch (format) {
        case FLOAT -> "hnsw";
        case INT8 -> "int8_hnsw";
        case INT4 -> "int4_hnsw";
        case BINARY -> "bbq_hnsw";
      };
    }

    @Override
    Optional<String> obstacle(int dims, VectorFormat format) {
      return switch (format) {
        case FLOAT, INT8 -> Optional.empty();
        case INT4 -> refuseIf(dims % 2 != 0, "an even number of dimensions", format, dims);
        case BINARY ->
            refuseIf(
                dims < LEAST_BINARY_DIMS,
                "at least %d dimensions".formatted(LEAST_BINARY_DIMS),
                format,
                dims);
      };
    }

    private static Optional<String> refuseIf(
        boolean wrong, String rule, VectorFormat format, int dims) {
      return wrong
          ? Optional.of(
              "vectors must have %s for vector-format=%s in Elasticsearch: %d %s"
                  .formatted(rule, format.label(), dims, dims == 1 ? "dimension" : "dimensions"))
          : Optional.empty();
    }

    /** Beside the query: scores of both are added. Lucene takes as many candidates as it finds. */
    @Override
    Map<String, Object> search(Optional<Map<String, Object>> text, float[] vector) {
      Map<String, Object> request = new LinkedHashMap<>();
      text.ifPresent(words -> request.put("query", words));
      request.put(
          "knn",
          Map.of(
              "field",
              FIELD,
              "query_vector",
              vector,
              "k",
              SearchQuery.NEIGHBOURS,
              "num_candidates",
              SearchQuery.NEIGHBOURS));
      return request;
    }

    /** Its newer versions leave vectors out of the source. */
    @Override
    Map<String, Object> read() {
      return Map.of("_source", false, "fields", List.of(FIELD));
    }

    @Override
    JsonNode vector(JsonNode hit) {
      return hit.path("fields").path(FIELD);
    }
  };

  /** The only quantisation of k-NN's engine {@code lucene}, whose one number of bits is 7. */
  private static final Map<String, Object> SCALAR =
      Map.of("name", "sq", "parameters", Map.of("bits", 7));

  /** {@code BBQ_MIN_DIMS} of Elasticsearch. */
  private static final int LEAST_BINARY_DIMS = 64;

  /** The field that has them. */
  static final String FIELD = "vector";

  /** The k-NN plug-in of older versions needs this one. */
  private static final Set<String> BESIDE = Set.of("opensearch-job-scheduler");

  private final String plugin; // empty for none
  private final Map<String, Object> settings;

  RestVectors(String plugin, Map<String, Object> settings) {
    this.plugin = plugin;
    this.settings = settings;
  }

  /** Those of a distribution, as its servers name it. */
  static RestVectors of(String distribution) {
    return distribution.equals("opensearch") ? OPENSEARCH : ELASTICSEARCH;
  }

  /** Of an index that has them. */
  Map<String, Object> settings() {
    return settings;
  }

  /** The mapping of {@link #FIELD}. */
  abstract Map<String, Object> field(int dims, VectorFormat format);

  /** Why the engine cannot hold vectors so; empty if it can. */
  abstract Optional<String> obstacle(int dims, VectorFormat format);

  /**
   * What a search asks for, without how many.
   *
   * @param text of a hybrid query, whose scores are added
   */
  abstract Map<String, Object> search(Optional<Map<String, Object>> text, float[] vector);

  /** What a search asks for to read vectors. */
  abstract Map<String, Object> read();

  /** That of a hit of such a search. */
  abstract JsonNode vector(JsonNode hit);

  /** Which plug-in nodes need; empty for none. */
  Optional<String> plugin() {
    return plugin.isEmpty() ? Optional.empty() : Optional.of(plugin);
  }

  /** Whether a plug-in is one by which a distribution has vectors. */
  boolean needs(String installed) {
    return !plugin.isEmpty() && (installed.equals(plugin) || BESIDE.contains(installed));
  }

  /** Why a distribution has no vectors; empty if it has. */
  Optional<String> obstacle(Path home) {
    return plugin()
        .filter(needed -> !Files.isDirectory(home.resolve("plugins").resolve(needed)))
        .map(needed -> "--engine-home %s has no plug-in %s; %s".formatted(home, needed, install()));
  }

  /** How the plug-in comes there. */
  String install() {
    return ("vectors need it: bin/opensearch-plugin install org.opensearch.plugin:%1$s:VERSION.0, or"
            + " its zip, which tools/engine %1$s:VERSION.0 fetches")
        .formatted(plugin);
  }
}
