package io.weir.stress.setting;

/** What the indexing load does. */
public enum UpdateMode {
  /** Replaces a random document by its id: a delete by term and an add. */
  UPDATE,
  /**
   * Replaces a random document by its id, as search engines do: the old one is marked deleted by a
   * doc-values update, and merges keep it as long as it is among the last operations.
   */
  SOFT_UPDATE,
  /** Adds documents with new ids; deletes nothing. */
  ADD
}
