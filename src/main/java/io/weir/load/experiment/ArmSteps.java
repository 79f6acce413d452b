package io.weir.load.experiment;

import io.weir.jvm.WorkerJvm;
import io.weir.jvm.WorkerJvm.DiedException;
import io.weir.load.client.ClientMain;
import io.weir.load.plan.LoadPlan;
import io.weir.load.plan.LoadSearch;
import io.weir.load.plan.LoadSearch.Next;
import io.weir.load.server.ServerMain;
import io.weir.run.Failure;
import io.weir.run.FailureWords;
import io.weir.run.LatencySummary;
import io.weir.run.Part;
import io.weir.run.Resource;
import io.weir.run.RunWarning;
import io.weir.run.Status;
import io.weir.run.StepFigures;
import io.weir.run.StepOutcome;
import io.weir.run.Values;
import io.weir.stress.experiment.ExperimentListener;
import io.weir.stress.plan.ArmQueue;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BooleanSupplier;

/**
 * Takes one arm through its steps in one round: the client's floor, the warm-up, then one load
 * after the other as {@link LoadSearch} decides.
 *
 * <p><b>Threads:</b> one. <b>Failure:</b> a JVM that dies ends the arm; the steps before stay.
 */
final class ArmSteps {

  /** Enough to keep a few processors busy. */
  private static final int WARM_UP_AT_ONCE = 4;

  /** Before the first look at the floor, while the client's JVM compiles. */
  private static final double FLOOR_WARM_UP_PER_SECOND = 300;

  /** Enough in a second for its 99th percentile. */
  private static final double FLOOR_PER_SECOND = 200;

  /** Apart from step to step, and far apart from round to round. */
  private static final long SEEDS_OF_A_ROUND = 1_000_003;

  /** More than two in a step are no accident. */
  private static final int FEW_STALLS = 2;

  private static final double MOST_LATE_MILLIS = 5;

  private final LoadPlan plan;
  private final ArmQueue.Turn turn;
  private final Service service;
  private final WorkerJvm client;
  private final ExperimentListener listener;
  private final BooleanSupplier cancelled;

  // What the arm has come to so far.
  private final List<Part> steps = new ArrayList<>();
  private final List<RunWarning> warnings = new ArrayList<>();
  private Optional<LatencySummary> floor = Optional.empty();
  private Optional<Double> warmUpPerSecond = Optional.empty();
  private Values recall = Values.NONE;
  private Optional<ServerMain.Ended> ended = Optional.empty();
  private Optional<Failure> failure = Optional.empty();

  /** An arm that has not run. */
  ArmSteps(
      LoadPlan plan,
      ArmQueue.Turn turn,
      Service service,
      WorkerJvm client,
      ExperimentListener listener,
      BooleanSupplier cancelled) {
    this.plan = plan;
    this.turn = turn;
    this.service = service;
    this.client = client;
    this.listener = listener;
    this.cancelled = cancelled;
  }

  /** Runs all of it. */
  Part run() throws InterruptedException {
    try {
      measure();
      compare();
      ended = service.end();
      ended.ifPresent(end -> warnings.addAll(end.warnings()));
      client.stop();
      client.answer(ClientMain.Ended.class, progress -> {}); // its files are whole
    } catch (DiedException e) {
      failure = Optional.of(e.failure());
    }
    warnOfClient();
    warnOfMerges();
    return result();
  }

  private void measure() throws DiedException, InterruptedException {
    tell("measuring the client's own floor", "");
    floor(FLOOR_WARM_UP_PER_SECOND);
    floor = Optional.of(floor(FLOOR_PER_SECOND).require(StepFigures.LATENCY));
    if (!warmUp()) {
      return;
    }
    LoadSearch search =
        LoadSearch.of(
            plan.loads(),
            plan.step(),
            warmUpPerSecond.map(OptionalDouble::of).orElse(OptionalDouble.empty()));
    service.measure();
    for (Next next = search.next(List.of());
        next instanceof Next.Try(double load) && !cancelled.getAsBoolean() && failure.isEmpty();
        next = search.next(tried())) {
      step(load);
    }
  }

  /** How good the answers are, now that no latency is measured. */
  private void compare() throws DiedException, InterruptedException {
    if (plan.run().documents().vectors().isPresent()
        && failure.isEmpty()
        && !cancelled.getAsBoolean()) {
      tell("comparing neighbours with an exact search", "");
      try {
        recall = service.recall();
      } catch (IOException e) {
        warnings.add(
            new RunWarning(
                "recall is not known: " + FailureWords.of(e),
                "the service did not hand over its vectors after the load",
                "a service that answers"));
      }
    }
  }

