package io.weir.architecture.violations.stress;

import picocli.CommandLine;

/** The command line's parser below the command line. */
public class StressUsesPicocli {
  CommandLine field;
}
