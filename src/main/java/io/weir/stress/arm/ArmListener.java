package io.weir.stress.arm;

/** Is told, about once a second, how far an arm is. */
public interface ArmListener {

  /**
   * @param stage what the arm does now
   * @param fraction how much of it is done, from 0 to 1; null when that cannot be told
   * @param detail the figures of the moment, fit for a person
   */
  void progress(String stage, Double fraction, String detail);
}