  private boolean warmUp() throws DiedException, InterruptedException {
    if (cancelled.getAsBoolean() || plan.warmUp().isZero()) {
      return !cancelled.getAsBoolean();
    }
    tell("warming up", "");
    ClientMain.WarmedUp warm =
        ask(new ClientMain.WarmUp(plan.warmUp(), WARM_UP_AT_ONCE), ClientMain.WarmedUp.class);
    if (warm.answered() == 0 && warm.failure().isPresent() && !cancelled.getAsBoolean()) {
      // A server of ours that has died says itself how.
      service.look();
      fail("no query was answered in the warm-up: " + warm.failure().get());
      return false;
    }
    warmUpPerSecond = Optional.of(warm.perSecond());
    return !cancelled.getAsBoolean();
  }

  /** What the client needs for requests that nothing answers but itself. */
  private Values floor(double perSecond) throws DiedException, InterruptedException {
    return ask(new ClientMain.MeasureFloor(perSecond), ClientMain.FloorMeasured.class).floor();
  }

  private void step(double load) throws DiedException, InterruptedException {
    int number = steps.size() + 1;
    tell(
        "step %d, %s requests/s".formatted(number, plain(load)),
        steps.isEmpty() ? "" : words(steps.getLast()));
    Service.Look before = service.look();
    service.machinePercent();
    ask(new ClientMain.Step(number, load, plan.step(), seed(number)), ClientMain.Sent.class);
    // Now, because the load is over while the client still waits for answers.
    Optional<Double> machinePercent = service.machinePercent();
    Service.Look after = service.look();
    Values seen = await(ClientMain.Stepped.class).view();
    Values use =
        after.since(
            before, machinePercent, seen.require(StepFigures.CLIENT_CPU), plan.serverThreads());
    StepOutcome outcome = judge(load, seen);
    Values step =
        Values.builder()
            .put(StepFigures.NUMBER, (long) number)
            .put(StepFigures.LOAD, load)
            .put(StepFigures.OUTCOME, outcome)
            .put(seen)
            .put(use)
            .put(StepFigures.START, before.nanos())
            .put(StepFigures.END, after.nanos())
            .build();
    steps.add(
        Part.of(
            Part.Kind.STEP,
            Double.toString(load),
            turn.round(),
            outcome == StepOutcome.INTERRUPTED ? Status.INTERRUPTED : Status.DONE,
            Map.of(),
            Values.builder().put(step).put(StepFigures.FULL, Resource.of(step)).build()));
    if (seen.require(StepFigures.ANSWERED) == 0
        && seen.require(StepFigures.FAILED) > 0
        && outcome != StepOutcome.INTERRUPTED) {
      fail(
          "the service no longer answers: "
              + seen.get(StepFigures.FIRST_FAILURE).orElse("no reason"));
    }
  }

  private void fail(String reason) {
    failure = Optional.of(new Failure(reason, Optional.empty(), List.of()));
  }

  /** Rounds draw their schedules anew; all arms of a round have the same. */
  private long seed(int number) {
    return plan.run().documents().seed() + SEEDS_OF_A_ROUND * turn.round() + number;
  }

  private StepOutcome judge(double load, Values seen) throws DiedException, InterruptedException {
    if (cancelled.getAsBoolean()) {
      return StepOutcome.INTERRUPTED;
    }
    StepOutcome outcome = plan.rule().judge(seen);
    if (!outcome.isFailure()) {
      return outcome;
    }
    long unanswered = seen.require(StepFigures.UNANSWERED);
    if (unanswered > 0) {
      tell(
          "waiting until the server has done with what the client gave up",
          unanswered + " requests");
    }
    service.settle(seen, cancelled).ifPresent(warnings::add);
    if (cancelled.getAsBoolean()) {
      return StepOutcome.INTERRUPTED;
    }
    // Twice, because the first time finds the client's JVM cold.
    return isTooMuchForTheClient(load) && isTooMuchForTheClient(load)
        ? StepOutcome.CLIENT
        : outcome;
  }

  /**
   * Whether the client cannot even bear a load from itself: then that load says nothing about the
   * server. A stall of the client is not meant here, because the step itself sets those aside.
   */
  private boolean isTooMuchForTheClient(double load) throws DiedException, InterruptedException {
    return switch (plan.rule().judge(floor(Math.max(load, FLOOR_PER_SECOND)))) {
      case OVER_LIMIT, BEHIND, ERRORS -> true;
      case KEPT, CLIENT, INTERRUPTED -> false;
    };
  }

