package io.weir.report.words;

import io.weir.stress.result.ArmFailure;

/** Why an arm failed. */
public final class FailureWords {
  private FailureWords() {}

  /** The reason, and the exit code if the worker had one. */
  public static String of(ArmFailure failure) {
    return failure.reason() + failure.exitCode().map(" (exit code %d)"::formatted).orElse("");
  }
}
