package io.weir.suite;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * A test that {@code tools/test --fast} leaves out, because it starts processes, runs for a given
 * time, or repeats an experiment until a rate is known. {@link SlowTest} holds that each test which
 * starts a process has this.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Tag(Slow.TAG)
public @interface Slow {

  /** The tag that {@code pom.xml} names. */
  String TAG = "slow";

  /** What takes the time. */
  String value();
}
