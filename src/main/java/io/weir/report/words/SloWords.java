package io.weir.report.words;

import io.weir.run.SloResult;

/** The measured value of an objective. */
public final class SloWords {
  private SloWords() {}

  /** {@code 31.20 ms}, or why there is none. */
  public static String measured(SloResult slo) {
    return slo.value()
        .map(value -> Figures.twoDecimals(value) + " " + slo.unit())
        .or(slo::reason)
        .orElse("not measured");
  }
}
