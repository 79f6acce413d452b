package io.weir;

import io.weir.control.LatencyGoal;
import io.weir.control.MergeDeadline;
import io.weir.control.Percentile;
import io.weir.control.ReadersFirst;
import io.weir.control.ThreadReadMeter;
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
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ReferenceManager;
import org.apache.lucene.search.SearcherFactory;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;

/**
 * The recommended setup of Weir for one index: merges run under a budget, smooth their writes and
 * yield to readers, and reopens do not wait for them.
 *
 * <pre>{@code
 * ByteBudget budget = ByteBudget.unlimited();            // or a cap; shared by any number of indexes
 * Weir weir = new Weir(budget, ResidentKeys.of("id"));   // one for each index
 * Directory directory = weir.directory(path);
 * IndexWriter writer = new IndexWriter(directory, weir.configure(new IndexWriterConfig(analyzer)));
 * SearcherManager searchers = new SearcherManager(writer, weir.searcherFactory());
 * ReopenMonitor reopens = weir.attach(searchers);
 * }</pre>
 *
 * <p>Each part can be used alone; this class only combines them in the required order. Set a query
 * cache outside the heap on the searchers: {@code io.weir.cache.OffHeapQueryCache} of the artifact
 * {@code weir-query-cache}. Stock Lucene can read the index. Lucene 9.12 to 10.6 work; what a
 * version lacks is logged once, as INFO.
 *
 * <p>It serves one index and one writer at a time. Another index may follow when the directories of
 * the first are closed, and another writer when the first is closed.
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> needs no close; the caller owns the objects that it
 * creates. Close the searchers and the monitor, then the writer, then the directory.
 */
public final class Weir {

  private final ByteBudget budget;
  private final RateLimitedMergeScheduler scheduler;
  private final Optional<ResidentKeys> keys;
  private final ReopenPhases phases = new ReopenPhases();
  private final ConfigCheck configured = new ConfigCheck();
  private final OpenIndex index = new OpenIndex();

  /** For an index without a primary key, or one that only adds. */
  public Weir(ByteBudget budget) {
    this(budget, Optional.empty());
  }

  /** For an index whose documents are updated, deleted or looked up by {@code keys}. */
  public Weir(ByteBudget budget, ResidentKeys keys) {
    this(budget, Optional.of(Objects.requireNonNull(keys, "keys")));
  }

  private Weir(ByteBudget budget, Optional<ResidentKeys> keys) {
    LuceneNote.log();
    this.budget = Objects.requireNonNull(budget, "budget");
    this.scheduler = new RateLimitedMergeScheduler(budget);
    this.keys = keys;
    scheduler.setYield(new ReadersFirst());
    scheduler.setReadMeter(new ThreadReadMeter());
    scheduler.addListener(configured);
    scheduler.whenUncharged(configured::onPlainDirectory);
  }

  /** The budget of this index's merges, which other indexes may share. */
  public ByteBudget budget() {
    return budget;
  }

  /**
   * The scheduler that {@link #configure} sets; it reports the progress of merges and cancels
   * forced ones.
   */
  public RateLimitedMergeScheduler scheduler() {
    return scheduler;
  }

  /**
   * The directory for the index at {@code path}, on Lucene's default for this machine.
   *
   * @throws IllegalStateException if a directory of another index is open: make a Weir for each
   *     index, and let them share the budget
   */
  public Directory directory(Path path) throws IOException {
    Objects.requireNonNull(path, "path");
    FSDirectory files = FSDirectory.open(path);
    try {
      return directory(files);
    } catch (Throwable t) {
      try (files) {
        throw t;
      }
    }
  }

  /**
   * The directory to give to the writer and to readers.
   *
   * @param files the directory of the index; closing the result closes it. Put an {@code
   *     NRTCachingDirectory} above the result, not here
   * @throws IllegalStateException if a directory of another index is open, as above
   */
  public Directory directory(Directory files) {
    Objects.requireNonNull(files, "files");
    index.requireFor(files);
    DirectoryPlan plan = DirectoryPlan.recommended(budget);
    Directory directory = keys.map(plan::withKeys).orElse(plan).over(files);
    RateLimitedDirectory limited =
        DirectoryPlan.find(directory, RateLimitedDirectory.class).orElseThrow();
    limited.whenUnclaimed(configured::unknownMerge);
    index.opened(limited);
    return directory;
  }

