package io.weir.indexing.plan;

import io.weir.run.RunFiles;
import io.weir.stress.plan.Arm;
import io.weir.stress.plan.Documents;
import io.weir.stress.plan.RoundOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * One whole run of {@code weir index}.
 *
 * @param documents what is indexed, again and again
 * @param sourceBytes how much text a cell keeps in memory to draw documents from
 * @param arms the first is what others are compared with
 * @param threads how many threads index; a cell for each
 * @param ramBuffers bytes; a cell for each
 * @param rounds how often the whole matrix is run
 * @param duration how long a cell indexes at least; it goes on up to {@value #MOST_TIMES} times as
 *     long until it has flushed often enough
 * @param leastFlushes flushes that a cell needs before it may end in time
 * @param out the run directory: must not exist, or be empty
 * @param place where the indexes of cells are written; each is deleted when its cell has ended
 * @param strict whether a noisy machine is refused
 */
public record IndexingPlan(
    Documents documents,
    long sourceBytes,
    List<Arm> arms,
    List<Integer> threads,
    List<Long> ramBuffers,
    int rounds,
    Duration duration,
    int leastFlushes,
    Path out,
    Path place,
    boolean strict) {

  /** How many times its duration a cell may take that has not flushed often enough. */
  public static final int MOST_TIMES = 3;

  private static final int MOST_CELLS = 1000;
  private static final int MOST_THREADS = 1000;
  private static final int MOST_ROUNDS = 1000;
  private static final int MOST_FLUSHES = 1000;
  private static final long LEAST_BUFFER_BYTES = 1_000_000;
  private static final long MOST_BUFFER_BYTES = 64L << 30;
  private static final long LEAST_SOURCE_BYTES = 1_000_000;
  private static final long MOST_SOURCE_BYTES = 64L << 30;

  /** In less there are too few samples to find a steady part. */
  private static final Duration LEAST_DURATION = Duration.ofSeconds(2);

  private static final Duration MOST_DURATION = Duration.ofHours(24);

  /** Refuses what cannot be run. */
  public IndexingPlan {
    arms = List.copyOf(arms);
    threads = List.copyOf(threads);
    ramBuffers = List.copyOf(ramBuffers);
    documents.requireVectorsOf(arms);
    requireDistinct("threads", threads);
    requireDistinct("ram-buffer", ramBuffers);
    Set<String> names = new HashSet<>();
    for (Arm arm : arms) {
      IndexingSettings.check(arm.settings());
      if (!names.add(RunFiles.stem(arm.name()).toLowerCase(Locale.ROOT))) {
        throw new IllegalArgumentException(
            "arm names must differ in more than punctuation and case: " + arm.name());
      }
    }
    long cells = (long) arms.size() * threads.size() * ramBuffers.size();
    requireFrom("arms x threads x ram-buffer", cells, 1, MOST_CELLS, "cells");
    threads.forEach(count -> requireFrom("threads", count, 1, MOST_THREADS, "threads"));
    ramBuffers.forEach(
        bytes -> requireFrom("ram-buffer", bytes, LEAST_BUFFER_BYTES, MOST_BUFFER_BYTES, "bytes"));
    requireFrom("source-memory", sourceBytes, LEAST_SOURCE_BYTES, MOST_SOURCE_BYTES, "bytes");
    requireFrom("rounds", rounds, 1, MOST_ROUNDS, "rounds");
    requireFrom("flushes", leastFlushes, 0, MOST_FLUSHES, "flushes");
    if (duration.compareTo(LEAST_DURATION) < 0 || duration.compareTo(MOST_DURATION) > 0) {
      throw new IllegalArgumentException(
          "duration must be from 2 s to 24 h: " + duration.toMillis() + " ms");
    }
  }

  /** Every cell of a round: arm by arm, threads and buffers in the order given. */
  public List<Cell> cells() {
    List<Cell> cells = new ArrayList<>();
    for (Arm arm : arms) {
      for (int count : threads) {
        for (long bytes : ramBuffers) {
          cells.add(new Cell(arm, count, bytes));
        }
      }
    }
    return cells;
  }

  /** The cells in the order in which to run them in a round, from 1 on. */
  public List<Cell> order(int round) {
    return rounds == 1 ? cells() : RoundOrder.of(cells(), documents.seed(), round);
  }

  /** The longest that all cells index, without what their ends take. */
  public Duration longest() {
    return duration.multipliedBy((long) MOST_TIMES * rounds * cells().size());
  }

  private static <T> void requireDistinct(String name, List<T> values) {
    if (new HashSet<>(values).size() < values.size()) {
      throw new IllegalArgumentException(name + " must name each value once: " + values);
    }
  }

  private static void requireFrom(String name, long value, long least, long most, String unit) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "%s must be from %d to %d %s: %d".formatted(name, least, most, unit, value));
    }
  }
}
