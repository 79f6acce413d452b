package io.weir.stress.engine;

import java.io.IOException;
import java.util.Set;

/** The merges that the policy of an index chooses, as an engine lets a run see and cause them. */
interface NaturalMerges {

  /** Has the policy merge its large segments too, once; may return while that runs. */
  void begin() throws IOException, InterruptedException;

  /** The segments of all copies of the shards. */
  Set<EngineSegment> segments() throws IOException, InterruptedException;

  /** How many merges of all copies of the shards have ended since their nodes began. */
  long ended() throws IOException, InterruptedException;
}
