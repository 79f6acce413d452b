package io.weir.architecture.violations.rate;

import io.weir.architecture.violations.time.TimeUsesRate;
import org.apache.lucene.store.Directory;

/** A ring that needs the JDK alone and uses Lucene. */
public class RateUsesLucene {
  TimeUsesRate allowed;
  Directory field;
}
