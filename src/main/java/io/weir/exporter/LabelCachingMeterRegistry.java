package io.weir.exporter;

import io.micrometer.core.instrument.Clock;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Objects;

/**
 * A {@link PrometheusMeterRegistry} with much cheaper scrapes, for processes with tens of indexes.
 * Its output is the same for every exporter that is built on Prometheus' library, such as {@link
 * MetricsServer} and Spring's Actuator. It does not support tracing, so it has no exemplars.
 *
 * <p>Micrometer to 1.17 builds and checks the name, the help and the labels of every sample at
 * every scrape. This class caches them, and reads only the values again. Micrometer 1.18 is
 * expected to cache them itself (its issue 7450); then this class is obsolete.
 *
 * <p><b>Threads:</b> any.
 */
public final class LabelCachingMeterRegistry extends PrometheusMeterRegistry {

  /** Like {@link PrometheusMeterRegistry#PrometheusMeterRegistry(PrometheusConfig)}. */
  public LabelCachingMeterRegistry(PrometheusConfig config) {
    this(Objects.requireNonNull(config, "config"), new LabelCachingCollectors());
  }

  private LabelCachingMeterRegistry(PrometheusConfig config, LabelCachingCollectors collectors) {
    super(config, collectors, Clock.SYSTEM);
    collectors.readFrom(this);
    config().onMeterRemoved(removed -> collectors.forget());
  }
}
