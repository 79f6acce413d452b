package io.weir.report.words;

import io.weir.stress.result.SloResult;

/** The measured value of an objective. */
public final class SloWords {
  private SloWords() {}

  /** {@code 31.20 ms}, or why there is none. */
  public static String measured(SloResult slo) {
    if (slo.value() == null) {
      return slo.reason() == null ? "not measured" : slo.reason();
    }
    return Figures.twoDecimals(slo.value()) + " " + slo.unit();
  }
}
