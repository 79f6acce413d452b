package io.weir.benchmark.residentkeys;

import io.weir.benchmark.kit.Benchmark;
import io.weir.benchmark.kit.Conditions;
import io.weir.benchmark.kit.PairedRatios;
import io.weir.benchmark.kit.TextTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/** Looks keys up, present and absent ones, in indexes that hold their dictionary differently. */
public final class ResidentKeysBenchmark implements Benchmark {

  private static final int SEGMENTS = 8;

  /**
   * How much.
   *
   * @param documents of each index, one key each
   * @param lookups of present keys, and of absent ones, in each round
   * @param warmups rounds that are not counted
   * @param rounds over all arms, the index opened anew in each
   */
  record Plan(int documents, int lookups, int warmups, int rounds) {
    static final Plan FULL = new Plan(1_000_000, 200_000, 2, 7);
    static final Plan QUICK = new Plan(4_000, 2_000, 0, 1);
  }

  /** One round of one arm. */
  record Trial(
      long presentNanos, long absentNanos, long openNanos, long fileBytes, long heldBytes) {}

  @Override
  public String name() {
    return "resident-keys";
  }

  @Override
  public String summary() {
    return "lookups by key: resident dictionary, Lucene's default, FST, Bloom filter";
  }

  @Override
  public TextTable run(Conditions conditions) throws Exception {
    Plan plan = conditions.quick() ? Plan.QUICK : Plan.FULL;
    return table(plan, measure(plan, conditions));
  }

  Map<KeyArm, List<Trial>> measure(Plan plan, Conditions conditions) throws IOException {
    Path work = Files.createTempDirectory(conditions.directory(), "resident-keys");
    try {
      for (KeyArm arm : KeyArm.values()) {
        conditions.progress().println("resident-keys: building " + arm.title());
        KeyIndex.build(index(work, arm), arm, SEGMENTS, plan.documents());
      }
      Map<KeyArm, List<Trial>> trials = new EnumMap<>(KeyArm.class);
      for (int round = -plan.warmups(); round < plan.rounds(); round++) {
        for (KeyArm arm : KeyArm.values()) {
          Trial trial = trial(plan, index(work, arm), arm);
          if (round >= 0) {
            trials.computeIfAbsent(arm, a -> new ArrayList<>()).add(trial);
          }
        }
        conditions.progress().println("resident-keys: round " + round);
      }
      return trials;
    } finally {
      for (KeyArm arm : KeyArm.values()) {
        delete(index(work, arm));
      }
      Files.delete(work);
    }
  }

  static TextTable table(Plan plan, Map<KeyArm, List<Trial>> trials) {
    TextTable table =
        new TextTable(
            "resident-keys: " + plan.documents() + " keys in " + SEGMENTS + " segments, warm",
            1,
            "arm",
            "present, thousand/s",
            "absent, thousand/s",
            "open ms",
            "file bytes a key",
            "held bytes a key");
    trials.forEach(
        (arm, list) ->
            table.row(
                arm.title(),
                figure(plan.lookups() * 1e6 / median(list, Trial::presentNanos)),
                figure(plan.lookups() * 1e6 / median(list, Trial::absentNanos)),
                figure(median(list, Trial::openNanos) / 1e6),
                figure(median(list, Trial::fileBytes) / plan.documents()),
                figure(median(list, Trial::heldBytes) / plan.documents())));
    return table
        .note("a lookup asks every segment for a random key, as an update does, on one thread")
        .note(
            "all files are in the page cache: what a busy disk adds to those not held is not here")
        .note("held: on the heap; files that Lucene maps are not counted; median of the rounds");
  }

  private static Trial trial(Plan plan, Path path, KeyArm arm) throws IOException {
    try (KeyIndex index = KeyIndex.open(path, arm)) {
      int documents = plan.documents();
      return new Trial(
          index.lookUp(plan.lookups(), 0, documents, plan.lookups()),
          index.lookUp(plan.lookups(), documents, 2L * documents, 0),
          index.openNanos(),
          index.keyFileBytes(),
          index.heldBytes(arm));
    }
  }

  private static double median(List<Trial> trials, ToLongFunction<Trial> figure) {
    return PairedRatios.median(trials.stream().mapToLong(figure).mapToDouble(v -> v).toArray());
  }

  private static String figure(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  private static Path index(Path work, KeyArm arm) {
    return work.resolve(arm.name());
  }

  private static void delete(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> files = Files.list(folder)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(folder);
    }
  }
}
