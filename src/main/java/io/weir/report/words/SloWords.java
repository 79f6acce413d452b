package io.weir.report.words;

import io.weir.stress.result.SloResult;

/** What an objective came to. */
public final class SloWords {
  private SloWords() {}

  /** {@code 31.2 ms}, or why it is not known. */
  public static String measured(SloResult slo) {
    if (slo.value() == null) {
      return slo.reason() == null ? "not measured" : slo.reason();
    }
    return Figures.twoDecimals(slo.value()) + " " + slo.unit();
  }
}
