package io.weir;

import io.weir.control.LatencyGoal;
import io.weir.control.MergeDeadline;
import io.weir.control.Percentile;
import io.weir.control.ReadersFirst;
import io.weir.control.ThreadReadMeter;
import io.weir.lucene.WriterReaders;
import io.weir.merge.MergeSchedulingClass;
import io.weir.merge.RateLimitedMergeScheduler;
import io.weir.nrt.MergedSegmentWarmer;
import io.weir.nrt.ReopenMonitor;
import io.weir.nrt.ReopenOptions;
import io.weir.nrt.ReopenPhases;
import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.ProcessorShare;
import io.weir.store.DirectoryPlan;
import io.weir.store.RateLimitedDirectory;
import io.weir.store.ResidentKeys;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
import org.apache.lucene.util.IOUtils;

/**
 * One index with the recommended setup of Weir: merges run under a budget, smooth their writes and
 * yield to readers, and reopens do not wait for them.
 *
 * <pre>{@code
 * Weir weir = Weir.builder().keys(ResidentKeys.of("id")).open(path);
 * IndexWriter writer =
 *     weir.own(new IndexWriter(weir.directory(), weir.configure(new IndexWriterConfig(analyzer))));
 * SearcherManager searchers = weir.own(new SearcherManager(writer, weir.searcherFactory()));
 * ReopenMonitor reopens = weir.attach(searchers);
 * weir.close();                        // the monitor, the searchers, the writer, the directory
 * }</pre>
 *
 * <p>Each part can be used alone; this only combines them. Meters take it: {@code new
 * WeirMetrics(weir).bindTo(registry)}. Set a query cache outside the heap on the searchers: {@code
 * io.weir.cache.OffHeapQueryCache} of the artifact {@code weir-query-cache}. Stock Lucene can read
 * the index. Lucene 9.12 to 10.6 work; what a version lacks is logged once, as INFO.
 *
 * <p>It serves one writer at a time. Another may follow when the first is closed.
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> it owns the directory, the monitor, the goal, the
 * deadline, and what it is given by {@link #own}. The application owns the budget, and the writer
 * and searchers that it does not give away. <b>Failure:</b> after {@link #close}, what would open
 * or change something throws {@link AlreadyClosedException}; figures stay.
 */
public final class Weir implements Closeable {

  private final Optional<String> name;
  private final ByteBudget budget;
  private final Optional<ResidentKeys> keys;
  private final Directory directory;
  private final Optional<RateLimitedDirectory> limited; // ours; empty if the directory is as it was
  private final RateLimitedMergeScheduler scheduler;
  private final boolean asking; // whether the merge policy shall be
  private final ReopenPhases phases = new ReopenPhases();
  private final ConfigCheck configured = new ConfigCheck();
  private final Object closing = new Object(); // taken before this; whoever closes has it

  // Guarded by this.
  private final Deque<AutoCloseable> parts = new ArrayDeque<>(); // the newest first
  private ReopenMonitor reopens; // the last one; null before, as the next two
  private LatencyGoal goal;
  private MergeDeadline deadline;
  private boolean closed;

  private Weir(Builder settings, Directory directory, boolean layered) {
    this.name = Optional.ofNullable(settings.name);
    this.budget =
        settings.budget == null
            ? new ByteBudget(BudgetOptions.named(name.orElse("merges")))
            : settings.budget;
    this.keys = Optional.ofNullable(settings.keys);
    this.directory = layered ? withLayers(directory) : directory;
    this.limited =
        layered ? DirectoryPlan.find(this.directory, RateLimitedDirectory.class) : Optional.empty();
    this.scheduler = new RateLimitedMergeScheduler(budget);
    scheduler.setYield(new ReadersFirst());
    scheduler.setReadMeter(new ThreadReadMeter());
    this.asking = settings.processors != null;
    Optional.ofNullable(settings.processors).ifPresent(scheduler::setProcessorShare);
    scheduler.addListener(configured);
    scheduler.whenUncharged(layered ? configured::onPlainDirectory : () -> {});
    limited.ifPresent(layer -> layer.whenUnclaimed(configured::unknownMerge));
    LuceneNote.log();
  }

