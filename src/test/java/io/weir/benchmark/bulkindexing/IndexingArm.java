package io.weir.benchmark.bulkindexing;

import io.weir.Weir;
import io.weir.control.ReadersFirst;
import io.weir.merge.RateLimitedMergeScheduler;
import io.weir.nrt.MergedSegmentWarmer;
import io.weir.nrt.ReopenPhases;
import io.weir.rate.ByteBudget;
import io.weir.store.DirectoryPlan;
import io.weir.store.ResidentKeys;
import io.weir.stress.index.IndexSchema;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/**
 * A way to index: {@code stock} Lucene, {@code weir} as the README has it, and {@code no-PART} or
 * {@code no-PART+PART} for the parts of Weir less those.
 *
 * @param name as it is called on the command line
 * @param parts of Weir that it has
 */
record IndexingArm(String name, Set<Part> parts) {

  static final IndexingArm STOCK = new IndexingArm("stock", Set.of());

  /** Stock Lucene in a JVM with the agent, which measures it. */
  static final IndexingArm AGENT = new IndexingArm("agent", Set.of());

  static final IndexingArm WEIR = new IndexingArm("weir", Part.ALL);

  private static final String WITHOUT = "no-";

  /**
   * The arm of that name.
   *
   * @throws IllegalArgumentException when there is none
   */
  static IndexingArm of(String name) {
    for (IndexingArm arm : new IndexingArm[] {STOCK, WEIR, AGENT}) {
      if (arm.name.equals(name)) {
        return arm;
      }
    }
    if (!name.startsWith(WITHOUT)) {
      throw new IllegalArgumentException(
          "an arm must be stock, weir, agent or no-PART[+PART...] with a PART of "
              + Part.ALL.stream().map(Part::label).collect(Collectors.joining(", "))
              + ": "
              + name);
    }
    EnumSet<Part> without =
        Arrays.stream(name.substring(WITHOUT.length()).split("\\+"))
            .map(Part::of)
            .collect(Collectors.toCollection(() -> EnumSet.noneOf(Part.class)));
    return new IndexingArm(name, EnumSet.complementOf(without));
  }

  /** Whether it is Weir less some of its parts. */
  boolean isWithoutAPart() {
    return name.startsWith(WITHOUT);
  }

  boolean has(Part part) {
    return parts.contains(part);
  }

  /** The directory to index into, and in {@code config} what goes with it. */
  Directory open(Path path, IndexWriterConfig config) throws IOException {
    if (equals(AGENT)) {
      return FSDirectory.open(path);
    }
    if (equals(STOCK)) {
      config.setMergeScheduler(new ConcurrentMergeScheduler() {}); // an agent leaves it alone
    }
    if (!equals(WEIR)) {
      return openParts(FSDirectory.open(path), config);
    }
    Weir weir = Weir.builder().keys(IndexSchema.residentKeys()).open(path);
    weir.configure(config);
    return weir.directory();
  }

  /**
   * Checks that {@code writer} is one of this arm.
   *
   * @throws IOException if the agent was to measure it and does not
   */
  void check(IndexWriter writer) throws IOException {
    String scheduler = writer.getConfig().getMergeScheduler().getClass().getName();
    if (equals(AGENT) && !scheduler.startsWith("io.weir.")) {
      throw new IOException(
          "the agent does not measure this writer; its scheduler is " + scheduler);
    }
  }

  /** The parts one by one. */
  Directory openParts(Directory files, IndexWriterConfig config) {
    ByteBudget budget = ByteBudget.unlimited();
    DirectoryPlan plan = DirectoryPlan.recommended(budget);
    if (!has(Part.SMALL_FILES)) {
      plan = plan.without(DirectoryPlan.Layer.SMALL_FILES);
    }
    if (!has(Part.FLUSHED_FILES)) {
      plan = plan.without(DirectoryPlan.Layer.FLUSHED_FILES);
    }
    if (!has(Part.DEFERRED_SYNC)) {
      plan = plan.without(DirectoryPlan.Layer.DEFERRED_SYNC);
    }
    if (!has(Part.UNMAP)) {
      plan = plan.without(DirectoryPlan.Layer.DEFERRED_UNMAP);
    }
    if (!has(Part.WRITEBACK)) {
      plan = plan.without(DirectoryPlan.Layer.WRITEBACK);
    }
    if (!has(Part.PREFETCH)) {
      plan = plan.without(DirectoryPlan.Layer.PREFETCH);
    }
    if (!has(Part.READERS_FIRST) || !has(Part.BUDGET)) {
      plan = plan.without(DirectoryPlan.Layer.MERGE_READS);
    }
    if (has(Part.BUDGET)) {
      RateLimitedMergeScheduler scheduler = new RateLimitedMergeScheduler(budget);
      if (has(Part.READERS_FIRST)) {
        scheduler.setYield(new ReadersFirst());
      }
      config.setMergeScheduler(scheduler);
    } else {
      plan = plan.without(DirectoryPlan.Layer.RATE_LIMIT);
    }
    if (has(Part.KEYS)) {
      ResidentKeys keys = IndexSchema.residentKeys();
      plan = plan.withKeys(keys);
      config.setCodec(keys.codec());
    }
    if (has(Part.WARMER)) {
      MergedSegmentWarmer.addTo(config);
    }
    if (has(Part.NO_FLUSH_WAIT)) {
      config.setMaxFullFlushMergeWaitMillis(0);
    }
    if (has(Part.PHASES)) {
      config.setInfoStream(new ReopenPhases().infoStream(config.getInfoStream()));
    }
    return plan.over(files);
  }
}
