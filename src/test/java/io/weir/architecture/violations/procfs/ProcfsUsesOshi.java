package io.weir.architecture.violations.procfs;

import oshi.hardware.HWDiskStore;

/** OSHI below host. */
public class ProcfsUsesOshi {
  HWDiskStore field;
}
