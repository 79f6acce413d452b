package io.weir.run;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;

/**
 * What the slow reopens of a phase waited for.
 *
 * @param list the largest first; their seconds add up to what was lost in the phase
 */
public record SlowCauses(@JsonValue List<Cause> list) {

  /** In JSON, this is the list itself. */
  @JsonCreator
  public SlowCauses {}

  /**
   * One of them, added up.
   *
   * @param cause as {@code slow-reopens.csv} spells it
   * @param label in a few words, for people
   * @param seconds of all slow reopens of that phase
   * @param share of their time: from 0 to 1
   * @param reopens in how many of them it had a part
   */
  public record Cause(String cause, String label, double seconds, double share, long reopens) {}
}