  private List<LoadSearch.Tried> tried() {
    return steps.stream()
        .filter(step -> step.status() != Status.INTERRUPTED)
        .map(
            step ->
                new LoadSearch.Tried(
                    step.require(StepFigures.LOAD), step.require(StepFigures.OUTCOME)))
        .toList();
  }

  private <T> T ask(ClientMain.Ask question, Class<T> answer)
      throws DiedException, InterruptedException {
    try {
      client.tell(question);
    } catch (DiedException e) {
      service.look(); // when both are gone, the server went first
      throw e;
    }
    return await(answer);
  }

  private <T> T await(Class<T> answer) throws DiedException, InterruptedException {
    try {
      return client.await(answer);
    } catch (DiedException e) {
      service.look(); // when both are gone, the server went first
      throw e;
    }
  }

  private void tell(String stage, String detail) {
    listener.progress(
        "arm %s (%s)".formatted(turn.arm().name(), turn.place()),
        stage,
        OptionalDouble.empty(),
        detail);
  }

  private static String words(Part last) {
    return String.format(
        Locale.ROOT,
        "%s/s: p99 %.1f ms, %s",
        plain(last.require(StepFigures.LOAD)),
        last.require(StepFigures.LATENCY).p99Millis(),
        last.require(StepFigures.OUTCOME).label());
  }

  private static String plain(double load) {
    return BigDecimal.valueOf(load).stripTrailingZeros().toPlainString();
  }

  private void warnOfClient() {
    List<Long> stalls = steps.stream().map(step -> step.require(StepFigures.STALLS)).toList();
    boolean often = stalls.stream().anyMatch(count -> count > FEW_STALLS);
    long stalled = stalls.stream().filter(count -> count > 0).count();
    long setAside = steps.stream().mapToLong(step -> step.require(StepFigures.SET_ASIDE)).sum();
    if (often || setAside > 0) {
      double longest =
          steps.stream()
              .mapToDouble(step -> step.require(StepFigures.LONGEST_STALL))
              .max()
              .orElse(0);
      warnings.add(
          new RunWarning(
              String.format(
                  Locale.ROOT,
                  "the client stood still for more than 5 ms in %d of %d steps, at most for %.0f"
                      + " ms; %d requests that mostly waited for the client are left out of all figures",
                  stalled,
                  steps.size(),
                  longest,
                  setAside),
              "client, server and other programs share the processors",
              "a machine with more processors, or one that is quiet"));
    }
    steps.stream()
        .filter(step -> step.require(StepFigures.SENT_LATE).p99Millis() > MOST_LATE_MILLIS)
        .reduce((first, later) -> later)
        .ifPresent(
            step ->
                warnings.add(
                    new RunWarning(
                        String.format(
                            Locale.ROOT,
                            "at %s requests/s the client sent one request in a hundred more than"
                                + " %.1f ms late",
                            plain(step.require(StepFigures.LOAD)),
                            step.require(StepFigures.SENT_LATE).p99Millis()),
                        "the client had no processor in time",
                        "a machine with more processors for this load")));
  }

  private void warnOfMerges() {
    long without =
        steps.stream()
            .filter(step -> step.status() != Status.INTERRUPTED)
            .filter(step -> step.get(StepFigures.MERGING).equals(Optional.of(0.0)))
            .count();
    if (without > 0) {
      warnings.add(
          new RunWarning(
              "no forced merge ran in %d of %d steps".formatted(without, steps.size()),
              "there was no new segment to merge",
              "more --updates-per-second, or a longer --step"));
    }
  }

  private Part result() {
    boolean interrupted = cancelled.getAsBoolean();
    LoadSearch.Saturation ends = LoadSearch.ends(tried());
    return new Part(
        Part.Kind.ARM,
        turn.arm().name(),
        turn.round(),
        failure.isPresent() && !interrupted
            ? Status.FAILED
            : interrupted ? Status.INTERRUPTED : Status.DONE,
        plan.settings(turn.arm()),
        Values.builder()
            .put(StepFigures.FLOOR, floor)
            .put(StepFigures.WARM_UP, warmUpPerSecond)
            .put(StepFigures.KEPT, ends.kept())
            // What ended by a death of the server says nothing about a load.
            .put(StepFigures.NOT_KEPT, ends.failed().filter(load -> failure.isEmpty()))
            .put(recall)
            .put(ended.map(ServerMain.Ended::gc).orElse(Values.NONE))
            .build(),
        failure,
        List.copyOf(warnings),
        List.of(),
        List.copyOf(steps));
  }
}
