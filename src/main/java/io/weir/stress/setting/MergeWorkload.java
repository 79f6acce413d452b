package io.weir.stress.setting;

/** Which large merge an arm runs. */
public enum MergeWorkload {
  /** {@code forceMerge(1)}: the whole index into one segment. */
  FORCED,
  /** The merges that the policy chooses when it is asked once for two segments a tier. */
  NATURAL,
  /** No large merge: only the small ones that updates cause. */
  NONE
}
