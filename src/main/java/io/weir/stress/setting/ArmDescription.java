package io.weir.stress.setting;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The settings of an arm as text, in the form that the command line understands. */
final class ArmDescription {

  private ArmDescription() {}

  /** Each option by the name it has on the command line. */
  static Map<String, String> of(ArmSettings arm) {
    Map<String, String> options = new LinkedHashMap<>();
    options.put("preset", spelled(arm.preset()));
    if (arm.cap() != null) {
      options.put("cap", arm.cap().isLimited() ? perSecond(arm.cap().bytesPerSecond()) : "off");
    }
    if (arm.luceneForceMergeCapBytesPerSecond() != null) {
      options.put("lucene-force-merge-cap", perSecond(arm.luceneForceMergeCapBytesPerSecond()));
    }
    if (arm.fullFlushWait() != null) {
      options.put("full-flush-wait", arm.fullFlushWait().toMillis() + "ms");
    }
    options.put(
        "writeback", arm.writebackRangeBytes() == 0 ? "off" : size(arm.writebackRangeBytes()));
    options.put("drop-written", spelled(arm.dropWritten()));
    options.put("small-files", arm.smallFileBytes() == 0 ? "off" : size(arm.smallFileBytes()));
    options.put("unmap", spelled(arm.unmap()));
    options.put("warmer", arm.warmer() ? "on" : "off");
    options.put("readers-first", arm.readersFirst() ? "on" : "off");
    options.put("id-postings", spelled(arm.idPostings()));
    options.put("compound", spelled(arm.compound()));
    options.put("directory", spelled(arm.directory()));
    options.put("cache", arm.cache().label());
    options.put("merge", spelled(arm.merge()));
    options.put("mode", spelled(arm.mode()));
    options.put("updates-per-second", number(arm.updatesPerSecond()));
    options.put("reopens-per-second", number(arm.reopensPerSecond()));
    options.put("searches-per-second", number(arm.searchesPerSecond()));
    options.put("commits-per-minute", number(arm.commitsPerMinute()));
    options.put("warmup", arm.warmup().toMillis() + "ms");
    options.put("before", arm.before().toMillis() + "ms");
    if (arm.merge() == MergeWorkload.NONE) {
      options.put("during", arm.during().toMillis() + "ms");
    }
    options.put("after", arm.after().toMillis() + "ms");
    if (arm.jvm() != null) {
      options.put("jvm", arm.jvm());
    }
    if (!arm.jvmArguments().isEmpty()) {
      options.put("jvm-args", String.join(" ", arm.jvmArguments()));
    }
    return options;
  }

  /** In the largest unit that divides it: 10000000 is 10MB/s. */
  private static String perSecond(long bytes) {
    if (bytes % 1_000_000 == 0) {
      return bytes / 1_000_000 + "MB/s";
    }
    return bytes % 1000 == 0 ? bytes / 1000 + "kB/s" : bytes + "B/s";
  }

  /** In the largest unit that divides it: 1048576 is 1MiB. */
  static String size(long bytes) {
    if (bytes % (1 << 20) == 0) {
      return bytes / (1 << 20) + "MiB";
    }
    return bytes % (1 << 10) == 0 ? bytes / (1 << 10) + "KiB" : bytes + "B";
  }

  /** The name of a choice on the command line. */
  static String spelled(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Without a fraction where there is none. */
  static String number(double value) {
    return value == Math.rint(value) && Double.isFinite(value)
        ? Long.toString((long) value)
        : Double.toString(value);
  }
}
