package io.weir.architecture.violations.stray;

/** A package that the design does not name. */
public class Stray {
  int field;
}
