package io.weir.control;

/** Whose operations an {@link OperationsCap} counts. */
public enum OperationsScope {
  /**
   * Those that the device completes, whoever asked for them, as a cloud volume counts them. A cap
   * that names no scope has this one.
   */
  DEVICE("the device"),

  /**
   * Those of this process's control group (version 2), as the kernel counts them before it merges
   * adjacent ones. So the limit of a container holds whatever its neighbours do. What the kernel
   * does for a group, such as the journal of a file system, may be counted elsewhere.
   */
  GROUP("the control group");

  private final String text;

  OperationsScope(String text) {
    this.text = text;
  }

  /** In words. */
  public String text() {
    return text;
  }
}
