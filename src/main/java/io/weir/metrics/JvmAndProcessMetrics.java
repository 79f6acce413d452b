package io.weir.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmHeapPressureMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import java.util.List;

/**
 * The JVM and the process by Micrometer's own binders, for an exporter that has no framework which
 * binds them. Closing it ends their listening to collections; the meters stay, as theirs do.
 */
public final class JvmAndProcessMetrics implements MeterBinder, AutoCloseable {

  private final JvmGcMetrics collections = new JvmGcMetrics();
  private final JvmHeapPressureMetrics heapPressure = new JvmHeapPressureMetrics();
  private final List<MeterBinder> binders =
      List.of(
          collections,
          heapPressure,
          new JvmMemoryMetrics(),
          new JvmThreadMetrics(),
          new ClassLoaderMetrics(),
          new ProcessorMetrics(),
          new FileDescriptorMetrics(),
          new UptimeMetrics());

  @Override
  public void bindTo(MeterRegistry registry) {
    binders.forEach(binder -> binder.bindTo(registry));
  }

  @Override
  public void close() {
    collections.close();
    heapPressure.close();
  }
}
