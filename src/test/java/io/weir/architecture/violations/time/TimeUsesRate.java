package io.weir.architecture.violations.time;

import io.weir.architecture.violations.rate.RateUsesLucene;

/** A lower ring that uses a higher one, and so closes a circle. */
public class TimeUsesRate {
  RateUsesLucene field;
}
