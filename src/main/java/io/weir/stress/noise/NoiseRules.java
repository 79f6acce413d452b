package io.weir.stress.noise;

import io.weir.run.ArmFigures;
import io.weir.run.HostNoise;
import io.weir.run.LatencySummary;
import io.weir.run.Phase;
import io.weir.run.RunWarning;
import io.weir.run.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** When a machine is too noisy to trust its figures. What was not measured yields no finding. */
public final class NoiseRules {

  /** More shows in the 99th percentile of anything that takes a few milliseconds. */
  static final double MOST_STEAL_PERCENT = 1;

  /** In a JVM that does nothing, one wake-up in a hundred is this late. */
  static final double MOST_CONTROL_P99_MILLIS = 5;

  /** In a JVM that does nothing, the longest delay. */
  static final double MOST_CONTROL_MAX_MILLIS = 100;

  /** Even a quiet machine writes logs, and its file system a journal. */
  static final double MOST_FOREIGN_BYTES_PER_SECOND = 2e6;

  /** Before the run, the disk should be idle. */
  static final double MOST_PRESSURE_BEFORE_PERCENT = 5;

  private NoiseRules() {}

  /** Findings before anything runs. */
  public static List<RunWarning> before(HostNoise host, LatencySummary control) {
    List<RunWarning> findings = new ArrayList<>();
    String when = "before anything ran";
    add(findings, host, when);
    add(findings, control, when);
    host.ioPressurePercent()
        .filter(percent -> percent > MOST_PRESSURE_BEFORE_PERCENT)
        .ifPresent(
            percent ->
                findings.add(
                    new RunWarning(
                        "tasks waited for a disk for %s %% of the time %s"
                            .formatted(brief(percent), when),
                        "another program reads or writes, or the disk still writes what one had"
                            + " left",
                        "wait until it is done, or use another disk")));
    return findings;
  }

  /** Findings during an arm. */
  public static List<RunWarning> during(Values arm, LatencySummary control) {
    List<RunWarning> findings = new ArrayList<>();
    for (Phase phase : Phase.MEASURED) {
      arm.get(ArmFigures.NOISE_HOST, phase)
          .ifPresent(noise -> add(findings, noise, phase.label() + " the merge"));
    }
    add(findings, control, "while the arm ran");
    return findings;
  }

  /**
   * Findings of one period.
   *
   * @param when the period, for the sentences: {@code while the cell ran}
   */
  public static List<RunWarning> during(
      Optional<HostNoise> host, LatencySummary control, String when) {
    List<RunWarning> findings = new ArrayList<>();
    host.ifPresent(noise -> add(findings, noise, when));
    add(findings, control, when);
    return findings;
  }

  private static void add(List<RunWarning> findings, HostNoise host, String when) {
    host.stealPercent()
        .filter(percent -> percent > MOST_STEAL_PERCENT)
        .ifPresent(
            percent ->
                findings.add(
                    new RunWarning(
                        "a hypervisor took %s %% of the processors' time %s"
                            .formatted(brief(percent), when),
                        "other virtual machines on the same host",
                        "run at another time or on another machine")));
    host.foreignDirtiedBytes()
        .filter(bytes -> bytes > MOST_FOREIGN_BYTES_PER_SECOND * host.seconds())
        .ifPresent(
            bytes ->
                findings.add(
                    new RunWarning(
                        "others wrote %s MB to files %s".formatted(brief(bytes / 1e6), when),
                        "another program writes on this machine, to whichever disk",
                        "stop it, and look at peak dirty with care")));
  }

  private static void add(List<RunWarning> findings, LatencySummary control, String when) {
    if (control.p99Millis() > MOST_CONTROL_P99_MILLIS
        || control.maxMillis() > MOST_CONTROL_MAX_MILLIS) {
      findings.add(
          new RunWarning(
              "a thread of an idle JVM woke up %s ms late (p99), at worst %s ms, %s"
                  .formatted(brief(control.p99Millis()), brief(control.maxMillis()), when),
              "more threads want to run than there are processors, or the machine stood still",
              "stop what else runs, ask for less load, or give the machine more processors"));
    }
  }

  private static String brief(double value) {
    return String.format(Locale.ROOT, value < 10 ? "%.1f" : "%.0f", value);
  }
}
