package io.weir.cli;

import io.weir.rate.Rate;
import io.weir.store.DropWritten;
import io.weir.store.SmallFilesOptions;
import io.weir.store.WritebackOptions;
import io.weir.stress.plan.Arm;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.CacheState;
import io.weir.stress.setting.CompoundFiles;
import io.weir.stress.setting.DirectoryKind;
import io.weir.stress.setting.HumanBytes;
import io.weir.stress.setting.HumanDuration;
import io.weir.stress.setting.HumanRate;
import io.weir.stress.setting.IdPostings;
import io.weir.stress.setting.MergeWorkload;
import io.weir.stress.setting.Preset;
import io.weir.stress.setting.Unmapping;
import io.weir.stress.setting.UpdateMode;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * The settings of an arm while they are put together: first the options of the run, then what the
 * arm itself overrides, {@code NAME: key=value, key=value}.
 *
 * <p>Not for sharing: each arm starts from a fresh copy.
 */
final class ArmOptions {

  private final Map<String, String> values = new LinkedHashMap<>();

  /** Every option that an arm may override, with its reading. */
  private static final Map<String, BiConsumer<Settings, String>> READERS = readers();

  /** The options of the run itself; null values are left to the defaults. */
  ArmOptions with(String key, Object value) {
    if (value != null) {
      values.put(key, value.toString());
    }
    return this;
  }

  /**
   * An arm of the run.
   *
   * @param text {@code NAME: key=value, ...}, or only {@code key=value, ...}, which is its own name
   */
  Arm arm(String text) {
    int colon = text.indexOf(':');
    boolean named = colon >= 0 && !text.substring(0, colon).contains("=");
    String name = (named ? text.substring(0, colon) : text).trim();
    String settings = named ? text.substring(colon + 1) : text;
    Map<String, String> merged = new LinkedHashMap<>(values);
    merged.putAll(pairs(text, settings));
    return new Arm(name, settings(merged));
  }

  private static Map<String, String> pairs(String arm, String text) {
    Map<String, String> pairs = new LinkedHashMap<>();
    // A comma inside a value (jvm-args) does not part settings: only one before the next key does.
    for (String pair : text.trim().split("\\s*,\\s*(?=[a-z-]+=)")) {
      int equals = pair.indexOf('=');
      if (equals < 0) {
        if (pair.isBlank()) {
          continue;
        }
        throw new IllegalArgumentException(
            "--arm must be NAME: key=value, key=value, ...; no key=value: '"
                + pair
                + "' in '"
                + arm
                + "'");
      }
      String key = pair.substring(0, equals).trim();
      if (!READERS.containsKey(key)) {
        throw new IllegalArgumentException(
            "--arm knows the settings "
                + String.join(", ", READERS.keySet())
                + ": '"
                + key
                + "' in '"
                + arm
                + "'");
      }
      if (pairs.put(key, pair.substring(equals + 1).trim()) != null) {
        throw new IllegalArgumentException("--arm must set " + key + " once: '" + arm + "'");
      }
    }
    return pairs;
  }

  private static ArmSettings settings(Map<String, String> values) {
    Settings settings = new Settings();
    values.forEach((key, value) -> READERS.get(key).accept(settings, value));
    settings.applyPreset();
    return new ArmSettings(
        settings.preset,
        settings.cap,
        settings.luceneForceMergeCap,
        settings.fullFlushWait,
        settings.writebackRangeBytes,
        settings.dropWritten,
        settings.smallFileBytes,
        settings.unmap,
        settings.warmer,
        settings.readersFirst,
        settings.idPostings,
        settings.compound,
        settings.directory,
        settings.cache,
        settings.merge,
        settings.mode,
        settings.updatesPerSecond,
        settings.reopensPerSecond,
        settings.searchesPerSecond,
        settings.commitsPerMinute,
        settings.warmup,
        settings.before,
        settings.during,
        settings.after,
        settings.jvm,
        settings.jvmArguments);
  }

