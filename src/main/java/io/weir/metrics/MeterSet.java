package io.weir.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.LongTaskTimer;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * The meters of one binder in one registry. Closing it removes exactly these.
 *
 * <p>Registries hold the object that a meter reads weakly, and a meter without it has no value.
 * Here that object is the registry itself, and the strongly held function ignores it.
 *
 * <p><b>Threads:</b> one at a time.
 */
final class MeterSet implements AutoCloseable {

  private final MeterRegistry registry;
  private final Tags tags;
  private final List<Meter> meters = new ArrayList<>();

  /**
   * An empty set.
   *
   * @param tags added to each meter
   */
  MeterSet(MeterRegistry registry, Tags tags) {
    this.registry = registry;
    this.tags = tags;
  }

  /**
   * A gauge that reads {@code value}.
   *
   * @param tagValues one value for each of the meter's keys, as in all methods below
   */
  void gauge(WeirMeter meter, DoubleSupplier value, String... tagValues) {
    add(
        meter,
        Meter.Type.GAUGE,
        tagValues,
        all ->
            Gauge.builder(meter.id(), registry, held(value))
                .baseUnit(meter.unit())
                .description(meter.description())
                .tags(all)
                .register(registry));
  }

  /** A gauge that reads a time from {@code seconds}. */
  void timeGauge(WeirMeter meter, DoubleSupplier seconds, String... tagValues) {
    add(
        meter,
        Meter.Type.GAUGE,
        tagValues,
        all ->
            TimeGauge.builder(meter.id(), registry, TimeUnit.SECONDS, held(seconds))
                .description(meter.description())
                .tags(all)
                .register(registry));
  }

  /** A counter that reads {@code total}, which only grows. */
  void counter(WeirMeter meter, DoubleSupplier total, String... tagValues) {
    add(
        meter,
        Meter.Type.COUNTER,
        tagValues,
        all ->
            FunctionCounter.builder(meter.id(), registry, held(total))
                .baseUnit(meter.unit())
                .description(meter.description())
                .tags(all)
                .register(registry));
  }

  /** A counter that the binder increments. */
  Counter counter(WeirMeter meter, String... tagValues) {
    return add(
        meter,
        Meter.Type.COUNTER,
        tagValues,
        all ->
            Counter.builder(meter.id())
                .baseUnit(meter.unit())
                .description(meter.description())
                .tags(all)
                .register(registry));
  }

  Timer timer(WeirMeter meter, String... tagValues) {
    return add(
        meter,
        Meter.Type.TIMER,
        tagValues,
        all ->
            Timer.builder(meter.id())
                .description(meter.description())
                .tags(all)
                .register(registry));
  }

  LongTaskTimer longTaskTimer(WeirMeter meter, String... tagValues) {
    return add(
        meter,
        Meter.Type.LONG_TASK_TIMER,
        tagValues,
        all ->
            LongTaskTimer.builder(meter.id())
                .description(meter.description())
                .tags(all)
                .register(registry));
  }

  @Override
  public void close() {
    meters.forEach(registry::remove);
    meters.clear();
  }

  private static ToDoubleFunction<MeterRegistry> held(DoubleSupplier value) {
    return registry -> value.getAsDouble();
  }

  private <M extends Meter> M add(
      WeirMeter meter, Meter.Type type, String[] tagValues, Function<Tags, M> register) {
    if (meter.type() != type || meter.tagKeys().size() != tagValues.length) {
      throw new IllegalArgumentException(
          "%s is a %s with the tags %s".formatted(meter.id(), meter.type(), meter.tagKeys()));
    }
    Tags all = tags;
    for (int i = 0; i < tagValues.length; i++) {
      all = all.and(meter.tagKeys().get(i), tagValues[i]);
    }
    // A registry would return its existing meter of this name, which another binder owns.
    if (!registry.find(meter.id()).tags(all).meters().isEmpty()) {
      throw new IllegalStateException(
          "a meter must be registered once; give each index or budget its own tags: "
              + meter.id()
              + " "
              + all.stream().map(tag -> tag.getKey() + "=" + tag.getValue()).toList());
    }
    M registered = register.apply(all);
    meters.add(registered);
    return registered;
  }
}
