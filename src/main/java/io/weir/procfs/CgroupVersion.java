package io.weir.procfs;

/** Which control-group hierarchies are mounted where this process can see them. */
public enum CgroupVersion {
  /** The old kind alone, one hierarchy a controller. */
  V1,
  /** The unified kind alone. */
  V2,
  /** Both; each controller lives in one of them. */
  HYBRID,
  /** None. */
  NONE
}
