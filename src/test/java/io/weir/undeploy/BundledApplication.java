package io.weir.undeploy;

import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weir.Weir;
import io.weir.control.LatencyGoal;
import io.weir.control.Percentile;
import io.weir.exporter.MetricsServer;
import io.weir.exporter.MetricsServerOptions;
import io.weir.jfr.WeirEvents;
import io.weir.jmx.ByteBudgetBean;
import io.weir.jmx.LatencyGoalBean;
import io.weir.jmx.MergesBean;
import io.weir.jmx.ReopensBean;
import io.weir.metrics.BudgetMetrics;
import io.weir.metrics.LinuxMetrics;
import io.weir.metrics.WeirMetrics;
import io.weir.nrt.ReopenMonitor;
import io.weir.nrt.SlowReopenOptions;
import io.weir.nrt.SlowReopens;
import io.weir.procfs.Procfs;
import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import io.weir.store.ResidentKeys;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.store.Directory;

/**
 * An application with Weir, Lucene and all else in its own loader. It uses every part of Weir that
 * has threads, beans, listeners or figures, and closes what it opened.
 *
 * @param index where its index is
 */
public record BundledApplication(Path index) implements Callable<String> {

  @Override
  public String call() throws Exception {
    ByteBudget budget =
        new ByteBudget(BudgetOptions.named("bundled").withRate(Rate.perSecond(100_000_000)));
    Weir weir = Weir.builder().budget(budget).keys(ResidentKeys.of("id")).open(index);
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    try (Directory directory = weir.directory();
        IndexWriter writer = new IndexWriter(directory, weir.configure(new IndexWriterConfig()));
        SearcherManager searchers = new SearcherManager(writer, weir.searcherFactory());
        ReopenMonitor reopens = weir.attach(searchers);
        SlowReopens slow =
            reopens.explainSlow(SlowReopenOptions.defaults().withThreshold(Duration.ofMillis(1)));
        LatencyGoal goal = weir.hold(Percentile.P99, Duration.ofMillis(100));
        WeirMetrics metrics =
            new WeirMetrics(weir.scheduler(), directory, reopens, Tags.of("index", "bundled"));
        BudgetMetrics budgetMetrics = new BudgetMetrics(budget);
        ByteBudgetBean budgetBean = ByteBudgetBean.register(budget);
        LatencyGoalBean goalBean = LatencyGoalBean.register(goal);
        MergesBean mergesBean = MergesBean.register(weir.scheduler(), "bundled");
        ReopensBean reopensBean = ReopensBean.register(reopens, slow, "bundled");
        MetricsServer server = MetricsServer.start(MetricsServerOptions.local(0), registry);
        WeirEvents events = new WeirEvents()) {
      metrics.bindTo(registry);
      budgetMetrics.bindTo(registry);
      new LinuxMetrics().bindTo(registry);
      events.add(budget);
      events.add("bundled", weir.scheduler());
      events.add("bundled", reopens);
      events.add(goal);
      events.addDirtyPages(Procfs.SYSTEM);
      for (int round = 0; round < 5; round++) {
        update(writer, round);
        reopens.maybeRefreshBlocking();
        searchers.maybeRefreshBlocking(); // past the monitor
        writer.commit();
      }
      writer.forceMerge(1);
      writer.commit();
      URI address = URI.create("http://127.0.0.1:" + server.address().getPort() + "/metrics");
      try (InputStream answer = address.toURL().openStream()) {
        return new String(answer.readAllBytes(), StandardCharsets.UTF_8)
            + List.of(budgetBean, goalBean, mergesBean, reopensBean);
      }
    } finally {
      registry.close();
    }
  }

  private static void update(IndexWriter writer, int round) throws Exception {
    for (int i = 0; i < 2000; i++) {
      Document document = new Document();
      document.add(new StringField("id", Integer.toString(i + 500 * round), Field.Store.YES));
      writer.updateDocument(new Term("id", Integer.toString(i + 500 * round)), document);
    }
  }
}
