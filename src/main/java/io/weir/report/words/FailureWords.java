package io.weir.report.words;

import io.weir.stress.result.ArmFailure;

/** Why an arm failed. */
public final class FailureWords {
  private FailureWords() {}

  /** The reason, and the exit code if the worker had one. */
  public static String of(ArmFailure failure) {
    if (failure == null || failure.reason() == null) {
      return "no reason was recorded";
    }
    return failure.reason()
        + (failure.exitCode() == null ? "" : " (exit code %d)".formatted(failure.exitCode()));
  }
}
