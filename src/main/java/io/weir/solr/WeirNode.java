package io.weir.solr;

import io.weir.control.ReadersFirst;
import io.weir.engine.Figures;
import io.weir.engine.NodeCap;
import io.weir.jmx.ByteBudgetBean;
import io.weir.jmx.ProcessorShareBean;
import io.weir.lucene.LuceneGaps;
import io.weir.rate.BudgetOptions;
import io.weir.rate.BudgetOptions.Counting;
import io.weir.rate.ByteBudget;
import io.weir.rate.ProcessorShare;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * What the cores of a node share: the budget, shown in JMX, and the exporter. Solr makes the other
 * parts by class name, so they find it here.
 *
 * <p>There is one for each copy of Weir's classes. A copy in the directory of a core is of that
 * core alone, so Weir belongs into a directory that all cores share.
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> lives as long as the process. <b>Failure:</b> a wrong
 * setting is refused each time that a core loads, by name. A budget that JMX refuses and a port
 * that is not free are logged; everything else works.
 */
final class WeirNode {

  private static final System.Logger LOGGER = System.getLogger(WeirNode.class.getPackageName());

  private static WeirNode shared; // guarded by the class; null before the first use

  private final ByteBudget budget;
  private final NodeCap cap;
  private final ProcessorShare processors;
  private final ReadersFirst readersFirst = new ReadersFirst();
  private final boolean idleClass;
  private final Duration slowRefresh;
  private final Optional<WeirExporter> exporter;

  private WeirNode(WeirSettings settings) {
    this.budget =
        new ByteBudget(
            BudgetOptions.named("node")
                .withRate(settings.cap())
                .counting(Counting.ofReads(settings.countsReads())));
    this.cap = new NodeCap(budget, settings.zone());
    cap.setSchedule(settings.schedule());
    this.processors = ProcessorShare.of(settings.cores());
    this.idleClass = settings.idleClass();
    this.slowRefresh = settings.slowRefresh();
    this.exporter = exporter(settings, budget, processors);
    showInJmx(budget, processors);
  }

  /**
   * The node of this process.
   *
   * @throws IllegalArgumentException if a setting is wrong
   */
  static synchronized WeirNode get() {
    if (shared == null) {
      shared = new WeirNode(WeirSettings.read(System::getProperty));
    }
    return shared;
  }

  private static Optional<WeirExporter> exporter(
      WeirSettings settings, ByteBudget budget, ProcessorShare processors) {
    if (settings.metricsPort() < 0) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          WeirExporter.start(settings.metricsHost(), settings.metricsPort(), budget, processors));
    } catch (IOException | RuntimeException | LinkageError e) {
      LOGGER.log(Level.ERROR, WeirSettings.METRICS_PORT + ": there are no metrics", e);
      return Optional.empty();
    }
  }

  private static void showInJmx(ByteBudget budget, ProcessorShare processors) {
    try {
      ByteBudgetBean.register(budget);
      ProcessorShareBean.register(processors, budget.name());
    } catch (IllegalStateException e) {
      LOGGER.log(
          Level.WARNING,
          "the budget of merges is not in JMX; if another copy of Weir is loaded, the two have a"
              + " cap each: keep one jar, in a lib directory that all cores share",
          e);
    } catch (SecurityException e) {
      LOGGER.log(Level.WARNING, "the budget of merges is not in JMX", e);
    }
  }

  /** What all merges of this node share. */
  ByteBudget budget() {
    return budget;
  }

  /** Sets the rate of that budget. */
  NodeCap cap() {
    return cap;
  }

  /** What all merges of this node may use of the processors. */
  ProcessorShare processors() {
    return processors;
  }

  /** Makes merges yield to readers. */
  ReadersFirst readersFirst() {
    return readersFirst;
  }

  /** Whether merges compute in the idle class. */
  boolean idleClass() {
    return idleClass;
  }

  /** From when on a refresh is slow; negative if none is. */
  Duration slowRefresh() {
    return slowRefresh;
  }

  /** Shows the meters of a core, of its present writer. */
  void add(WeirCore core) {
    exporter.ifPresent(meters -> meters.add(core));
  }

  /** Removes the meters of a core. */
  void remove(WeirCore core) {
    exporter.ifPresent(meters -> meters.remove(core));
  }

  /** The figures of the node, as they appear in the answer. */
  Map<String, Object> figures() {
    Map<String, Object> figures =
        Figures.ofNode(budget, cap, processors, true, readersFirst, idleClass);
    figures.put("lucene", Figures.of("version", LuceneGaps.version(), "missing", LuceneGaps.all()));
    return figures;
  }
}
