package io.weir.stress.plan;

import io.weir.run.Part;
import io.weir.run.RunFiles;
import io.weir.run.SloResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * One whole run.
 *
 * @param documents what is indexed
 * @param queries what is searched for
 * @param index where the index is kept and used again, and beside it, see {@link
 *     IndexLayout#place}, those of other layouts; empty to build for this run only
 * @param out the run directory: must not exist, or be empty
 * @param arms each run in a JVM of its own; the first is what others are compared with
 * @param rounds how often the arms are run, one round after the other
 * @param slowReopenOver a reopen that takes longer is looked at for its causes, in every arm
 * @param checkIndex whether each arm ends with a commit and a look at all of its index
 * @param strict whether a noisy machine is refused, before anything is run and after it
 * @param telemetry how each arm shows itself to other tools while it runs
 * @param slos what the arms are held to, in this order
 */
public record StressPlan(
    Documents documents,
    QuerySource queries,
    Optional<Path> index,
    Path out,
    List<Arm> arms,
    int rounds,
    Duration slowReopenOver,
    boolean checkIndex,
    boolean strict,
    Telemetry telemetry,
    List<Slo> slos) {

  private static final int MAX_ROUNDS = 1000;
  private static final int MAX_ARMS = 50;
  private static final Duration LEAST_SLOW = Duration.ofMillis(1);
  private static final Duration MOST_SLOW = Duration.ofHours(1);

  /** Refuses what cannot be run. */
  public StressPlan {
    Objects.requireNonNull(queries, "queries");
    Objects.requireNonNull(telemetry, "telemetry");
    arms = List.copyOf(arms);
    if (arms.isEmpty() || arms.size() > MAX_ARMS) {
      throw new IllegalArgumentException(
          "a run must have from 1 to " + MAX_ARMS + " arms: " + arms.size());
    }
    if (rounds < 1 || rounds > MAX_ROUNDS) {
      throw new IllegalArgumentException("rounds must be from 1 to " + MAX_ROUNDS + ": " + rounds);
    }
    documents.requireVectorsOf(arms);
    if (queries.ofVectors() && documents.vectors().isEmpty()) {
      throw new IllegalArgumentException(
          "queries=%s needs --vectors, because without it no document has one".formatted(queries));
    }
    if (index.isPresent()) {
      for (IndexLayout layout : IndexLayout.all()) {
        requireApart(layout.place(index.get()), out);
      }
    }
    if (slowReopenOver.compareTo(LEAST_SLOW) < 0 || slowReopenOver.compareTo(MOST_SLOW) > 0) {
      throw new IllegalArgumentException(
          "slow-reopen-over must be from 1 ms to 1 h: " + slowReopenOver.toMillis() + " ms");
    }
    Set<String> names = new HashSet<>();
    Map<String, String> files = new HashMap<>();
    for (Arm arm : arms) {
      if (!names.add(arm.name())) {
        throw new IllegalArgumentException(
            "arm names must differ, this one comes twice: " + arm.name());
      }
      // Without regard to case, as some file systems are.
      String file = RunFiles.stem(arm.name()).toLowerCase(Locale.ROOT);
      String other = files.put(file, arm.name());
      if (other != null) {
        throw new IllegalArgumentException(
            "arm names must differ in more than punctuation and case, because files are named after"
                + " them: '%s' and '%s'".formatted(other, arm.name()));
      }
    }
    slos = List.copyOf(slos);
    for (Slo slo : slos) {
      for (String name : slo.names()) {
        if (!names.contains(name)) {
          throw new IllegalArgumentException(
              "slo must name an arm of this run ("
                  + String.join(", ", arms.stream().map(Arm::name).toList())
                  + "): '"
                  + name
                  + "' in '"
                  + slo.text()
                  + "'");
        }
      }
    }
  }

  /**
   * The arms in the order in which to run them in a round, from 1 on: as given if there is one
   * round, else in {@link RoundOrder} by the seed.
   */
  public List<Arm> order(int round) {
    return rounds == 1 ? arms : RoundOrder.of(arms, documents.seed(), round);
  }

  /** The arms in their order, round by round. */
  public ArmQueue queue() {
    return new FixedArms(this);
  }

  private static void requireApart(Path index, Path out) {
    Path place = index.toAbsolutePath().normalize();
    Path run = out.toAbsolutePath().normalize();
    if (place.equals(run)) {
      throw new IllegalArgumentException("--index and --out must be two directories: " + run);
    }
    if (run.startsWith(place)) {
      throw new IllegalArgumentException("--out must not be inside --index: " + run);
    }
    if (place.startsWith(new RunFiles(run).scratch())) {
      throw new IllegalArgumentException(
          "--index must not be where the run keeps temporary files: " + place);
    }
  }

  /**
   * The arms of a plan, round by round, whatever they come to.
   *
   * <p><b>Threads:</b> immutable.
   */
  static final class FixedArms implements ArmQueue {

    private final StressPlan plan;

    FixedArms(StressPlan plan) {
      this.plan = plan;
    }

    @Override
    public Optional<Turn> next(List<Part> results) {
      int step = results.size();
      int arms = plan.arms().size();
      if (step == arms * plan.rounds()) {
        return Optional.empty();
      }
      int round = step / arms + 1;
      return Optional.of(
          new Turn(
              plan.order(round).get(step % arms),
              round,
              "%d of %d".formatted(step + 1, arms * plan.rounds())));
    }

    /** Empty before the last arm has ended: there is nothing to judge yet. */
    @Override
    public List<SloResult> judge(List<Part> results) {
      List<String> names = plan.arms().stream().map(Arm::name).toList();
      return results.size() < names.size() * plan.rounds()
          ? List.of()
          : plan.slos().stream().flatMap(slo -> slo.judge(names, results).stream()).toList();
    }
  }
}
