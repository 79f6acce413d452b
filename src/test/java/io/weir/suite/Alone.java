package io.weir.suite;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * A class of tests that runs while no other test does, after all others, because another test would
 * disturb it. Its JVM has the compiler C2, which other tests do without. Whole classes only: each
 * class has one file of results. In a fast run it runs with the others, unless it is {@link Slow}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag(Alone.TAG)
public @interface Alone {

  /** The tag that {@code pom.xml} names. */
  String TAG = "alone";

  /** What another test would disturb. */
  String value();
}
