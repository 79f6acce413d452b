package io.weir.stress.setting;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.weir.rate.Rate;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * All that one arm does: a value for each {@link Setting} of the table in {@link ArmSetting}.
 *
 * <p>What is not set has its default, which may depend on what is: with {@code preset=stock} other
 * settings have other defaults. In JSON it is the map of {@link #describe}.
 *
 * <p><b>Threads:</b> immutable. <b>Failure:</b> a value that no arm can have is refused at once, by
 * an {@link IllegalArgumentException}; settings that contradict each other by {@link #check}.
 */
public final class ArmSettings {

  /** Nothing is set. */
  public static final ArmSettings DEFAULT = new ArmSettings(Map.of());

  private final Map<Setting<?>, Object> values;

  private ArmSettings(Map<Setting<?>, Object> values) {
    this.values = values;
  }

  /**
   * The settings that a map stands for, each by its key.
   *
   * @throws IllegalArgumentException when a key or a value is not known, or settings contradict
   *     each other
   */
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public static ArmSettings of(Map<String, String> texts) {
    ArmSettings settings = DEFAULT;
    for (Map.Entry<String, String> text : texts.entrySet()) {
      Setting<?> setting =
          ArmSetting.find(text.getKey())
              .orElseThrow(
                  () -> new IllegalArgumentException("there is no setting " + text.getKey()));
      settings = settings.withText(setting, text.getValue());
    }
    return settings.check();
  }

  /** The value of a setting. */
  public <T> T get(Setting<T> setting) {
    @SuppressWarnings("unchecked") // with() puts nothing else there
    T value = (T) values.get(setting);
    return value == null ? setting.defaultOf(this) : value;
  }

  /** This, with another value. */
  public <T> ArmSettings with(Setting<T> setting, T value) {
    Map<Setting<?>, Object> changed = new LinkedHashMap<>(values);
    changed.put(setting, setting.checked(value));
    return new ArmSettings(changed);
  }

  /** This, with the value that a text stands for. */
  public <T> ArmSettings withText(Setting<T> setting, String text) {
    return with(setting, setting.parse(text));
  }

  /** Whether the value was set, be it the default. */
  boolean isSet(Setting<?> setting) {
    return values.containsKey(setting);
  }

  /**
   * This, if its settings go together.
   *
   * @throws IllegalArgumentException when they contradict each other
   */
  public ArmSettings check() {
    for (ArmRule rule : ArmRule.values()) {
      rule.check(this);
    }
    return this;
  }

  /** The setting that caps the large merge: with {@link Preset#STOCK} Lucene's own. */
  public Setting<Rate> capSetting() {
    return get(ArmSetting.PRESET) == Preset.STOCK
        ? ArmSetting.LUCENE_FORCE_MERGE_CAP
        : ArmSetting.CAP;
  }

  /** The lower of the caps on the large merge. */
  public Rate mergeCap() {
    return Stream.of(get(ArmSetting.CAP), get(ArmSetting.LUCENE_FORCE_MERGE_CAP))
        .filter(Rate::isLimited)
        .min(Comparator.comparingLong(Rate::bytesPerSecond))
        .orElse(Rate.UNLIMITED);
  }

  /** The text of each setting that applies and has a value, by its key, in the table's order. */
  @JsonValue
  public Map<String, String> describe() {
    Map<String, String> texts = new LinkedHashMap<>();
    for (Setting<?> setting : ArmSetting.all()) {
      if (setting.appliesTo(this)) {
        text(setting).ifPresent(text -> texts.put(setting.key(), text));
      }
    }
    return texts;
  }

  /** Those of {@link #describe()} that mean something for a kind of arm. */
  public Map<String, String> describe(ArmKind kind) {
    Map<String, String> texts = describe();
    texts.keySet().retainAll(ArmSetting.all(kind).stream().map(Setting::key).toList());
    return texts;
  }

  /** The value of a setting as text; empty for a value that stands for none. */
  <T> Optional<String> text(Setting<T> setting) {
    return setting.print(get(setting));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ArmSettings settings && describe().equals(settings.describe());
  }

  @Override
  public int hashCode() {
    return describe().hashCode();
  }

  @Override
  public String toString() {
    return describe().toString();
  }
}
