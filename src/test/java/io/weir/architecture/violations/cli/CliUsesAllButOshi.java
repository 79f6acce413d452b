package io.weir.architecture.violations.cli;

import io.weir.architecture.violations.stress.StressUsesPicocli;
import oshi.hardware.HWDiskStore;
import picocli.CommandLine;

/** The top ring, which may use all but the libraries of one package alone. */
public class CliUsesAllButOshi {
  StressUsesPicocli allowed;
  CommandLine allowedToo;
  HWDiskStore field;
}