  private static Map<String, BiConsumer<Settings, String>> readers() {
    Map<String, BiConsumer<Settings, String>> readers = new TreeMap<>();
    readers.put("preset", (s, v) -> s.preset = choice("preset", Preset.class, v));
    readers.put("cap", (s, v) -> s.cap = HumanRate.parseOrOff("cap", v));
    readers.put(
        "lucene-force-merge-cap",
        (s, v) -> s.luceneForceMergeCap = HumanRate.parse("lucene-force-merge-cap", v));
    readers.put(
        "full-flush-wait", (s, v) -> s.fullFlushWait = HumanDuration.parse("full-flush-wait", v));
    readers.put(
        "writeback", (s, v) -> s.writebackRangeBytes = HumanBytes.parseOrOff("writeback", v));
    readers.put(
        "drop-written", (s, v) -> s.dropWritten = choice("drop-written", DropWritten.class, v));
    readers.put(
        "small-files", (s, v) -> s.smallFileBytes = HumanBytes.parseOrOff("small-files", v));
    readers.put("unmap", (s, v) -> s.unmap = choice("unmap", Unmapping.class, v));
    readers.put("warmer", (s, v) -> s.warmer = choice("warmer", Switch.class, v) == Switch.ON);
    readers.put(
        "readers-first",
        (s, v) -> s.readersFirst = choice("readers-first", Switch.class, v) == Switch.ON);
    readers.put("id-postings", (s, v) -> s.idPostings = choice("id-postings", IdPostings.class, v));
    readers.put("compound", (s, v) -> s.compound = choice("compound", CompoundFiles.class, v));
    readers.put("directory", (s, v) -> s.directory = choice("directory", DirectoryKind.class, v));
    readers.put("cache", (s, v) -> s.cache = choice("cache", CacheState.class, v));
    readers.put("merge", (s, v) -> s.merge = choice("merge", MergeWorkload.class, v));
    readers.put("mode", (s, v) -> s.mode = choice("mode", UpdateMode.class, v));
    readers.put(
        "updates-per-second", (s, v) -> s.updatesPerSecond = number("updates-per-second", v));
    readers.put(
        "reopens-per-second", (s, v) -> s.reopensPerSecond = number("reopens-per-second", v));
    readers.put(
        "searches-per-second", (s, v) -> s.searchesPerSecond = number("searches-per-second", v));
    readers.put(
        "commits-per-minute", (s, v) -> s.commitsPerMinute = number("commits-per-minute", v));
    readers.put("warmup", (s, v) -> s.warmup = HumanDuration.parse("warmup", v));
    readers.put("before", (s, v) -> s.before = HumanDuration.parse("before", v));
    readers.put("during", (s, v) -> s.during = HumanDuration.parse("during", v));
    readers.put("after", (s, v) -> s.after = HumanDuration.parse("after", v));
    readers.put("jvm", (s, v) -> s.jvm = v);
    readers.put("jvm-args", (s, v) -> s.jvmArguments = words(v));
    return readers;
  }

  private static List<String> words(String text) {
    return text.isBlank() ? List.of() : List.of(text.trim().split("\\s+"));
  }

  private static double number(String option, String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      String unit = option.substring(option.indexOf("-per-") + "-per-".length());
      throw new IllegalArgumentException(option + " must be a number per " + unit + ": " + text, e);
    }
  }

  private static <E extends Enum<E>> E choice(String option, Class<E> type, String text) {
    List<String> names = Arrays.stream(type.getEnumConstants()).map(ArmOptions::spelled).toList();
    int index = names.indexOf(text.toLowerCase(Locale.ROOT));
    if (index < 0) {
      throw new IllegalArgumentException(
          option + " must be one of " + String.join(", ", names) + ": " + text);
    }
    return type.getEnumConstants()[index];
  }

  private static String spelled(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private enum Switch {
    ON,
    OFF
  }

  /** The defaults, and what replaces them. Null is what the preset has yet to set. */
  private static final class Settings {
    Preset preset = Preset.WEIR;
    Rate cap;
    Long luceneForceMergeCap;
    Duration fullFlushWait;
    Long writebackRangeBytes;
    DropWritten dropWritten;
    Long smallFileBytes;
    Unmapping unmap;
    Boolean warmer;
    Boolean readersFirst;
    IdPostings idPostings;
    CompoundFiles compound = CompoundFiles.DEFAULT;
    DirectoryKind directory = DirectoryKind.MMAP;
    CacheState cache = CacheState.AS_IS;
    MergeWorkload merge = MergeWorkload.FORCED;
    UpdateMode mode = UpdateMode.UPDATE;
    double updatesPerSecond = 50;
    double reopensPerSecond = 4;
    double searchesPerSecond = 20;
    double commitsPerMinute = 0;
    Duration warmup = Duration.ofSeconds(5);
    Duration before = Duration.ofSeconds(10);
    Duration during = Duration.ofSeconds(20);
    Duration after = Duration.ofSeconds(10);
    String jvm;
    List<String> jvmArguments = List.of();

    /**
     * With {@link Preset#WEIR} what the README tells applications to do: the directory and the
     * scheduler with one budget, reopens that do not wait for merges, and every cure of Weir's.
     */
    void applyPreset() {
      boolean weir = preset == Preset.WEIR;
      if (weir) {
        cap = cap == null ? Rate.UNLIMITED : cap;
        fullFlushWait = fullFlushWait == null ? Duration.ZERO : fullFlushWait;
      }
      boolean disk = directory != DirectoryKind.HEAP; // without one there is nothing to do for it
      if (writebackRangeBytes == null) {
        writebackRangeBytes = weir && disk ? WritebackOptions.DEFAULT.rangeBytes() : 0;
      }
      if (dropWritten == null) {
        boolean written = weir && writebackRangeBytes > 0;
        dropWritten = written ? WritebackOptions.DEFAULT.dropWritten() : DropWritten.NEVER;
      }
      if (smallFileBytes == null) {
        boolean mapped = directory == DirectoryKind.MMAP; // else there is nothing it could do
        smallFileBytes = weir && mapped ? SmallFilesOptions.DEFAULT.maxFileBytes() : 0;
      }
      if (unmap == null) {
        unmap = weir ? Unmapping.DEFERRED : Unmapping.INLINE;
      }
      if (warmer == null) {
        warmer = weir;
      }
      if (readersFirst == null) {
        readersFirst = weir && disk;
      }
      if (idPostings == null) {
        idPostings = weir ? IdPostings.RESIDENT : IdPostings.DEFAULT;
      }
    }
  }
}
