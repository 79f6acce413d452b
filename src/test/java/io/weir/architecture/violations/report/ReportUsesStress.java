package io.weir.architecture.violations.report;

import io.weir.architecture.violations.stress.StressUsesPicocli;

/** A renderer that reaches past the document of a run. */
public class ReportUsesStress {
  StressUsesPicocli field;
}
