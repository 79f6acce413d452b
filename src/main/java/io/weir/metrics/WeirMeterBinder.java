package io.weir.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * What all binders of Weir have in common: tags of the application's, any number of registries, and
 * a close that takes back all of it.
 *
 * <p>What a binder looks at is held by the meters, so nobody else has to hold it, or the binder.
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> owns the meters, not what they look at. <b>Failure:</b>
 * {@link #bindTo} throws {@link IllegalStateException} when the registry has one of the meters with
 * these tags, and leaves none behind.
 */
abstract class WeirMeterBinder implements MeterBinder, AutoCloseable {

  private record Binding(MeterRegistry registry, MeterSet meters, Runnable listening) {

    void end() {
      listening.run();
      meters.close();
    }
  }

  private final Tags tags;
  private final List<Binding> bindings = new ArrayList<>(); // guarded by this

  WeirMeterBinder(Tags tags) {
    this.tags = Objects.requireNonNull(tags, "tags");
  }

  @Override
  public final synchronized void bindTo(MeterRegistry registry) {
    MeterSet meters = new MeterSet(registry, tags);
    try {
      bindings.add(new Binding(registry, meters, register(meters)));
    } catch (RuntimeException e) {
      meters.close();
      throw e;
    }
  }

  /** Takes all that was registered out of each registry again, and listens no more. */
  @Override
  public final synchronized void close() {
    bindings.forEach(Binding::end);
    bindings.clear();
  }

  /** The same for one registry. */
  final synchronized void unbind(MeterRegistry registry) {
    bindings.stream().filter(binding -> binding.registry() == registry).forEach(Binding::end);
    bindings.removeIf(binding -> binding.registry() == registry);
  }

  /**
   * Registers what can be measured.
   *
   * @return what ends the listening that keeps the meters fed
   */
  abstract Runnable register(MeterSet meters);
}
