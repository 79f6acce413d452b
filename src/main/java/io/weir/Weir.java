package io.weir;

import io.weir.control.ReadersFirst;
import io.weir.merge.RateLimitedMergeScheduler;
import io.weir.nrt.MergedSegmentWarmer;
import io.weir.nrt.ReopenMonitor;
import io.weir.nrt.ReopenOptions;
import io.weir.nrt.ReopenPhases;
import io.weir.rate.ByteBudget;
import io.weir.store.DirectoryPlan;
import io.weir.store.RateLimitedDirectory;
import io.weir.store.ResidentKeys;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.ReferenceManager;
import org.apache.lucene.search.SearcherFactory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/**
 * All of Weir for one index, as recommended: merges under a budget, their writes smoothed, standing
 * aside for readers, and reopens that do not wait for them.
 *
 * <pre>{@code
 * ByteBudget budget = ByteBudget.unlimited();            // or a cap; shared by any number of indexes
 * Weir weir = new Weir(budget, ResidentKeys.of("id"));   // one for each index
 * Directory directory = weir.directory(path);
 * IndexWriter writer = new IndexWriter(directory, weir.configure(new IndexWriterConfig(analyzer)));
 * SearcherManager searchers = new SearcherManager(writer, weir.searcherFactory(null));
 * ReopenMonitor reopens = weir.attach(searchers);
 * }</pre>
 *
 * <p>Each of the parts can be used alone; this only puts them together, in the order that they need
 * to be in. The index it writes is a stock index.
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> owns nothing that needs a close; what it makes is the
 * caller's. Close the searchers and the monitor, then the writer, then the directory.
 */
public final class Weir {

  private final ByteBudget budget;
  private final RateLimitedMergeScheduler scheduler;
  private final Optional<ResidentKeys> keys;
  private final ReopenPhases phases = new ReopenPhases();
  private final ConfigCheck configured = new ConfigCheck();

  /** For an index without a primary key, or one that only adds. */
  public Weir(ByteBudget budget) {
    this(budget, Optional.empty());
  }

  /** For an index whose documents are updated, deleted or looked up by {@code keys}. */
  public Weir(ByteBudget budget, ResidentKeys keys) {
    this(budget, Optional.of(keys));
  }

  private Weir(ByteBudget budget, Optional<ResidentKeys> keys) {
    this.budget = Objects.requireNonNull(budget, "budget");
    this.scheduler = new RateLimitedMergeScheduler(budget);
    this.keys = keys;
    scheduler.setYield(new ReadersFirst());
    scheduler.addListener(configured);
  }

  /** What the merges of this index share with those of others. */
  public ByteBudget budget() {
    return budget;
  }

  /** What {@link #configure} sets: shows the progress of merges, cancels forced ones. */
  public RateLimitedMergeScheduler scheduler() {
    return scheduler;
  }

  /** The directory for the index at {@code path}, on Lucene's default for this machine. */
  public Directory directory(Path path) throws IOException {
    return directory(FSDirectory.open(path));
  }

  /**
   * The directory to give to the writer and to readers.
   *
   * @param files where the index is; closed when the result is closed. An {@code
   *     NRTCachingDirectory} belongs above the result, not here
   */
  public Directory directory(Directory files) {
    DirectoryPlan plan = DirectoryPlan.recommended(budget);
    Directory directory = keys.map(plan::withKeys).orElse(plan).over(files);
    DirectoryPlan.find(directory, RateLimitedDirectory.class)
        .orElseThrow()
        .whenUnclaimed(configured::unknownMerge);
    return directory;
  }

  /**
   * Sets on {@code config} the merge scheduler, in place of the one that is set; a merged-segment
   * warmer that goes on to the one that is set; that reopens and commits do not wait for merges;
   * the codec that keeps keys apart, over the one that is set; and an info stream that goes on to
   * the one that is set.
   *
   * <p>Call it last: what is set afterwards replaces what it has set, and that is logged as a
   * warning at the first merge, or when {@link #attach} is called.
   *
   * @return {@code config}
   * @throws IllegalArgumentException when the codec that is set does not choose the postings format
   *     by field, and there are keys
   */
  public IndexWriterConfig configure(IndexWriterConfig config) {
    keys.ifPresent(k -> config.setCodec(k.codec(config.getCodec())));
    MergedSegmentWarmer.addTo(config);
    config
        .setMergeScheduler(scheduler)
        .setMaxFullFlushMergeWaitMillis(0)
        .setInfoStream(phases.infoStream(config.getInfoStream()));
    configured.remember(config, keys.isPresent());
    return config;
  }

  /**
   * A factory that lets the monitor tell when a new searcher is visible, and how long it took to
   * make.
   *
   * @param factory what makes the searchers; null for Lucene's own
   */
  public SearcherFactory searcherFactory(SearcherFactory factory) {
    return phases.searcherFactory(factory);
  }

  /**
   * Watches the reopens of {@code manager}, phases and all.
   *
   * @param manager of searchers or readers on a writer that was configured here
   * @throws IllegalStateException when another is watched; close that monitor first
   */
  public <G> ReopenMonitor attach(ReferenceManager<G> manager) {
    configured.check();
    return ReopenMonitor.attach(manager, ReopenOptions.defaults().withPhases(phases));
  }
}
