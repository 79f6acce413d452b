package io.weir.architecture.violations.report;

import io.weir.architecture.violations.stress.StressUsesPicocli;

/** A renderer that reaches past the result records. */
public class ReportUsesStress {
  StressUsesPicocli field;
}
