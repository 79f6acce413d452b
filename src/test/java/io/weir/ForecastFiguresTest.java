package io.weir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.engine.Figures;
import io.weir.figure.Shown;
import io.weir.merge.MergeLab;
import io.weir.metrics.DirectoryMetrics;
import io.weir.procfs.Procfs;
import io.weir.rate.ByteBudget;
import io.weir.run.MergeFigures;
import io.weir.run.Phase;
import io.weir.run.Values;
import io.weir.store.DirectoryPlan;
import io.weir.store.ForecastSnapshot;
import io.weir.store.MergePageCache;
import io.weir.store.WritebackDirectory;
import io.weir.stress.Await;
import io.weir.stress.arm.meters.MergeCounters;
import io.weir.stress.arm.meters.MergeMeter;
import io.weir.stress.arm.meters.MergeWindow;
import io.weir.suite.Slow;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where users see how good a forecast was, and that they do not where nothing is known. */
class ForecastFiguresTest {

  private static final int SEGMENTS = 3;
  private static final int DOCUMENTS = 3000; // of each segment
  private static final int STORED_BYTES = 10_000; // random: 30 MB a segment, 90 MB in all

  @TempDir Path temp;

  private static MergeWindow window(WritebackDirectory writeback) {
    MergeMeter meter = new MergeMeter(Procfs.SYSTEM, NanoClock.SYSTEM);
    return new MergeWindow(
        new MergeCounters(meter, Optional.empty()), Optional.of(writeback), NanoClock.SYSTEM);
  }

  private static WritebackDirectory writeback(Directory directory) {
    return DirectoryPlan.find(directory, WritebackDirectory.class).orElseThrow();
  }

  /** What Micrometer has of it, by the names in {@link ForecastSnapshot#FIGURES}. */
  private static Map<String, Long> meters(Directory directory) {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    try (DirectoryMetrics metrics = new DirectoryMetrics(directory, Tags.empty())) {
      metrics.bindTo(registry);
      return ForecastSnapshot.FIGURES
          .in(Shown.METER)
          .map(ForecastSnapshot.FIGURES::meter)
          .filter(name -> registry.find(name).functionCounter() != null)
          .collect(Collectors.toMap(name -> name, name -> count(registry, name)));
    }
  }

  private static long count(SimpleMeterRegistry registry, String name) {
    FunctionCounter counter = registry.get(name).functionCounter();
    return (long) counter.count();
  }

  private static void read(SearcherManager searchers) throws IOException {
    IndexSearcher searcher = searchers.acquire();
    try {
      for (int document = 0; document < DOCUMENTS; document++) {
        searcher.storedFields().document(document);
      }
    } finally {
      searchers.release(searcher);
    }
  }

  @Test
  @Slow("merges 90 MB, and searches for two seconds")
  void largeMerge_isMeasured_andShownByMetersAnswersAndRuns() throws Exception {
    try (Directory files = FSDirectory.open(temp)) {
      MergeLab.build(files, SEGMENTS, DOCUMENTS, MergeLab.stored(STORED_BYTES));
    }
    try (Weir weir = Weir.builder().open(temp)) {
      WritebackDirectory writeback = writeback(weir.directory());
      assumeTrue(writeback.forecastSnapshot().isPresent(), writeback.methodReason());
      IndexWriterConfig config = weir.configure(MergeLab.config(weir.scheduler()));
      IndexWriter writer = weir.own(new IndexWriter(weir.directory(), config));
      SearcherManager searchers = weir.own(new SearcherManager(writer, weir.searcherFactory()));
      weir.attach(searchers);
      read(searchers);
      MergeWindow window = window(writeback);
      window.begin(Phase.DURING);
      writer.forceMerge(1);
      window.begin(Phase.AFTER);
      searchers.maybeRefreshBlocking();
      Await.until(
          "measured",
          () -> {
            MergeLab.unchecked(() -> read(searchers));
            return writeback.forecastSnapshot().get().measuredMerges() > 0;
          });

      ForecastSnapshot found = writeback.forecastSnapshot().orElseThrow();
      assertEquals(0, found.unmeasuredMerges(), found::toString);
      assertTrue(found.examinedBytes() > 2L * DOCUMENTS * STORED_BYTES, found::toString);
      assertTrue(found.foretoldBytes() > 0, found::toString);
      assertTrue(found.hitBytes() <= found.usedBytes(), found::toString);
      Map<String, Object> answer = Figures.of(ForecastSnapshot.FIGURES, found);
      assertEquals(answer, Figures.ofLayers(weir.directory()).get("merge_forecast"));
      assertEquals(found.hitBytes(), answer.get("hit_bytes"));
      Map<String, Long> meters = meters(weir.directory());
      assertEquals(1, meters.get("lucene.merge.forecast.measured"), meters::toString);
      assertEquals(found.usedBytes(), meters.get("lucene.merge.forecast.used"));
      Values run = window.values();
      ForecastSnapshot none = new ForecastSnapshot(0, 0, 0, 0, 0, 0);
      MergeFigures.forecast().stream()
          .filter(figure -> figure.id().startsWith("merge.forecast."))
          .forEach(
              figure ->
                  assertEquals(
                      MergeFigures.FORECAST.between(none, found).get(figure), run.get(figure)));
      assertTrue(
          MergeFigures.forecast().stream()
              .anyMatch(
                  figure ->
                      figure.id().equals("merge.forecast.hitBytes")
                          && run.get(figure).equals(Optional.of(found.hitBytes()))),
          run::toString);
    }
  }

  /** All or none: a count of nothing would say that forecasts were bad. */
  @Test
  void figures_whereNothingCanBeMeasured_areAbsentEverywhere() throws IOException {
    DirectoryPlan plan = DirectoryPlan.recommended(ByteBudget.unlimited());
    try (FSDirectory files = FSDirectory.open(temp)) {
      for (DirectoryPlan each : List.of(plan, plan.withMergeReads(MergePageCache.KERNEL))) {
        Directory directory = each.over(files);
        boolean known = writeback(directory).forecastSnapshot().isPresent();
        assertEquals(
            known, Figures.ofLayers(directory).containsKey("merge_forecast"), each::toString);
        Set<String> all =
            ForecastSnapshot.FIGURES
                .in(Shown.METER)
                .map(ForecastSnapshot.FIGURES::meter)
                .collect(Collectors.toSet());
        assertEquals(known ? all : Set.of(), meters(directory).keySet());
        MergeWindow window = window(writeback(directory));
        window.begin(Phase.DURING);
        window.begin(Phase.AFTER);
        assertEquals(known, window.values().toString().contains("merge.forecast."));
      }
      assertTrue(
          writeback(plan.withMergeReads(MergePageCache.KERNEL).over(files))
              .forecastSnapshot()
              .isEmpty());
    }
  }
}
