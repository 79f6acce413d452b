package io.weir.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.LongTaskTimer;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import io.weir.figure.Shown;
import io.weir.figure.SourceFigures;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
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
  private final Set<String> ownKeys;
  private final List<Meter> meters = new ArrayList<>();

  /**
   * An empty set.
   *
   * @param tags added to each meter
   * @param ownKeys of which the meters' own tags are; none of {@code tags} has one of them
   */
  MeterSet(MeterRegistry registry, Tags tags, Set<String> ownKeys) {
    this.registry = registry;
    this.tags = tags;
    this.ownKeys = ownKeys;
  }

  /** The value of a tag: {@code OPEN_READERS} as {@code open-readers}. */
  static String tagValue(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * The meters of all figures of a source.
   *
   * @param source is read for each meter at each scrape
   * @param tagValues one value for each of the keys, as in all methods below
   */
  <S> void all(SourceFigures<S> figures, Supplier<S> source, String... tagValues) {
    figures
        .in(Shown.METER)
        .forEach(
            figure ->
                reading(
                    MeterSpec.of(figures, figure),
                    () -> figure.number(Shown.METER, source.get()),
                    tagValues));
  }

  /** A gauge that reads {@code value}. */
  void gauge(WeirMeter meter, DoubleSupplier value, String... tagValues) {
    require(meter, Meter.Type.GAUGE);
    reading(meter.spec(), value, tagValues);
  }

  /** A counter that reads {@code total}, which only grows. */
  void counter(WeirMeter meter, DoubleSupplier total, String... tagValues) {
    require(meter, Meter.Type.COUNTER);
    reading(meter.spec(), total, tagValues);
  }

  private void reading(MeterSpec meter, DoubleSupplier value, String... tagValues) {
    add(
        meter,
        tagValues,
        all -> {
          if (meter.type() == Meter.Type.COUNTER) {
            return FunctionCounter.builder(meter.id(), registry, held(value))
                .baseUnit(meter.unit())
                .description(meter.description())
                .tags(all)
                .register(registry);
          }
          return meter.isTimeGauge()
              ? TimeGauge.builder(meter.id(), registry, TimeUnit.SECONDS, held(value))
                  .description(meter.description())
                  .tags(all)
                  .register(registry)
              : Gauge.builder(meter.id(), registry, held(value))
                  .baseUnit(meter.unit())
                  .description(meter.description())
                  .tags(all)
                  .register(registry);
        });
  }

  /** A counter that the binder increments. */
  Counter counter(WeirMeter meter, String... tagValues) {
    require(meter, Meter.Type.COUNTER);
    return add(
        meter.spec(),
        tagValues,
        all ->
            Counter.builder(meter.spec().id())
                .baseUnit(meter.spec().unit())
                .description(meter.spec().description())
                .tags(all)
                .register(registry));
  }

  Timer timer(WeirMeter meter, String... tagValues) {
    require(meter, Meter.Type.TIMER);
    return add(
        meter.spec(),
        tagValues,
        all ->
            Timer.builder(meter.spec().id())
                .description(meter.spec().description())
                .tags(all)
                .register(registry));
  }

  LongTaskTimer longTaskTimer(WeirMeter meter, String... tagValues) {
    require(meter, Meter.Type.LONG_TASK_TIMER);
    return add(
        meter.spec(),
        tagValues,
        all ->
            LongTaskTimer.builder(meter.spec().id())
                .description(meter.spec().description())
                .tags(all)
                .register(registry));
  }

  private static void require(WeirMeter meter, Meter.Type type) {
    if (meter.spec().type() != type) {
      throw new IllegalArgumentException(
          "%s is a %s".formatted(meter.spec().id(), meter.spec().type()));
    }
  }

  @Override
  public void close() {
    meters.forEach(registry::remove);
    meters.clear();
  }

  private static ToDoubleFunction<MeterRegistry> held(DoubleSupplier value) {
    return registry -> value.getAsDouble();
  }

  private <M extends Meter> M add(MeterSpec meter, String[] tagValues, Function<Tags, M> register) {
    if (meter.tagKeys().size() != tagValues.length) {
      throw new IllegalArgumentException(
          "%s has the tags %s".formatted(meter.id(), meter.tagKeys()));
    }
    if (!ownKeys.containsAll(meter.tagKeys())) {
      throw new IllegalArgumentException(
          "%s has the tags %s, its binder %s".formatted(meter.id(), meter.tagKeys(), ownKeys));
    }
    Tags all = tags;
    for (int i = 0; i < tagValues.length; i++) {
      all = all.and(meter.tagKeys().get(i), tagValues[i]);
    }
    List<Meter> before = registry.getMeters();
    M registered;
    try {
      registered = register.apply(all);
    } catch (IllegalArgumentException e) { // there is one of another type
      throw duplicate(meter.id(), all, e);
    }
    Meter.Id id = registered.getId();
    // A registry returns the meter that it has of this name and these tags. Only now are they known
    // as its filters leave them.
    if (has(meters, registered)) {
      requireSum(meter, registered);
      return registered;
    }
    if (has(before, registered)) {
      throw duplicate(id.getName(), id.getTags(), null);
    }
    meters.add(registered);
    requireSameKeys(id, before);
    return registered;
  }

  /** Two meters that a filter denied are equal, and not the same. */
  private static boolean has(List<Meter> meters, Meter registered) {
    return meters.stream().anyMatch(meter -> meter == registered);
  }

  /** What is recorded into a meter adds up; what a meter reads is one figure. */
  private static void requireSum(MeterSpec meter, Meter registered) {
    if (!(registered instanceof Counter
        || registered instanceof Timer
        || registered instanceof LongTaskTimer)) {
      throw new IllegalStateException(
          "a filter of the registry must leave a meter its own tags "
              + meter.tagKeys()
              + ": "
              + registered.getId().getName()
              + " "
              + texts(registered.getId().getTags()));
    }
  }

  private static void requireSameKeys(Meter.Id id, List<Meter> before) {
    List<String> keys = keys(id);
    for (Meter other : before) {
      if (other.getId().getName().equals(id.getName()) && !keys(other.getId()).equals(keys)) {
        throw new IllegalStateException(
            "all meters of a name must have the same tag keys, or Prometheus shows the first ones"
                + " only: %s has %s, not %s".formatted(id.getName(), keys(other.getId()), keys));
      }
    }
  }

  private static IllegalStateException duplicate(String name, Iterable<Tag> tags, Throwable cause) {
    return new IllegalStateException(
        "a meter must be registered once; give each index or budget its own tags: "
            + name
            + " "
            + texts(tags),
        cause);
  }

  private static List<String> texts(Iterable<Tag> tags) {
    return Tags.of(tags).stream().map(tag -> tag.getKey() + "=" + tag.getValue()).toList();
  }

  private static List<String> keys(Meter.Id id) {
    return id.getTags().stream().map(Tag::getKey).toList();
  }
}
