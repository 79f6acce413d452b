/**
 * Weir's library: merges that a disk and its readers do not feel.
 *
 * <p>It needs lucene-core. Everything {@code static} here is optional: an application that uses the
 * meters or the exporter requires those modules itself. None of them is {@code transitive}, because
 * javac would then not compile an application without it. The packages that are not exported, or to
 * Weir's own query cache alone, hold what Weir knows of Lucene's insides and of the machine; they
 * are no public API.
 *
 * <p>On Linux run with {@code --enable-native-access=io.weir}, or writes are smoothed by {@code
 * FileChannel.force}, which costs more.
 */
module io.weir {
  requires transitive org.apache.lucene.core;
  requires transitive java.management;
  requires jdk.httpserver;
  requires jdk.jfr;
  requires jdk.management;

  requires static micrometer.core;
  requires static micrometer.registry.prometheus;
  requires static micrometer.registry.otlp;
  requires static io.prometheus.metrics.exporter.common;
  requires static io.prometheus.metrics.model;
  requires static com.github.oshi.common;

  exports io.weir;
  exports io.weir.control;
  exports io.weir.exporter;
  exports io.weir.figure;
  exports io.weir.jfr;
  exports io.weir.jmx;
  exports io.weir.merge;
  exports io.weir.metrics;
  exports io.weir.nrt;
  exports io.weir.option;
  exports io.weir.procfs;
  exports io.weir.rate;
  exports io.weir.store;
  exports io.weir.time;

  exports io.weir.lucene to
      io.weir.cache;
}
