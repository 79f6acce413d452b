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
 * The JVM and the process by Micrometer's own binders, for an exporter that has no framework which
 * binds them. Closing it ends their listening to collections, and removes the meters, which they
 * would leave.
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

  /** Of each registry one before it, which knows what it has passed on. Guarded by this. */
  private final Map<MeterRegistry, CompositeMeterRegistry> bound = new HashMap<>();

  @Override
  public synchronized void bindTo(MeterRegistry registry) {
    if (registry.find(ALWAYS_THERE).meter() != null) {
      throw new IllegalStateException(
          "the meters of the JVM must be bound once, the registry has them: " + ALWAYS_THERE);
    }
    CompositeMeterRegistry passing =
        new CompositeMeterRegistry(registry.config().clock(), List.of(registry));
    bound.put(registry, passing);
    binders.forEach(binder -> binder.bindTo(passing));
  }

  /** Ends the listening, and takes all that was registered out of each registry again. */
  @Override
  public synchronized void close() {
    collections.close();
    heapPressure.close();
    bound.forEach(
        (registry, passing) -> {
          passing.clear();
          passing.remove(registry); // a collection that is being told comes too late
        });
    bound.clear();
  }
}