  private Directory withLayers(Directory files) {
    DirectoryPlan plan = DirectoryPlan.recommended(budget);
    return keys.map(plan::withKeys).orElse(plan).over(files);
  }

  /** For one index or more. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * The settings of an index. Each can be set once. Each {@code open} is an index of its own, and
   * all of them share the budget that was set.
   *
   * <p><b>Threads:</b> one at a time.
   */
  public static final class Builder {

    private String name; // null: not set, as the others
    private ByteBudget budget;
    private ResidentKeys keys;
    private ProcessorShare processors;

    private Builder() {}

    /** The name of the index: the tag {@code index} of its meters, and in messages. */
    public Builder name(String name) {
      Objects.requireNonNull(name, "name");
      if (name.isBlank()) {
        throw new IllegalArgumentException("name must not be blank: \"" + name + '"');
      }
      requireFirst("name", this.name, name);
      this.name = name;
      return this;
    }

    /** The budget of its merges, which other indexes may share. Without one they have no cap. */
    public Builder budget(ByteBudget budget) {
      Objects.requireNonNull(budget, "budget");
      requireFirst("budget", this.budget == null ? null : this.budget.name(), budget.name());
      this.budget = budget;
      return this;
    }

    /** The keys by which documents are updated, deleted or looked up. Without, none are held. */
    public Builder keys(ResidentKeys keys) {
      Objects.requireNonNull(keys, "keys");
      requireFirst("keys", this.keys == null ? null : this.keys.fields(), keys.fields());
      this.keys = keys;
      return this;
    }

    /** What its merges may use of the processors, which other indexes may share. Default: all. */
    public Builder processors(ProcessorShare share) {
      Objects.requireNonNull(share, "share");
      requireFirst("processors", processors, share);
      this.processors = share;
      return this;
    }

    private static void requireFirst(String setting, Object before, Object now) {
      if (before != null) {
        throw new IllegalStateException(
            setting + " must be set once: " + before + " was set before " + now);
      }
    }

    /** Opens the index at {@code path}, on Lucene's default directory for this machine. */
    public Weir open(Path path) throws IOException {
      Objects.requireNonNull(path, "path");
      FSDirectory files = FSDirectory.open(path);
      try {
        return open(files);
      } catch (Throwable t) {
        try (files) {
          throw t;
        }
      }
    }

    /**
     * Opens the index in {@code files}, which belong to the result from then on. Put an {@code
     * NRTCachingDirectory} above {@link Weir#directory}, not here.
     *
     * @throws IllegalArgumentException if {@code files} has a layer of Weir already, or an {@code
     *     NRTCachingDirectory}
     */
    public Weir open(Directory files) {
      return new Weir(this, Objects.requireNonNull(files, "files"), true);
    }

    /**
     * Opens the index in a directory that must stay as it is. Merges are capped and yield, but
     * nothing below them is smoothed or held in memory.
     *
     * @throws IllegalStateException if keys are set, as nothing would hold them
     */
    public Weir openAsIs(Directory files) {
      Objects.requireNonNull(files, "files");
      if (keys != null) {
        throw new IllegalStateException(
            "keys must not be set for a directory that stays as it is, which holds none in memory: "
                + keys.fields());
      }
      return new Weir(this, files, false);
    }
  }

  /** The name that was set. */
  public Optional<String> name() {
    return name;
  }

  /** The budget of this index's merges. */
  public ByteBudget budget() {
    return budget;
  }

  /** For the writer and for readers; closed by {@link #close}, or before. */
  public Directory directory() {
    requireOpen();
    return directory;
  }

  /** The scheduler of merges: their progress, their caps, the end of forced ones. */
  public RateLimitedMergeScheduler scheduler() {
    return scheduler;
  }

