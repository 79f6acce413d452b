package io.weir.benchmark.kit;

/** Something that can be measured by its name. */
public interface Benchmark {

  /** As it is called on the command line. */
  String name();

  /** What it shows, in one line. */
  String summary();

  /** Measures; takes minutes in full and some seconds when quick. */
  TextTable run(Conditions conditions) throws Exception;
}
