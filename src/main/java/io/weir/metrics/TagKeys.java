package io.weir.metrics;

/** Tag keys; each has few known values, except budgets and disks. */
final class TagKeys {

  static final String BUDGET = "budget";
  static final String KIND = "kind";
  static final String OUTCOME = "outcome";
  static final String RESULT = "result";
  static final String CAUSE = "cause";
  static final String PHASE = "phase";
  static final String PART = "part";
  static final String SCOPE = "scope";
  static final String LEVEL = "level";
  static final String STALL = "stall";
  static final String DISK = "disk";
  static final String LATENCY = "latency";
  static final String REASON = "reason";
  static final String CONTENTS = "contents";

  private TagKeys() {}
}
