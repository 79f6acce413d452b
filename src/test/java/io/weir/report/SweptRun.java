package io.weir.report;

import io.weir.run.Part;
import io.weir.run.RunFigure;
import io.weir.run.SloResult;
import io.weir.run.SweepAnswer;
import io.weir.run.SweepAnswer.Status;
import io.weir.run.SweepPoint;
import io.weir.run.SweepPoint.Verdict;
import io.weir.run.SweepResult;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A run that looks like a sweep: three caps of ours, and theirs without one. */
public final class SweptRun {

  public static final String BOUND = "reopen.p99 < 100ms";
  public static final String RATIO = "merge.seconds < 9x uncapped";

  private SweptRun() {}

  /** It found 40MB/s for ours, and nothing for theirs. */
  public static SampleRun sample() {
    return sample(
        List.of(
            new SweepAnswer(
                "ours",
                Status.FOUND,
                Optional.of("ours 40MB/s"),
                Optional.of(40_000_000L),
                true,
                List.of()),
            new SweepAnswer(
                "theirs",
                Status.NONE,
                Optional.of("theirs uncapped"),
                Optional.empty(),
                false,
                List.of())));
  }

  public static SampleRun sample(List<SweepAnswer> answers) {
    SampleRun run = new SampleRun();
    for (int round = 1; round <= 2; round++) {
      run.arm("theirs uncapped", round, 0);
      for (int cap : new int[] {40, 10, 20}) {
        run.arm("ours " + cap + "MB/s", round, cap);
      }
    }
    List<Part> arms = run.result().parts();
    return run.sweep(
        new SweepResult(
            List.of(BOUND, RATIO),
            1,
            List.of(
                point(arms, "ours", 40, Verdict.MET),
                point(arms, "theirs", 0, Verdict.MISSED),
                point(arms, "ours", 10, Verdict.MISSED),
                point(arms, "ours", 20, Verdict.MET)),
            answers));
  }

  private static SweepPoint point(List<Part> arms, String kind, int cap, Verdict verdict) {
    String name = kind + (cap == 0 ? " uncapped" : " " + cap + "MB/s");
    List<Part> rounds = arms.stream().filter(arm -> arm.name().equals(name)).toList();
    boolean met = verdict == Verdict.MET;
    double millis = RunFigure.REOPEN_P99.median(rounds).orElseThrow();
    double seconds = RunFigure.MERGE_SECONDS.median(rounds).orElseThrow();
    return new SweepPoint(
        name,
        kind,
        cap == 0 ? Optional.empty() : Optional.of(cap * 1_000_000L),
        rounds.size(),
        verdict,
        Map.of("reopen.p99", millis, "merge.seconds", seconds),
        Optional.of(cap == 0 ? 1.0 : 1.5),
        cap == 0 ? Optional.empty() : Optional.of(cap == 10 ? 1 : 0),
        List.of(
            new SloResult(BOUND, name, Optional.of(millis), 100, "ms", met, Optional.empty()),
            new SloResult(RATIO, name, Optional.of(1.5), 9, "x", true, Optional.empty())));
  }
}
