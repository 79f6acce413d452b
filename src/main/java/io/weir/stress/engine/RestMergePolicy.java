package io.weir.stress.engine;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.rest.EngineClient;
import java.io.IOException;
import java.util.Map;

/** Which segments of an index OpenSearch or Elasticsearch merges by itself. */
final class RestMergePolicy {

  /**
   * More than the run's large segments, as the default of 10 would merge them while it is filled.
   */
  static final int SEGMENTS_PER_TIER = 20;

  /** The fewest that engines take. */
  private static final int FEW_SEGMENTS_PER_TIER = 2;

  /** The default of engines. */
  private static final long LARGEST_MERGED_SEGMENT_BYTES = 5L << 30;

  private final EngineClient client;
  private final String index;

  RestMergePolicy(EngineClient client, String index) {
    this.client = client;
    this.index = index;
  }

  /**
   * Leaves the large segments alone, and merges those that the load makes. It takes no segment of
   * more than half of the largest that it would make. Without that the load's first small segments
   * are too few for a merge of their own, and are merged with all large ones.
   *
   * <p>Source: Lucene 10.5.1, {@code TieredMergePolicy.findMerges}.
   */
  void leaveLarge() throws IOException, InterruptedException {
    long largest =
        client.get("/" + index + "/_segments").findValues("size_in_bytes").stream()
            .mapToLong(JsonNode::asLong)
            .filter(bytes -> bytes > 0)
            .max()
            .orElse(LARGEST_MERGED_SEGMENT_BYTES);
    set(SEGMENTS_PER_TIER, largest);
  }

  /** Merges the large segments too. */
  void mergeLarge() throws IOException, InterruptedException {
    set(FEW_SEGMENTS_PER_TIER, LARGEST_MERGED_SEGMENT_BYTES);
  }

  private void set(int segmentsPerTier, long largestMergedSegmentBytes)
      throws IOException, InterruptedException {
    client.put(
        "/" + index + "/_settings",
        Map.of(
            "index.merge.policy.segments_per_tier",
            segmentsPerTier,
            "index.merge.policy.max_merged_segment",
            largestMergedSegmentBytes + "b"));
  }
}
