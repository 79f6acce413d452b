package io.weir.benchmark.residentkeys;

import io.weir.benchmark.kit.Benchmark;
import io.weir.benchmark.kit.Conditions;
import io.weir.benchmark.kit.PairedRatios;
import io.weir.benchmark.kit.TextTable;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/** Looks keys up, present and absent ones, in indexes that hold their dictionary differently. */
public final class ResidentKeysBenchmark implements Benchmark {

  private static final int SEGMENTS = 8;

  /** Warm lookups never wait, so the thread's CPU time is all of theirs. */
  private static final LongSupplier WORK =
      ManagementFactory.getThreadMXBean()::getCurrentThreadCpuTime;

  /**
   * How much.
   *
   * @param documents of each index, one key each
   * @param lookups of present keys, and of absent ones, in each round
   * @param warmups rounds that are not counted
   * @param coldLookups of present keys, in a JVM of its own
   * @param coldRounds over all arms
   * @param rounds over all arms, the index opened anew in each
   */
  record Plan(
      int documents, int lookups, int warmups, int rounds, int coldLookups, int coldRounds) {
    static final Plan FULL = new Plan(1_000_000, 200_000, 1, 5, 1000, 5);
    static final Plan QUICK = new Plan(4_000, 2_000, 0, 1, 100, 1);
  }

  /**
   * All rounds of one arm.
   *
   * @param coldNanos empty where pages could not be dropped
   */
  record Measured(List<Trial> warm, List<Long> coldNanos) {
    Measured() {
      this(new ArrayList<>(), new ArrayList<>());
    }
  }

  /** One round of one arm, warm. */
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

  Map<KeyArm, Measured> measure(Plan plan, Conditions conditions)
      throws IOException, InterruptedException {
    Path work = Files.createTempDirectory(conditions.directory(), "resident-keys");
    try {
      for (KeyArm arm : KeyArm.values()) {
        conditions.progress().println("resident-keys: building " + arm.title());
        KeyIndex.build(index(work, arm), arm, SEGMENTS, plan.documents());
      }
      Map<KeyArm, Measured> measured = new EnumMap<>(KeyArm.class);
      for (KeyArm arm : KeyArm.values()) {
        measured.put(arm, new Measured());
      }
      for (int round = -plan.warmups(); round < plan.rounds(); round++) {
        for (KeyArm arm : inTurn(round)) {
          Trial trial = trial(plan, index(work, arm), arm);
          if (round >= 0) {
            measured.get(arm).warm().add(trial);
          }
        }
        conditions.progress().println("resident-keys: round " + round);
      }
      for (int round = 0; round < plan.coldRounds(); round++) {
        for (KeyArm arm : KeyArm.values()) {
          OptionalLong nanos =
              ColdIndex.nanos(index(work, arm), arm, plan.coldLookups(), plan.documents());
          nanos.ifPresent(measured.get(arm).coldNanos()::add);
        }
        conditions.progress().println("resident-keys: cold round " + round);
      }
      return measured;
    } finally {
      for (KeyArm arm : KeyArm.values()) {
        delete(index(work, arm));
      }
      Files.delete(work);
    }
  }

  /** Another is the first in each round, so that none always follows the same. */
  private static List<KeyArm> inTurn(int round) {
    List<KeyArm> arms = new ArrayList<>(List.of(KeyArm.values()));
    Collections.rotate(arms, round);
    return arms;
  }

  static TextTable table(Plan plan, Map<KeyArm, Measured> measured) {
    TextTable table =
        new TextTable(
            "resident-keys: " + plan.documents() + " keys in " + SEGMENTS + " segments",
            1,
            "arm",
            "present, thousand/CPU s",
            "absent, thousand/CPU s",
            "open ms",
            "file bytes a key",
            "heap bytes a key",
            "cold, ms");
    measured.forEach(
        (arm, figures) -> {
          List<Trial> list = figures.warm();
          table.row(
              arm.title(),
              figure(plan.lookups() * 1e6 / median(list, Trial::presentNanos)),
              figure(plan.lookups() * 1e6 / median(list, Trial::absentNanos)),
              figure(median(list, Trial::openNanos) / 1e6),
              figure(median(list, Trial::fileBytes) / plan.documents()),
              figure(median(list, Trial::heldBytes) / plan.documents()),
              cold(figures.coldNanos()));
        });
    return table
        .note("a lookup asks every segment for a random key, as an update does, on one thread")
        .note("present, absent, open: all files are in the page cache; each figure is a median")
        .note("heap: of dictionaries and filters; files that are mapped are not counted")
        .note(
            "cold: to open it and look up "
                + plan.coldLookups()
                + " keys in a new JVM, no page of it in memory; - if they could not be dropped");
  }

  private static Trial trial(Plan plan, Path path, KeyArm arm) throws IOException {
    try (KeyIndex index = KeyIndex.open(path, arm)) {
      int documents = plan.documents();
      index.awaitHeld();
      return new Trial(
          index.lookUp(plan.lookups(), 0, documents, plan.lookups(), WORK),
          index.lookUp(plan.lookups(), documents, 2L * documents, 0, WORK),
          index.openNanos(),
          index.keyFileBytes(),
          index.heldBytes(arm));
    }
  }

  private static String cold(List<Long> nanos) {
    return nanos.isEmpty()
        ? "-"
        : figure(PairedRatios.median(nanos.stream().mapToDouble(v -> v).toArray()) / 1e6);
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
