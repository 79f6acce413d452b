package io.weir.stress.setting;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * One setting of an arm: its key, how its values are written, its default and its help.
 *
 * <p>All there are is the table in {@link ArmSetting}; {@link ArmSettings} holds their values.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param <T> of its values; where a value may be absent, an {@code Optional}
 */
public final class Setting<T> {

  private final String key;
  private final ValueFormat<T> format;
  private final Set<ArmKind> kinds;
  private final String help;
  private final boolean ofTheRun;
  private final Predicate<ArmSettings> applies;
  private final Function<ArmSettings, T> defaultOf;

  private Setting(Row<T> row, Function<ArmSettings, T> defaultOf) {
    this.key = row.key;
    this.format = row.format;
    this.kinds = row.kinds;
    this.help = row.help;
    this.ofTheRun = row.ofTheRun;
    this.applies = row.applies;
    this.defaultOf = defaultOf;
  }

  /** What it is called in {@code --arm} and in the files of a run. */
  public String key() {
    return key;
  }

  /** What it does, in sentences. */
  public String help() {
    return help;
  }

  /** How its values are written: {@code RATE|off}. */
  public String syntax() {
    return format.syntax();
  }

  /** Whether it means something for a kind of arm. */
  public boolean isFor(ArmKind kind) {
    return kinds.contains(kind);
  }

  /** Whether it is an option of the command as well, which sets it for every arm. */
  public boolean isOfTheRun() {
    return ofTheRun;
  }

  /** The default of an arm as text; empty when that is to have no value. */
  public Optional<String> defaultText(ArmSettings arm) {
    return format.printer().apply(defaultOf(arm));
  }

  @Override
  public String toString() {
    return key;
  }

  /** What an arm has that does not set it. */
  T defaultOf(ArmSettings arm) {
    return defaultOf.apply(arm);
  }

  /** Whether it has any effect on an arm. */
  public boolean appliesTo(ArmSettings arm) {
    return applies.test(arm);
  }

  /** The value that a text stands for. */
  T parse(String text) {
    return format.parser().apply(key, text);
  }

  /** A value as text that {@link #parse} takes; empty for a value that stands for none. */
  Optional<String> print(T value) {
    return format.printer().apply(value);
  }

  /** Refuses a value that no arm can have. */
  T checked(T value) {
    format.rule().accept(key, Objects.requireNonNull(value, key));
    return value;
  }

  /** A row of the table that is being written; its default completes it. */
  static final class Row<T> {

    private final List<Setting<?>> table;
    private final String key;
    private final ValueFormat<T> format;
    private final Set<ArmKind> kinds;
    private String help = "";
    private boolean ofTheRun;
    private Predicate<ArmSettings> applies = arm -> true;

    Row(List<Setting<?>> table, String key, ValueFormat<T> format, Set<ArmKind> kinds) {
      this.table = table;
      this.key = key;
      this.format = format;
      this.kinds = kinds;
    }

    /** What it does. */
    Row<T> help(String newHelp) {
      help = newHelp;
      return this;
    }

    /** It is an option of the command as well. */
    Row<T> ofTheRun() {
      ofTheRun = true;
      return this;
    }

    /** It has no effect on other arms, and is not among their settings. */
    Row<T> onlyWhen(Predicate<ArmSettings> newApplies) {
      applies = newApplies;
      return this;
    }

    /** The same for every arm. */
    Setting<T> byDefault(T value) {
      return byDefault(arm -> value);
    }

    /** By the preset. */
    Setting<T> byDefault(T weir, T stock) {
      return byDefault(arm -> arm.get(ArmSetting.PRESET) == Preset.WEIR ? weir : stock);
    }

    /** By other settings of the arm. */
    Setting<T> byDefault(Function<ArmSettings, T> defaultOf) {
      Setting<T> setting = new Setting<>(this, defaultOf);
      table.add(setting);
      return setting;
    }
  }
}
