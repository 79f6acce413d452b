package io.weir.suite;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * A test that {@code tools/test} leaves to {@code tools/test --long}, because it repeats for longer
 * what another test does once: more rounds, more versions, more servers. That other test stays in
 * {@code tools/test}; {@code value} names it.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Tag(LongRun.TAG)
public @interface LongRun {

  /** The tag that {@code pom.xml} names. */
  String TAG = "long";

  /** What it adds, and to which test of {@code tools/test}. */
  String value();
}
