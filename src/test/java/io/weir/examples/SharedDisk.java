package io.weir.examples;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weir.Weir;
import io.weir.exporter.MetricsServer;
import io.weir.exporter.MetricsServerOptions;
import io.weir.jmx.ByteBudgetBean;
import io.weir.metrics.BudgetMetrics;
import io.weir.metrics.LinuxMetrics;
import io.weir.metrics.WeirHistograms;
import io.weir.metrics.WeirMetrics;
import io.weir.nrt.ReopenMonitor;
import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import io.weir.store.ResidentKeys;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.SearcherManager;

/**
 * Two indexes on one disk: one budget, which JMX shows and can change, and meters for Prometheus.
 * Arguments: where to put them, the port for {@code /metrics}. Ends with Ctrl-C.
 */
final class SharedDisk implements AutoCloseable {

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final ByteBudget disk =
      new ByteBudget(BudgetOptions.named("disk").withRate(Rate.perSecond(20_000_000)));
  private final BudgetMetrics diskMetrics = new BudgetMetrics(disk);
  private final LinuxMetrics linuxMetrics = new LinuxMetrics();
  private final AtomicBoolean stopping = new AtomicBoolean();
  private final ByteBudgetBean bean;
  private final MetricsServer server;
  private final List<Index> indexes;

  SharedDisk(Path path, int port) throws IOException {
    registry.config().meterFilter(WeirHistograms.filter()); // first of all
    diskMetrics.bindTo(registry);
    linuxMetrics.bindTo(registry);
    bean = ByteBudgetBean.register(disk);
    server = MetricsServer.start(MetricsServerOptions.local(port), registry);
    indexes = List.of(new Index("products", 2, path), new Index("logs", 1, path));
  }

  public static void main(String[] arguments) throws Exception {
    SharedDisk application = new SharedDisk(Path.of(arguments[0]), Integer.parseInt(arguments[1]));
    Runtime.getRuntime().addShutdownHook(new Thread(application::stop));
    try (application) {
      application.run();
    }
  }

  InetSocketAddress address() {
    return server.address();
  }

  ByteBudget disk() {
    return disk;
  }

  PrometheusMeterRegistry registry() {
    return registry;
  }

  /** Has the load end; returns at once. */
  void stop() {
    stopping.set(true);
  }

  /** Indexes, reopens and merges until it is stopped. */
  void run() throws IOException {
    for (int round = 0; !stopping.get(); round++) {
      for (Index index : indexes) {
        index.load(500);
        if (round % 20 == 19) {
          index.writer.forceMerge(1);
        }
      }
    }
  }

  @Override
  public void close() throws IOException {
    stop();
    for (Index index : indexes) {
      index.close();
    }
    server.close();
    bean.close();
    linuxMetrics.close();
    diskMetrics.close();
  }

  /** One of them. */
  private final class Index {

    private final Weir weir;
    private final IndexWriter writer;
    private final ReopenMonitor reopens;
    private long nextId;

    Index(String name, int weight, Path path) throws IOException {
      ByteBudget share = disk.child(BudgetOptions.named(name).withWeight(weight));
      weir =
          Weir.builder()
              .name(name)
              .budget(share)
              .keys(ResidentKeys.of("id"))
              .open(path.resolve(name));
      writer = weir.own(new IndexWriter(weir.directory(), weir.configure(new IndexWriterConfig())));
      SearcherManager searchers = weir.own(new SearcherManager(writer, weir.searcherFactory()));
      reopens = weir.attach(searchers);
      new WeirMetrics(weir).bindTo(registry);
    }

    void load(int documents) throws IOException {
      for (int i = 0; i < documents; i++) {
        String id = Long.toString(nextId++ % 20_000);
        Document document = new Document();
        document.add(new StringField("id", id, Field.Store.YES));
        document.add(new StoredField("text", "text of document " + nextId));
        reopens.indexed(writer.updateDocument(new Term("id", id), document));
      }
      reopens.maybeRefresh();
    }

    void close() throws IOException {
      weir.close();
    }
  }
}
