package io.weir.solr;

import io.weir.engine.Figures;
import io.weir.engine.SlowRefreshes;
import io.weir.nrt.MergedSegmentWarmer;
import java.io.Closeable;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.ref.WeakReference;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriter.IndexReaderWarmer;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LiveIndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.solr.core.CloseHook;
import org.apache.solr.core.SolrCore;
import org.apache.solr.schema.SchemaField;

/**
 * What Weir has of one loaded core: its refreshes, and the scheduler, the warmer and the directory
 * of its current index writer. Solr replaces the writer of a core when it reloads the core, rolls
 * back, or has copied an index from another node.
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> the core closes it with itself. A writer is held
 * weakly. <b>Failure:</b> a writer that cannot be adopted works without the figures of Weir; that
 * is logged once.
 */
final class WeirCore implements Closeable {

  private static final System.Logger LOGGER = System.getLogger(WeirNode.class.getPackageName());

  /** What belongs to one index writer. */
  record Writer(WeirMergeScheduler scheduler, MergedSegmentWarmer warmer, Directory directory) {}

  private static final AtomicLong LOADED = new AtomicLong();

  private final long number = LOADED.incrementAndGet();
  private final String name;
  private final WeirNode node;
  private final boolean mayWaitForMerges;
  private final Refreshes refreshes = new Refreshes();
  private final Optional<SlowRefreshes> slow;
  private volatile WeakReference<IndexWriter> adopted = new WeakReference<>(null);
  private volatile Optional<Writer> writer = Optional.empty(); // written under the lock of this
  private boolean faultLogged; // guarded by this

  /**
   * For a core of that name.
   *
   * @param mayWaitForMerges whether its configuration asks that commits wait for merges
   */
  private WeirCore(String name, WeirNode node, boolean mayWaitForMerges) {
    this.name = name;
    this.node = node;
    this.mayWaitForMerges = mayWaitForMerges;
    this.slow =
        SlowRefreshes.watch(
            name,
            refreshes.monitor(),
            node.slowRefresh(),
            () -> writer.map(w -> w.scheduler().running()).orElse(List.of()));
  }

  /** Begins to observe a core; its handler is added, and its end observed. */
  static WeirCore open(SolrCore core, WeirNode node) {
    WeirCore weir =
        new WeirCore(
            core.getName(), node, core.getSolrConfig().indexConfig.maxCommitMergeWaitMillis > 0);
    checkUniqueKey(core);
    core.addCloseHook(
        new CloseHook() {
          @Override
          public void preClose(SolrCore closing) {}

          @Override
          public void postClose(SolrCore closed) {
            weir.close();
          }
        });
    if (core.getRequestHandler(WeirHandler.PATH) == null) {
      core.registerRequestHandler(WeirHandler.PATH, new WeirHandler(weir, node));
    }
    return weir;
  }

  private static void checkUniqueKey(SolrCore core) {
    SchemaField unique = core.getLatestSchema().getUniqueKeyField();
    if (unique != null
        && core.getDirectoryFactory() instanceof WeirDirectoryFactory directories
        && !directories.keys().fields().contains(unique.getName())) {
      LOGGER.log(
          Level.WARNING,
          "{0}: the unique key {1} is not held in memory; add it to the keys of directoryFactory",
          core.getName(),
          unique.getName());
    }
  }

  /** Solr uses this writer from now on. Cheap if it has been adopted before. */
  void adopt(IndexWriter used) {
    if (adopted.get() != used) {
      adoptNew(used);
    }
  }

  private synchronized void adoptNew(IndexWriter used) {
    if (adopted.get() == used) {
      return;
    }
    adopted = new WeakReference<>(used);
    try {
      LiveIndexWriterConfig config = used.getConfig();
      MergedSegmentWarmer warmer = warmerOf(config);
      if (!mayWaitForMerges && config instanceof IndexWriterConfig whole) {
        whole.setMaxFullFlushMergeWaitMillis(0); // Lucene's default is 500
      }
      if (config.getMergeScheduler() instanceof WeirMergeScheduler scheduler) {
        writer = Optional.of(new Writer(scheduler, warmer, used.getDirectory()));
        node.add(this);
      } else {
        fault("mergeScheduler in indexConfig is not " + WeirMergeScheduler.class.getName(), null);
      }
    } catch (RuntimeException | LinkageError e) {
      fault("merges have no figures", e);
    }
  }

  private static MergedSegmentWarmer warmerOf(LiveIndexWriterConfig config) {
    IndexReaderWarmer before = config.getMergedSegmentWarmer();
    if (before instanceof MergedSegmentWarmer ours) {
      return ours;
    }
    MergedSegmentWarmer warmer =
        before == null ? new MergedSegmentWarmer() : new MergedSegmentWarmer(before);
    config.setMergedSegmentWarmer(warmer);
    return warmer;
  }

  private void fault(String what, Throwable failure) {
    if (!faultLogged) {
      faultLogged = true;
      LOGGER.log(Level.WARNING, name + ": " + what, failure);
    }
  }

  String name() {
    return name;
  }

  /**
   * Whether this was loaded after {@code other}. While Solr reloads a core, two of that name use
   * the same writer.
   */
  boolean isNewerThan(WeirCore other) {
    return number > other.number;
  }

  Refreshes refreshes() {
    return refreshes;
  }

  /** The current writer; empty if it has another scheduler. */
  Optional<Writer> writer() {
    return writer;
  }

  /** Cancels the forced merges; their number. */
  int cancelForcedMerges() throws IOException {
    Optional<Writer> current = writer;
    return current.isEmpty() ? 0 : current.get().scheduler().cancelForcedMerges();
  }

  /** The figures of the core, as they appear in the answer. */
  Map<String, Object> figures() {
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("name", name);
    figures.put("refresh", Figures.ofRefreshes(refreshes.monitor()));
    slow.ifPresent(refresh -> figures.put("slow_refreshes", refresh.figures()));
    writer.ifPresent(current -> addFigures(figures, current));
    return figures;
  }

  private static void addFigures(Map<String, Object> figures, Writer writer) {
    figures.put("merges", Figures.ofMerges(writer.scheduler()));
    writer
        .scheduler()
        .forcedMerge()
        .ifPresent(forced -> figures.put("forced_merge", Figures.ofForcedMerge(forced)));
    figures.put("warmed", Figures.ofWarmed(writer.warmer()));
    figures.putAll(Figures.ofLayers(writer.directory()));
  }

  @Override
  public void close() {
    node.remove(this);
    refreshes.close();
    slow.ifPresent(SlowRefreshes::close);
  }

  @Override
  public String toString() {
    return name;
  }
}
