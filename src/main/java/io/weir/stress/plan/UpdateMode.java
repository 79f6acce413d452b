package io.weir.stress.plan;

/** What the indexing load does. */
public enum UpdateMode {
  /** Replaces a random document by its id: a delete by term and an add. */
  UPDATE,
  /** Adds documents with new ids; deletes nothing. */
  ADD
}
