package io.weir.exporter;

import io.micrometer.core.instrument.Clock;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

/**
 * A {@link PrometheusMeterRegistry} whose scrapes cost a fraction: for whoever has tens of indexes
 * in a process. It tells the same, to every exporter that is built on Prometheus' library, {@link
 * MetricsServer} and Spring's Actuator among them. It knows no tracing, so has no exemplars.
 *
 * <p>Micrometer to 1.17 builds and checks the name, the help and the labels of every sample at
 * every scrape. Here those are kept, and the values alone are read again. Micrometer 1.18 is to
 * keep them itself (its issue 7450); then this class has nothing left to do.
 *
 * <p><b>Threads:</b> any.
 */
public final class LabelCachingMeterRegistry extends PrometheusMeterRegistry {

  /** Like {@link PrometheusMeterRegistry#PrometheusMeterRegistry(PrometheusConfig)}. */
  public LabelCachingMeterRegistry(PrometheusConfig config) {
    this(config, new LabelCachingCollectors());
  }

  private LabelCachingMeterRegistry(PrometheusConfig config, LabelCachingCollectors collectors) {
    super(config, collectors, Clock.SYSTEM);
    collectors.readFrom(this);
    config().onMeterRemoved(removed -> collectors.forget());
  }
}
