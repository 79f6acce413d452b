package io.weir.agent.process;

import io.micrometer.core.instrument.MeterRegistry;
import io.weir.rate.ByteBudget;
import io.weir.rate.ProcessorShare;
import java.time.Duration;
import java.util.Objects;

/**
 * What all loaders of Lucene in a process share.
 *
 * @param budget of all merges; unlimited if they are only measured
 * @param processors that all merges use together
 * @param capped whether writers get Weir's whole setup; if not, they are only measured
 * @param idleClass whether merges of those with the whole setup compute in the idle class
 * @param slow a reopen of this duration or longer is explained
 * @param registry of all meters
 */
public record Setup(
    ByteBudget budget,
    ProcessorShare processors,
    boolean capped,
    boolean idleClass,
    Duration slow,
    MeterRegistry registry) {

  /** Refuses absent parts. */
  public Setup {
    Objects.requireNonNull(budget, "budget");
    Objects.requireNonNull(processors, "processors");
    Objects.requireNonNull(slow, "slow");
    Objects.requireNonNull(registry, "registry");
  }
}