  /**
   * Sets on {@code config}: the merge scheduler, which replaces the current one; a merged-segment
   * warmer, which calls the current one; a maximum wait of 0 for merges in reopens and commits; a
   * codec that keeps keys in files of their own, around the current one; and an info stream, which
   * passes messages to the current one.
   *
   * <p>Call it last: later settings replace these. A warning is then logged at the first merge, or
   * when {@link #attach} is called.
   *
   * @return {@code config}
   * @throws IllegalArgumentException if there are keys and the current codec does not choose the
   *     postings format per field
   * @throws IllegalStateException if a writer is open on a directory of this Weir: close it first,
   *     or make a Weir for each index
   */
  public IndexWriterConfig configure(IndexWriterConfig config) {
    Objects.requireNonNull(config, "config");
    index.requireNoWriter();
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
   * A factory of Lucene's own searchers that lets the monitor measure when a new one becomes
   * visible, and how long its creation takes.
   */
  public SearcherFactory searcherFactory() {
    return phases.searcherFactory();
  }

  /**
   * The same for searchers of an application's own.
   *
   * @param factory creates the searchers
   */
  public SearcherFactory searcherFactory(SearcherFactory factory) {
    return phases.searcherFactory(Objects.requireNonNull(factory, "factory"));
  }

  /**
   * Lets merges run as fast as the latency of reopens allows: sets the rate of the budget so that
   * the percentile stays within the limit. Close the result before the writer.
   *
   * @throws IllegalStateException if a goal sets this budget already; let that hold this index's
   *     reopens as well
   */
  public LatencyGoal hold(ReopenMonitor reopens, Percentile percentile, Duration limit) {
    Objects.requireNonNull(reopens, "reopens");
    Objects.requireNonNull(limit, "limit");
    return LatencyGoal.hold(reopens, percentile, limit, scheduler);
  }

  /**
   * Paces forced merges so that they finish by a deadline, and no faster than that needs. Call it
   * before {@code forceMerge}, and close the result when that has returned.
   */
  public MergeDeadline finishForcedMergesBy(Instant deadline) {
    Objects.requireNonNull(deadline, "deadline");
    return MergeDeadline.by(deadline, scheduler);
  }

  /**
   * Monitors the reopens of {@code manager}, including their phases.
   *
   * @param manager of searchers or readers of a writer that was configured here
   * @throws IllegalStateException if another manager is monitored; close that monitor first
   */
  public <G> ReopenMonitor attach(ReferenceManager<G> manager) {
    Objects.requireNonNull(manager, "manager");
    configured.attached();
    if (isOnPlainDirectory(manager)) {
      configured.onPlainDirectory();
    }
    return ReopenMonitor.attach(manager, ReopenOptions.defaults().withPhases(phases));
  }

  /**
   * Whether the readers of {@code manager} are known, and are on a directory without our layers.
   */
  private static <G> boolean isOnPlainDirectory(ReferenceManager<G> manager) {
    try {
      G reference = manager.acquire();
      try {
        IndexReader reader =
            reference instanceof IndexSearcher searcher
                ? searcher.getIndexReader()
                : reference instanceof IndexReader itself ? itself : null;
        return reader instanceof DirectoryReader ofIndex
            && DirectoryPlan.find(ofIndex.directory(), RateLimitedDirectory.class).isEmpty();
      } finally {
        manager.release(reference);
      }
    } catch (IOException | AlreadyClosedException unknown) {
      return false; // the monitor will see it too
    }
  }

  /**
   * The index that is served: that of the directories which are open.
   *
   * <p>A directory that was dropped without a close does not count once it is collected.
   */
  private static final class OpenIndex {

    private static final String REMEDY =
        "make a Weir for each index, which may share the ByteBudget: new Weir(budget)";

    private final List<WeakReference<RateLimitedDirectory>> known = new ArrayList<>(); // as below

    /** Refuses the directory of another index than the open one. */
    synchronized void requireFor(Directory files) {
      for (RateLimitedDirectory open : open()) {
        if (!identity(open).equals(identity(files))) {
          throw new IllegalStateException(
              "a Weir must serve one index at a time: "
                  + identity(open)
                  + " is open, so "
                  + identity(files)
                  + " cannot be; close the first, or "
                  + REMEDY);
        }
      }
    }

    synchronized void opened(RateLimitedDirectory directory) {
      known.add(new WeakReference<>(directory));
    }

    /** Refuses a second writer. */
    synchronized void requireNoWriter() {
      for (RateLimitedDirectory open : open()) {
        if (open.hasWriter()) {
          throw new IllegalStateException(
              "a Weir must serve one writer at a time: that of "
                  + identity(open)
                  + " is open; close it first. For another index "
                  + REMEDY);
        }
      }
    }

    private List<RateLimitedDirectory> open() {
      List<RateLimitedDirectory> open = new ArrayList<>();
      known.removeIf(
          reference -> {
            RateLimitedDirectory directory = reference.get();
            if (directory == null || !directory.isOpen()) {
              return true;
            }
            open.add(directory);
            return false;
          });
      return open;
    }

    /** The path of files, which several directories may have; else the directory itself. */
    private static Object identity(Directory directory) {
      Directory files = FilterDirectory.unwrap(directory);
      return files instanceof FSDirectory onDisk ? onDisk.getDirectory() : files;
    }
  }
}
