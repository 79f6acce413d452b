package io.weir.examples;

import io.micrometer.core.instrument.config.MeterFilter;
import io.weir.Weir;
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
import java.nio.file.Path;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.SearcherManager;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/**
 * Spring Boot with Actuator, a bean each. Spring finds the filter and the binders by their type and
 * gives them to its registry. At the end it closes each bean before those that it was made of:
 * meters, monitor, searchers, writer, and the index with its directory last. So nothing is given to
 * {@code Weir.own} here. Property: {@code index.path}.
 */
@SpringBootApplication(proxyBeanMethods = false)
class SpringBootSearch {

  public static void main(String[] arguments) {
    SpringApplication.run(SpringBootSearch.class, arguments);
  }

  /** Every index on this disk shares it. It needs no close. */
  @Bean
  ByteBudget disk() {
    return new ByteBudget(BudgetOptions.named("disk").withRate(Rate.perSecond(40_000_000)));
  }

  @Bean
  Weir products(ByteBudget disk, @Value("${index.path}") Path path) throws IOException {
    return Weir.builder().name("products").budget(disk).keys(ResidentKeys.of("id")).open(path);
  }

  @Bean
  IndexWriter writer(Weir products) throws IOException {
    return new IndexWriter(products.directory(), products.configure(new IndexWriterConfig()));
  }

  @Bean
  SearcherManager searchers(Weir products, IndexWriter writer) throws IOException {
    return new SearcherManager(writer, products.searcherFactory());
  }

  @Bean
  ReopenMonitor reopens(Weir products, SearcherManager searchers) {
    return products.attach(searchers);
  }

  /** Buckets for percentiles; it comes before the meters, as every filter of Boot does. */
  @Bean
  MeterFilter weirHistograms() {
    return WeirHistograms.filter();
  }

  /** Takes the monitor, because it is bound after that is attached. */
  @Bean
  WeirMetrics productsMetrics(Weir products, ReopenMonitor reopens) {
    return new WeirMetrics(products);
  }

  @Bean
  BudgetMetrics diskMetrics(ByteBudget disk) {
    return new BudgetMetrics(disk);
  }

  @Bean
  LinuxMetrics linuxMetrics() {
    return new LinuxMetrics();
  }
}
