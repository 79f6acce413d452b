package io.weir.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * The base of all Weir binders: it adds the application's tags, binds to any number of registries,
 * and removes all meters on close.
 *
 * <p>The meters hold the measured objects strongly, so an application need not keep them, nor the
 * binder.
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> owns the meters, not the measured objects.
 * <b>Failure:</b> {@link #bindTo} throws {@link IllegalArgumentException} if a tag has the key of
 * one of the meters' own, and {@link IllegalStateException} if the registry has one of the meters
 * with these tags, or one of its name with other tag keys. Then it registers none.
 */
abstract class WeirMeterBinder implements MeterBinder, AutoCloseable {

  private record Binding(MeterRegistry registry, MeterSet meters, Runnable listening) {

    void end() {
      listening.run();
      meters.close();
    }
  }

  private final Tags tags;
  private final Set<String> ownKeys;
  private final List<Binding> bindings = new ArrayList<>(); // guarded by this

  /**
   * With the application's tags.
   *
   * @param ownKeys the keys of all tags that the meters have themselves
   */
  WeirMeterBinder(Tags tags, String... ownKeys) {
    this.tags = Objects.requireNonNull(tags, "tags");
    this.ownKeys = new LinkedHashSet<>(List.of(ownKeys));
  }

  @Override
  public final synchronized void bindTo(MeterRegistry registry) {
    requireForeignTags();
    MeterSet meters = new MeterSet(registry, tags, ownKeys);
    try {
      bindings.add(new Binding(registry, meters, register(meters)));
    } catch (RuntimeException e) {
      meters.close();
      throw e;
    }
  }

  /** A meter's own tag would silently take the place of the application's. */
  final void requireForeignTags() {
    List<String> own =
        tags.stream()
            .filter(tag -> ownKeys.contains(tag.getKey()))
            .map(tag -> tag.getKey() + "=" + tag.getValue())
            .toList();
    if (!own.isEmpty()) {
      throw new IllegalArgumentException(
          "tags must leave the keys " + ownKeys + " to the meters: " + own);
    }
  }

  /** Removes all meters from each registry, and removes the listeners. */
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
   * @return removes the listeners that feed the meters
   */
  abstract Runnable register(MeterSet meters);
}