  /** The monitor of the last {@link #attach}; empty before. */
  public synchronized Optional<ReopenMonitor> reopens() {
    return Optional.ofNullable(reopens);
  }

  /**
   * The layers of the directory, one a line, from the files upwards: whether each does something
   * here, and why not. A line about the scheduling class of merges follows if it was set.
   */
  public String report() {
    MergeSchedulingClass idle = MergeSchedulingClass.ofThisProcess();
    return Stream.concat(
            DirectoryPlan.report(directory).stream().map(DirectoryPlan.LayerReport::toString),
            scheduler.hasIdleClass()
                ? Stream.of("IDLE_CLASS" + (idle.isActive() ? ": on, " : ": off, ") + idle.reason())
                : Stream.of())
        .collect(Collectors.joining("\n"));
  }

  /**
   * Sets on {@code config}: the merge scheduler, which replaces the current one; a maximum wait of
   * 0 for merges in reopens and commits; and around the current ones a merged-segment warmer, an
   * info stream, a codec that keeps keys in files of their own, and, with a share of the
   * processors, a merge policy that asks the scheduler.
   *
   * <p>Call it last: later settings replace these. A warning is then logged at the first merge, or
   * when {@link #attach} is called.
   *
   * @return {@code config}
   * @throws IllegalArgumentException if there are keys and the current codec does not choose the
   *     postings format per field
   * @throws IllegalStateException if a writer is open on this index: close it first
   */
  public IndexWriterConfig configure(IndexWriterConfig config) {
    Objects.requireNonNull(config, "config");
    requireOpen();
    if (hasWriter()) {
      throw new IllegalStateException(
          "a Weir must serve one writer at a time: that of "
              + this
              + " is open; close it first. For another index open a Weir of its own, which may"
              + " share the ByteBudget");
    }
    keys.ifPresent(k -> config.setCodec(k.codec(config.getCodec())));
    MergedSegmentWarmer.addTo(config);
    if (asking) {
      config.setMergePolicy(scheduler.asking(config.getMergePolicy()));
    }
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
   * Monitors the reopens of {@code manager}, including their phases.
   *
   * @param manager of searchers or readers of this index
   * @throws IllegalStateException if another manager is monitored; close that monitor first
   */
  public <G> ReopenMonitor attach(ReferenceManager<G> manager) {
    Objects.requireNonNull(manager, "manager");
    requireOpen();
    inspect(manager);
    synchronized (this) {
      ReopenMonitor before = reopens;
      reopens = ReopenMonitor.attach(manager, ReopenOptions.defaults().withPhases(phases));
      return instead(before, reopens);
    }
  }

  /** Warns if the readers of {@code manager} show that the writer is not on this directory. */
  private <G> void inspect(ReferenceManager<G> manager) {
    boolean ofWriter = hasWriter();
    try {
      G reference = manager.acquire();
      try {
        IndexReader reader =
            reference instanceof IndexSearcher searcher
                ? searcher.getIndexReader()
                : reference instanceof IndexReader itself ? itself : null;
        if (reader instanceof DirectoryReader ofIndex) {
          ofWriter = WriterReaders.isOfWriter(ofIndex);
          if (limited.isPresent()
              && DirectoryPlan.find(ofIndex.directory(), RateLimitedDirectory.class).isEmpty()) {
            configured.onPlainDirectory();
          }
        }
      } finally {
        manager.release(reference);
      }
    } catch (IOException | AlreadyClosedException unknown) {
      ofWriter = false; // the monitor will see it too
    }
    configured.attached(ofWriter);
  }

  /**
   * Sets the rate so that merges are as fast as reopens allow. The result may be closed before.
   *
   * @throws IllegalStateException if no monitor is attached; or if a goal sets this budget already:
   *     let that hold this index's reopens as well
   */
  public LatencyGoal hold(Percentile percentile, Duration limit) {
    Objects.requireNonNull(percentile, "percentile");
    Objects.requireNonNull(limit, "limit");
    requireOpen();
    ReopenMonitor monitor =
        reopens()
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "a goal needs measured reopens: call attach first, for " + this));
    synchronized (this) {
      LatencyGoal before = goal;
      goal = LatencyGoal.hold(monitor, percentile, limit, scheduler);
      return instead(before, goal);
    }
  }

  /**
   * Paces forced merges so that they finish by a deadline, and no faster than that needs. Call it
   * before {@code forceMerge}, and close the result when that has returned.
   */
  public MergeDeadline finishForcedMergesBy(Instant time) {
    Objects.requireNonNull(time, "time");
    requireOpen();
    synchronized (this) {
      MergeDeadline before = deadline;
      deadline = MergeDeadline.by(time, scheduler);
      return instead(before, deadline);
    }
  }

  /**
   * Gives {@code part} to this index: {@link #close} closes it, before what it was given earlier
   * and before the directory. It may be closed before; {@link #disown} then forgets it.
   *
   * @return {@code part}
   * @throws AlreadyClosedException if this is closed; then {@code part} has been closed too
   */
  public <P extends AutoCloseable> P own(P part) {
    Objects.requireNonNull(part, "part");
    return instead(part, part);
  }

  /** Takes {@code part} back, to be closed by the application; nothing if it is not owned. */
  public synchronized void disown(AutoCloseable part) {
    Objects.requireNonNull(part, "part");
    parts.removeIf(owned -> owned == part);
  }

  /** Owns {@code part}, and {@code before} no longer, which may be null or the same. */
  private <P extends AutoCloseable> P instead(P before, P part) {
    synchronized (this) {
      if (!closed) {
        parts.removeIf(owned -> owned == before);
        parts.push(part);
        return part;
      }
    }
    AlreadyClosedException refusal = alreadyClosed();
    end(part, refusal);
    throw refusal;
  }

  /**
   * Closes what this owns, the newest first: what was {@link #own given} to it, the monitor, the
   * goal, the deadline, and at last the directory. A part that throws holds up no other; the first
   * exception is thrown, and has the others suppressed. A writer among the parts waits for its
   * running merges, which finish at full speed.
   *
   * <p>It may be called again, from any thread; who comes second waits for the first.
   *
   * @throws IllegalStateException if a writer that this does not own is open. All but the directory
   *     is closed then; close the writer, and this again
   */
  @Override
  public void close() throws IOException {
    synchronized (closing) {
      Throwable first = null;
      for (AutoCloseable part = takeNewest(); part != null; part = takeNewest()) {
        first = end(part, first); // which may close this once more, on the same thread
      }
      first = end(this::closeDirectory, first);
      if (first != null) {
        throw IOUtils.rethrowAlways(first);
      }
    }
  }

  private synchronized AutoCloseable takeNewest() {
    closed = true;
    return parts.poll();
  }

  private void closeDirectory() throws IOException {
    if (hasWriter()) {
      throw new IllegalStateException(
          "a writer must be closed before its directory: that of "
              + this
              + " is open. Close it, then the Weir again; or give the writer to Weir.own");
    }
    directory.close();
  }

  /** Closes one part, and returns the first failure of all. */
  private static Throwable end(AutoCloseable part, Throwable first) {
    try {
      part.close();
    } catch (Throwable failure) {
      if (first == null) {
        return failure;
      }
      if (failure != first) {
        first.addSuppressed(failure);
      }
    }
    return first;
  }

  /** Whether an open writer has the lock of this index. */
  private boolean hasWriter() {
    return limited.filter(RateLimitedDirectory::hasWriter).isPresent();
  }

  private synchronized void requireOpen() {
    if (closed) {
      throw alreadyClosed();
    }
  }

  private AlreadyClosedException alreadyClosed() {
    return new AlreadyClosedException("this Weir is closed: " + this);
  }

  /** The name and the files of the index. */
  @Override
  public String toString() {
    String files = FilterDirectory.unwrap(directory).toString();
    return name.map(named -> named + " in " + files).orElse(files);
  }
}
