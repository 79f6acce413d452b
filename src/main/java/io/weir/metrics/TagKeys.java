package io.weir.metrics;

/** Keys of tags; the values of each are few and known, but for budgets and disks. */
final class TagKeys {

  static final String BUDGET = "budget";
  static final String KIND = "kind";
  static final String OUTCOME = "outcome";
  static final String RESULT = "result";
  static final String PHASE = "phase";
  static final String SCOPE = "scope";
  static final String LEVEL = "level";
  static final String STALL = "stall";
  static final String DISK = "disk";
  static final String CONTENTS = "contents";

  private TagKeys() {}
}
