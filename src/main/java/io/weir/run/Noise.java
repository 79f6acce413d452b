package io.weir.run;

import java.util.List;

/**
 * How quiet the machine was in a period.
 *
 * @param values what was measured of it
 * @param findings what makes figures doubtful; empty on a quiet machine
 */
public record Noise(Values values, List<RunWarning> findings) {

  /** Whether anything makes figures doubtful. */
  public boolean isNoisy() {
    return !findings.isEmpty();
  }
}
