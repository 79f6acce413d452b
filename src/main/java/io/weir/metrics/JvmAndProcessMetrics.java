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
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Micrometer's own meters of the JVM and the process, for an exporter without a framework that
 * binds them. Closing it ends their garbage-collection listeners and removes the meters, which the
 * binders alone would leave.
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> owns the meters. <b>Failure:</b> {@link #bindTo} throws
 * {@link IllegalStateException} when the registry has the JVM's meters already.
 */
public final class JvmAndProcessMetrics implements MeterBinder, AutoCloseable {

  private static final String ALWAYS_THERE = "jvm.memory.used";

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

  /**
   * A composite in front of each registry, which knows the meters it has passed on. Guarded by
   * this.
   */
  private final Map<MeterRegistry, CompositeMeterRegistry> bound = new HashMap<>();

  @Override
  public synchronized void bindTo(MeterRegistry registry) {
    if (registry.find(ALWAYS_THERE).meter() != null) {
      throw new IllegalStateException(
          "the meters of the JVM must be bound once, but the registry has them: " + ALWAYS_THERE);
    }
    CompositeMeterRegistry passing =
        new CompositeMeterRegistry(registry.config().clock(), List.of(registry));
    bound.put(registry, passing);
    binders.forEach(binder -> binder.bindTo(passing));
  }

  /** Removes the listeners, and removes all meters from each registry. */
  @Override
  public synchronized void close() {
    collections.close();
    heapPressure.close();
    bound.forEach(
        (registry, passing) -> {
          passing.clear();
          passing.remove(registry); // a notification in progress comes too late
        });
    bound.clear();
  }
}
