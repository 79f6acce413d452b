package io.weir.procfs;

/** The control-group hierarchies that are visible to this process. */
public enum CgroupVersion {
  /** Version 1 only: one hierarchy per controller. */
  V1,
  /** Version 2 only: the unified hierarchy. */
  V2,
  /** Both; each controller is in one of them. */
  HYBRID,
  /** None. */
  NONE
}
