package io.weir.report.words;

import io.weir.report.model.CapCurves;
import io.weir.run.Part;
import io.weir.run.Run;
import io.weir.run.SloResult;
import io.weir.run.SweepAnswer;
import io.weir.run.SweepPoint;
import io.weir.run.SweepPoint.Verdict;
import io.weir.run.SweepResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The result of a sweep, in a sentence for each kind of arm. */
public record SweepWords(Run run, SweepResult sweep) {

  /** One for each kind; empty for a run that is no sweep. */
  public static List<Headline> of(Run run) {
    return run.sweep().map(sweep -> new SweepWords(run, sweep).headlines()).orElse(List.of());
  }

  /** What all kinds of arms need to meet the objectives; empty for a run that is no sweep. */
  static Optional<String> answer(Run run) {
    return run.sweep()
        .filter(sweep -> !sweep.answers().isEmpty())
        .map(sweep -> new SweepWords(run, sweep).answer());
  }

  /** {@code For reopen.p99 < 100ms, weir is best with cap=40MB/s (87.00 ms, merge 38 s); ...}. */
  private String answer() {
    return "For %s, %s."
        .formatted(
            String.join(" and ", sweep.objectives()),
            sweep.answers().stream().map(this::need).collect(Collectors.joining("; ")));
  }

  private String need(SweepAnswer answer) {
    return switch (answer.status()) {
      case FOUND -> {
        SweepPoint point = point(answer);
        String figures =
            point.slos().stream().map(SloWords::measured).collect(Collectors.joining(", "));
        yield "%s %s (%s, merge %s)"
            .formatted(
                answer.kind(),
                answer.capBytesPerSecond().isEmpty()
                    ? "needs no cap"
                    : "is best with " + cap(point),
                figures,
                Figures.seconds(point.figures().get("merge.seconds")));
      }
      case NONE -> "no cap that was tried is right for " + answer.kind();
      case UNKNOWN -> "the search for %s did not finish".formatted(answer.kind());
    };
  }

  private List<Headline> headlines() {
    return sweep.answers().stream()
        .map(answer -> new Headline(answer.kind(), sentence(answer)))
        .toList();
  }

  private String sentence(SweepAnswer answer) {
    String sentence =
        switch (answer.status()) {
          case FOUND -> found(answer, point(answer));
          case NONE -> none(point(answer));
          case UNKNOWN -> unknown(answer);
        };
    String lifted = answer.arm().map(arm -> lifted(point(arm))).orElse("");
    return answer.contradictions().isEmpty()
        ? sentence + lifted
        : sentence
            + lifted
            + "; contradicted by: "
            + answer.contradictions().stream()
                .map(arm -> arm + " " + word(point(arm).verdict()))
                .collect(Collectors.joining(", "));
  }

  /** Warns that some figures were not measured under that cap. */
  private static String lifted(SweepPoint point) {
    return point
        .liftedRounds()
        .filter(rounds -> rounds > 0)
        .map(
            rounds ->
                "; the cap was lifted in %d of %s, because too many merges were waiting"
                    .formatted(rounds, Figures.count(point.rounds(), "round")))
        .orElse("");
  }

  private String found(SweepAnswer answer, SweepPoint point) {
    String met = met(point);
    String rounds = ", by the median of " + Figures.count(point.rounds(), "round");
    String took = Figures.seconds(point.figures().get("merge.seconds"));
    if (answer.capBytesPerSecond().isEmpty()) {
      return "no cap is needed: without one it met %s%s; the merge took %s"
          .formatted(met, rounds, took);
    }
    List<SweepPoint> others =
        ofKind(answer).stream().filter(p -> p.verdict() == Verdict.MET).toList();
    long cap = answer.capBytesPerSecond().get();
    boolean highest =
        others.stream().allMatch(p -> p.capBytesPerSecond().orElse(Long.MAX_VALUE) <= cap);
    return "%s %s %s%s; the merge took %s%s"
        .formatted(
            cap(point),
            highest
                ? "is the highest that met"
                : "has the shortest merge of the %d that met".formatted(others.size()),
            met,
            rounds,
            took,
            point
                .mergeTimesUncapped()
                .map(times -> ", %s times the uncapped one's".formatted(Figures.twoDecimals(times)))
                .orElse(""));
  }

  private String none(SweepPoint lowest) {
    String where =
        lowest.capBytesPerSecond().isEmpty()
            ? "no cap could be tried; without one "
            : "no cap met the objectives; with the lowest, " + cap(lowest) + ", ";
    return where
        + (lowest.verdict() == Verdict.FAILED
            ? "the arm failed"
            : lowest.slos().stream()
                .filter(slo -> !slo.met())
                .map(SweepWords::missed)
                .collect(Collectors.joining(", and ")));
  }

  /** {@code reopen.p99 < 100ms was missed by 30 ms: 130 ms}. */
  private static String missed(SloResult slo) {
    String by =
        slo.value()
            .map(value -> " by " + Figures.twoDecimals(Math.abs(value - slo.bound())))
            .map(distance -> distance + " " + slo.unit())
            .orElse("");
    return slo.slo() + " was missed" + by + ": " + SloWords.measured(slo);
  }

  private String unknown(SweepAnswer answer) {
    List<SweepPoint> points = ofKind(answer);
    List<String> parts = new ArrayList<>();
    answer
        .arm()
        .map(this::point)
        .ifPresent(
            best ->
                parts.add(
                    "so far %s met %s%s"
                        .formatted(
                            cap(best),
                            met(best),
                            answer.confirmed() ? "" : ", not yet confirmed")));
    Map<Verdict, List<SweepPoint>> others =
        points.stream()
            .filter(point -> !answer.arm().equals(Optional.of(point.arm())))
            .collect(Collectors.groupingBy(SweepPoint::verdict));
    for (Verdict verdict : Verdict.values()) {
      if (others.containsKey(verdict)) {
        parts.add(
            others.get(verdict).stream().map(this::cap).collect(Collectors.joining(" and "))
                + " "
                + word(verdict));
      }
    }
    return "the search did not finish; "
        + (parts.isEmpty() ? "nothing was measured" : String.join("; ", parts));
  }

  /** {@code reopen.p99 < 100ms (87.00 ms) and dirty.peak < 200MB (150.00 MB)}. */
  private static String met(SweepPoint point) {
    return point.slos().stream()
        .map(slo -> "%s (%s)".formatted(slo.slo(), SloWords.measured(slo)))
        .collect(Collectors.joining(" and "));
  }

  private static String word(Verdict verdict) {
    return switch (verdict) {
      case MET -> "met";
      case MISSED -> "missed";
      case FAILED -> "failed";
      case OPEN -> "is not finished";
    };
  }

  /** The setting, {@code cap=42MB/s}. */
  private String cap(SweepPoint point) {
    if (point.capBytesPerSecond().isEmpty()) {
      return "uncapped";
    }
    return run.parts().stream()
        .filter(arm -> arm.name().equals(point.arm()))
        .map((Part arm) -> CapCurves.capOption(arm))
        .findFirst()
        .orElse(point.arm());
  }

  private List<SweepPoint> ofKind(SweepAnswer answer) {
    return sweep.points().stream().filter(p -> p.kind().equals(answer.kind())).toList();
  }

  private SweepPoint point(SweepAnswer answer) {
    return point(answer.arm().orElseThrow());
  }

  private SweepPoint point(String arm) {
    return sweep.points().stream().filter(p -> p.arm().equals(arm)).findFirst().orElseThrow();
  }
}
