package io.weir.stress.plan;

/** Which large merge an arm runs. */
public enum MergeKind {
  /** {@code forceMerge(1)}: the whole index into one segment. */
  FORCED,
  /** The merge policy is told to allow two segments a tier and merges by itself until content. */
  NATURAL,
  /** No large merge: only the small ones that updates cause. */
  NONE
}
