package io.weir.stress.noise;

import io.weir.stress.result.HostNoise;
import io.weir.stress.result.LatencySummary;
import io.weir.stress.result.Phase;
import io.weir.stress.result.Phases;
import io.weir.stress.result.RunWarning;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * From when on a machine is too noisy to believe figures of it. What was not measured finds
 * nothing.
 */
public final class NoiseRules {

  /** More is felt in the 99th percentile of whatever takes a few milliseconds. */
  static final double MOST_STEAL_PERCENT = 1;

  /** Of a JVM that does nothing: one turn in a hundred this late. */
  static final double MOST_CONTROL_P99_MILLIS = 5;

  /** Of a JVM that does nothing: the longest delay. */
  static final double MOST_CONTROL_MAX_MILLIS = 100;

  /** A quiet machine writes logs, and its file system a journal. */
  static final double MOST_FOREIGN_BYTES_PER_SECOND = 2e6;

  /** Before anything of ours runs, the disk should be idle. */
  static final double MOST_PRESSURE_BEFORE_PERCENT = 5;

  private NoiseRules() {}

  /** Of the machine before anything runs. */
  public static List<RunWarning> before(HostNoise host, LatencySummary control) {
    List<RunWarning> findings = new ArrayList<>();
    String when = "before anything ran";
    add(findings, host, when);
    add(findings, control, when);
    if (host.ioPressurePercent() != null
        && host.ioPressurePercent() > MOST_PRESSURE_BEFORE_PERCENT) {
      findings.add(
          new RunWarning(
              "tasks waited for a disk for %s %% of the time %s"
                  .formatted(brief(host.ioPressurePercent()), when),
              "another program reads or writes, or the disk still writes what one had left",
              "wait until it is done, or use another disk"));
    }
    return findings;
  }

  /** Of an arm. */
  public static List<RunWarning> during(Phases<HostNoise> host, LatencySummary control) {
    List<RunWarning> findings = new ArrayList<>();
    if (host != null) {
      for (Phase phase : Phase.MEASURED) {
        if (host.get(phase) != null) {
          add(findings, host.get(phase), phase.label() + " the merge");
        }
      }
    }
    if (control != null) {
      add(findings, control, "while the arm ran");
    }
    return findings;
  }

  private static void add(List<RunWarning> findings, HostNoise host, String when) {
    if (host.stealPercent() != null && host.stealPercent() > MOST_STEAL_PERCENT) {
      findings.add(
          new RunWarning(
              "a hypervisor took %s %% of the processors' time %s"
                  .formatted(brief(host.stealPercent()), when),
              "other virtual machines on the same host",
              "run at another time or on another machine"));
    }
    if (host.foreignDirtiedBytes() != null
        && host.foreignDirtiedBytes() > MOST_FOREIGN_BYTES_PER_SECOND * host.seconds()) {
      findings.add(
          new RunWarning(
              "others wrote %s MB to files %s"
                  .formatted(brief(host.foreignDirtiedBytes() / 1e6), when),
              "another program writes on this machine, to whichever disk",
              "stop it, and look at peak dirty with care"));
    }
  }

  private static void add(List<RunWarning> findings, LatencySummary control, String when) {
    if (control.p99Millis() > MOST_CONTROL_P99_MILLIS
        || control.maxMillis() > MOST_CONTROL_MAX_MILLIS) {
      findings.add(
          new RunWarning(
              "a JVM that does nothing came late by %s ms (p99), at worst %s ms, %s"
                  .formatted(brief(control.p99Millis()), brief(control.maxMillis()), when),
              "more threads want to run than there are processors, or the machine stood still",
              "stop what else runs, ask for less load, or give the machine more processors"));
    }
  }

  private static String brief(double value) {
    return String.format(Locale.ROOT, value < 10 ? "%.1f" : "%.0f", value);
  }
}
