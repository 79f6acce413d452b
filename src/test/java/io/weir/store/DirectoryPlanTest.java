package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.rate.ByteBudget;
import io.weir.store.DirectoryPlan.Layer;
import io.weir.store.DirectoryPlan.LayerReport;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.store.NIOFSDirectory;
import org.apache.lucene.store.NRTCachingDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryPlanTest {

  @TempDir Path temp;

  private final DirectoryPlan plan =
      DirectoryPlan.recommended(ByteBudget.unlimited()).withKeys(ResidentKeys.of("id"));

  @Test
  void over_filesThatHaveALayer_isRefused() throws Exception {
    try (Directory once = plan.over(new MMapDirectory(temp))) {
      IllegalArgumentException refused =
          assertThrows(IllegalArgumentException.class, () -> plan.over(once));
      assertTrue(
          refused.getMessage().startsWith("files must have no component of Weir"),
          refused.getMessage());
    }
  }

  @Test
  void over_aCacheThatHidesMerges_isRefused() throws Exception {
    try (Directory cache = new NRTCachingDirectory(new MMapDirectory(temp), 1, 1)) {
      IllegalArgumentException refused =
          assertThrows(IllegalArgumentException.class, () -> plan.over(cache));
      assertTrue(
          refused.getMessage().startsWith("an NRTCachingDirectory belongs above"),
          refused.getMessage());
    }
  }

  @Test
  void report_namesEachLayerFromTheFilesUp() throws Exception {
    try (Directory directory = plan.over(new MMapDirectory(temp))) {
      List<LayerReport> report = DirectoryPlan.report(directory);
      assertEquals(plan.layers(), report.stream().map(LayerReport::layer).toList());
      assertEquals("RESIDENT_KEYS: on, fields [id]", report.get(7).toString());
    }
  }

  @Test
  void report_whereThereIsNoDisk_saysWhatIsOffAndWhy() throws Exception {
    try (Directory directory = plan.over(new ByteBuffersDirectory())) {
      List<LayerReport> report = DirectoryPlan.report(directory);
      assertFalse(report.getFirst().active());
      assertEquals(
          "SMALL_FILES: off, ByteBuffersDirectory maps no files", report.getFirst().toString());
      assertFalse(report.get(3).active(), report.get(3).toString());
    }
  }

  @Test
  void withSmallFiles_andAPath_readsThemThereWhateverTheDirectorysClass() throws Exception {
    SmallFilesOptions options = SmallFilesOptions.DEFAULT;
    FilterDirectory ofAnEngine = new FilterDirectory(new NIOFSDirectory(temp)) {};
    try (Directory unknown = plan.withSmallFiles(options).over(ofAnEngine)) {
      assertFalse(DirectoryPlan.report(unknown).getFirst().active());
    }
    FilterDirectory again = new FilterDirectory(new NIOFSDirectory(temp)) {};

    try (Directory directory = plan.withSmallFiles(options, temp).over(again)) {
      try (IndexOutput out = directory.createOutput("small", IOContext.DEFAULT)) {
        out.writeInt(42);
      }
      try (IndexInput in = directory.openInput("small", IOContext.DEFAULT)) {
        assertEquals(42, in.readInt());
      }

      SmallFilesDirectory small =
          DirectoryPlan.find(directory, SmallFilesDirectory.class).orElseThrow();
      assertTrue(small.isActive(), small.reason());
      assertEquals(1, small.snapshot().readFiles());
      assertEquals(plan.layers(), plan.withSmallFiles(options, temp).layers());
    }
  }

  @Test
  void withSmallFiles_withoutAPathOrOptions_isRefused() {
    assertThrows(
        NullPointerException.class, () -> plan.withSmallFiles(SmallFilesOptions.DEFAULT, null));
    assertThrows(NullPointerException.class, () -> plan.withSmallFiles(null, temp));
  }

  @Test
  void plan_withoutALayer_hasAllOthersInOrder_andTheInstrumentBelowWriteback() throws Exception {
    DirectoryPlan changed =
        plan.without(Layer.PREFETCH).withInstrument(in -> new FilterDirectory(in) {});
    assertEquals(
        List.of(
            Layer.SMALL_FILES,
            Layer.DEFERRED_UNMAP,
            Layer.MERGE_READS,
            Layer.INSTRUMENT,
            Layer.WRITEBACK,
            Layer.FLUSHED_FILES,
            Layer.DEFERRED_SYNC,
            Layer.RATE_LIMIT,
            Layer.RESIDENT_KEYS),
        changed.layers());
    try (Directory directory = changed.over(new MMapDirectory(temp))) {
      assertEquals(Optional.empty(), DirectoryPlan.find(directory, PrefetchDirectory.class));
      WritebackDirectory writeback =
          DirectoryPlan.find(directory, WritebackDirectory.class).orElseThrow();
      assertTrue(writeback.getDelegate().getClass().isAnonymousClass());
    }
  }
}
