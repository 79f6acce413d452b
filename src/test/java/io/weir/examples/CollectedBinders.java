package io.weir.examples;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.Weir;
import io.weir.metrics.BudgetMetrics;
import io.weir.metrics.WeirHistograms;
import io.weir.metrics.WeirMetrics;
import io.weir.nrt.ReopenMonitor;
import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.List;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.store.Directory;

/**
 * As in a framework that collects beans: each method of {@link Beans} is what would be a {@code
 * Bean} method in Spring Boot, which finds filters and binders by their type, gives them to its
 * registry, and closes what can be closed. Argument: where to put the index.
 */
final class CollectedBinders {

  private static final System.Logger LOGGER = System.getLogger(CollectedBinders.class.getName());

  private CollectedBinders() {}

  /** What the application declares. */
  record Beans(
      ByteBudget budget,
      Weir weir,
      Directory directory,
      IndexWriter writer,
      SearcherManager searchers,
      ReopenMonitor reopens) {

    static Beans at(Path path) throws IOException {
      ByteBudget budget = new ByteBudget(BudgetOptions.named("disk"));
      Weir weir = Weir.builder().budget(budget).open(path);
      Directory directory = weir.directory();
      IndexWriter writer = new IndexWriter(directory, weir.configure(new IndexWriterConfig()));
      SearcherManager searchers = new SearcherManager(writer, weir.searcherFactory());
      return new Beans(budget, weir, directory, writer, searchers, weir.attach(searchers));
    }

    MeterFilter weirHistograms() {
      return WeirHistograms.filter();
    }

    MeterBinder budgetMetrics() {
      return new BudgetMetrics(budget);
    }

    MeterBinder weirMetrics() {
      return new WeirMetrics(weir.scheduler(), directory, reopens, Tags.of("index", "products"));
    }
  }

  public static void main(String[] arguments) throws Exception {
    LOGGER.log(Level.INFO, run(Path.of(arguments[0])));
  }

  /** Plays the framework; returns what it has to say of it. */
  static String run(Path path) throws Exception {
    Beans beans = Beans.at(path);
    MeterRegistry registry = new SimpleMeterRegistry();
    registry.config().meterFilter(beans.weirHistograms());
    List<MeterBinder> binders = List.of(beans.budgetMetrics(), beans.weirMetrics());
    binders.forEach(binder -> binder.bindTo(registry));

    beans.writer().addDocument(new Document());
    beans.reopens().maybeRefreshBlocking();
    double reopens = registry.get("lucene.refresh").tag("result", "changed").timer().count();

    for (MeterBinder binder : binders) {
      ((AutoCloseable) binder).close();
    }
    beans.searchers().close();
    beans.reopens().close();
    beans.writer().close();
    beans.directory().close();
    return "%.0f reopen, %d meters left".formatted(reopens, registry.getMeters().size());
  }
}
