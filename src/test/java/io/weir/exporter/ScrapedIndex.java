package io.weir.exporter;

import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weir.Weir;
import io.weir.metrics.BudgetMetrics;
import io.weir.metrics.DiskMetrics;
import io.weir.metrics.LinuxMetrics;
import io.weir.metrics.WeirHistograms;
import io.weir.metrics.WeirMetrics;
import io.weir.nrt.ReopenMonitor;
import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.store.ResidentKeys;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.store.Directory;

/** An index with all of Weir, and a registry for Prometheus with all of its meters. */
final class ScrapedIndex implements AutoCloseable {

  final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  final ByteBudget budget = new ByteBudget(BudgetOptions.named("disk"));
  private final Weir weir = new Weir(budget, ResidentKeys.of("id"));
  private final Directory directory;
  private final IndexWriter writer;
  private final SearcherManager searchers;
  private final ReopenMonitor reopens;
  private final WeirMetrics metrics;
  private int nextId;

  ScrapedIndex(Path path) throws IOException {
    registry.config().meterFilter(WeirHistograms.filter());
    directory = weir.directory(path);
    writer = new IndexWriter(directory, weir.configure(new IndexWriterConfig()));
    searchers = new SearcherManager(writer, weir.searcherFactory(null));
    reopens = weir.attach(searchers);
    metrics = new WeirMetrics(weir.scheduler(), directory, reopens, Tags.of("index", "products"));
    metrics.bindTo(registry);
    new BudgetMetrics(budget).bindTo(registry);
    new LinuxMetrics().bindTo(registry);
    new DiskMetrics().bindTo(registry);
  }

  /** Some documents, a reopen. */
  void load() throws IOException {
    for (int i = 0; i < 20; i++) {
      Document document = new Document();
      String id = Integer.toString(nextId++);
      document.add(new StringField("id", id, Field.Store.YES));
      document.add(new StoredField("text", "text of the document ".repeat(20) + i));
      reopens.indexed(writer.updateDocument(new Term("id", id), document));
    }
    reopens.maybeRefreshBlocking();
  }

  void merge() throws IOException {
    writer.forceMerge(1);
  }

  @Override
  public void close() throws IOException {
    metrics.close();
    searchers.close();
    reopens.close();
    writer.close();
    directory.close();
  }
}
