package io.weir.stress.arm;

import java.util.OptionalDouble;

/** Follows the progress of an arm. */
public interface ArmListener {

  /**
   * Called about once a second.
   *
   * @param stage what the arm does now
   * @param fraction the share of it that is done, from 0 to 1; empty where it is unknown
   * @param detail the current figures, for people
   */
  void progress(String stage, OptionalDouble fraction, String detail);
}
