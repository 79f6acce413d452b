package io.weir.stress.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.merge.MergeKind;
import io.weir.run.MergeFigures;
import io.weir.run.RunJson;
import io.weir.run.SlowCauses;
import io.weir.run.Values;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PluginFiguresTest {

  private static final String NOTHING =
      "{\"nodes\":{\"a\":{\"merge\":{\"max_bytes_per_sec\":-1},\"indices\":{\"i\":{\"0\":{}}}}}}";

  @Test
  void of_anIndexWithoutWeir_isEmpty() throws Exception {
    assertEquals(Optional.empty(), PluginFigures.of(RunJson.parse("{}"), "i"));
    assertEquals(Optional.empty(), PluginFigures.of(RunJson.parse(NOTHING), "other"));
  }

  @Test
  void ofCore_aCoreOfSolr_isRead_andWithoutWeirEmpty() throws Exception {
    assertEquals(Optional.empty(), PluginFigures.ofCore(RunJson.parse("{}")));
    PluginFigures figures =
        PluginFigures.ofCore(
                RunJson.parse(
                    """
                    {"node": {"merge": {"max_bytes_per_sec": 1000000, "charged_bytes": 7, "wait_millis": 8}},
                     "core": {"merges": {"forced": {"done": 1, "written_bytes": 7, "pauses": 2}},
                              "slow_refreshes": {"cause_millis": {"disk_read": 5},
                                                 "cause_count": {"disk_read": 1}}}}"""))
            .orElseThrow();
    assertEquals("1MB/s", figures.cap());
    assertEquals(7, figures.chargedBytes());
    assertEquals(7, figures.merges().get(MergeKind.FORCED).written());
    assertEquals(new PluginFigures.Cause(1, 5), figures.causes().get("disk_read"));
  }

  @Test
  void merged_onSeveralNodes_isAddedOverThoseWithShardsOfTheIndex() throws Exception {
    String node =
        "{\"merge\":{\"max_bytes_per_sec\":%d,\"charged_bytes\":%d,\"wait_millis\":1500},"
            + "\"indices\":{\"%s\":{\"0\":{\"merges\":{\"natural\":{\"done\":2,\"failed\":1,"
            + "\"written_bytes\":%d},\"critical\":{\"running\":1,\"written_bytes\":5}}}}}}";
    PluginFigures end =
        figures(
            "{\"nodes\":{\"a\":%s,\"b\":%s,\"c\":%s}}"
                .formatted(
                    node.formatted(-1, 100, "i", 70),
                    node.formatted(2_000_000, 10, "i", 7),
                    node.formatted(3, 1, "other", 1)));

    String empty = "{\"indices\":{\"i\":{\"0\":{}}}}";
    PluginFigures start = figures("{\"nodes\":{\"a\":%s,\"b\":%s}}".formatted(empty, empty));
    Values merged = end.mergedSince(start).orElseThrow();

    assertEquals("off and 2MB/s", end.cap());
    assertEquals(Optional.of(110L), merged.get(MergeFigures.BYTES_CHARGED));
    assertEquals(Optional.of(3.0), merged.get(MergeFigures.PAUSED_SECONDS));
    assertEquals(Optional.of(87L), merged.get(MergeFigures.BYTES_WRITTEN));
    assertEquals(6, merged.require(MergeFigures.MERGES, MergeKind.NATURAL));
    assertEquals(2, merged.require(MergeFigures.MERGES, MergeKind.CRITICAL));
  }

  @Test
  void since_afterAShardMoved_orANodeRestarted_isNotKnown() throws Exception {
    PluginFigures start = onOneNode("a", 100, 7);

    assertTrue(onOneNode("a", 100, 7).mergedSince(start).isPresent());
    for (PluginFigures anew :
        List.of(onOneNode("b", 500_000, 7), onOneNode("a", 99, 7), onOneNode("a", 500, 6))) {
      assertEquals(Optional.empty(), anew.mergedSince(start));
      assertEquals(Optional.empty(), anew.causesSince(start, 1, 1.0));
    }
  }

  private static PluginFigures onOneNode(String node, long charged, long written)
      throws IOException {
    return figures(
        ("{\"nodes\":{\"%s\":{\"merge\":{\"charged_bytes\":%d},\"indices\":{\"i\":{\"0\":"
                + "{\"merges\":{\"natural\":{\"written_bytes\":%d}}}}}}}}")
            .formatted(node, charged, written));
  }

  @Test
  void causes_thatTookLessThanWasLost_leaveTheRestUnknown() throws Exception {
    PluginFigures end = slow("\"unmap\":300,\"lock\":600", "\"unmap\":3,\"lock\":1");

    assertEquals(
        List.of(
            new SlowCauses.Cause("lock", "lock or another thread", 0.6, 0.6, 1),
            new SlowCauses.Cause("unmap", "unmapping files", 0.3, 0.3, 2),
            new SlowCauses.Cause("unknown", "unknown", 0.1, 0.1, 2)),
        end.causesSince(figures(NOTHING), 2, 1.0).orElseThrow());
  }

  @Test
  void causes_ofShardsAtTheSameTime_areScaledToWhatWasLost() throws Exception {
    PluginFigures end = slow("\"unmap\":300,\"of a later version\":900", "\"unmap\":1");

    assertEquals(
        List.of(
            new SlowCauses.Cause("of a later version", "of a later version", 0.45, 0.75, 0),
            new SlowCauses.Cause("unmap", "unmapping files", 0.15, 0.25, 1)),
        end.causesSince(figures(NOTHING), 5, 0.6).orElseThrow());
  }

  private static PluginFigures slow(String millis, String counts) throws IOException {
    return figures(
        "{\"nodes\":{\"a\":{\"indices\":{\"i\":{\"0\":{\"slow_refreshes\":{\"cause_millis\":{%s},\"cause_count\":{%s}}}}}}}}"
            .formatted(millis, counts));
  }

  private static PluginFigures figures(String json) throws IOException {
    return PluginFigures.of(RunJson.parse(json), "i").orElseThrow();
  }
}
