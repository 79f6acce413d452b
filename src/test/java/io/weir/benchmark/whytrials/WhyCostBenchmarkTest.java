package io.weir.benchmark.whytrials;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.benchmark.whytrials.Cause.Target;
import io.weir.benchmark.whytrials.WhyCostBenchmark.Pair;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the pairs say. */
class WhyCostBenchmarkTest {

  /** The medians may be of different pairs; the ratio is of each pair. */
  @Test
  void table_ofPairs_hasTheMedianOfTheirRatios() {
    List<Pair> pairs = List.of(new Pair(990, 1000), new Pair(400, 500), new Pair(1999, 2000));

    List<String> row =
        WhyCostBenchmark.table(Target.OPENSEARCH, Duration.ofMinutes(1), pairs).rows().getFirst();

    assertEquals(List.of("opensearch", "3", "1000", "990", "0.990", "0.800 to 1.000"), row);
  }
}
