package io.weir.benchmark.whytrials;

import static io.weir.benchmark.whytrials.Cause.Disk.SPINDLE;
import static io.weir.benchmark.whytrials.Cause.Disk.VOLUME;
import static io.weir.benchmark.whytrials.Cause.Target.ELASTICSEARCH;
import static io.weir.benchmark.whytrials.Cause.Target.OPENSEARCH;
import static io.weir.benchmark.whytrials.Cause.Target.PLAIN;
import static io.weir.benchmark.whytrials.Cause.Target.SOLR;

import io.weir.benchmark.whytrials.Cause.Target;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** All that is tried. */
final class Causes {

  /** Not much more than each needs to start. */
  private static final Map<Target, String> SMALL_HEAPS =
      Map.of(OPENSEARCH, "112m", ELASTICSEARCH, "144m", SOLR, "80m");

  /** Of an index that is larger than the page cache. */
  private static final String DOCUMENTS = "200000";

  static final List<Cause> ALL =
      Stream.of(
              ofThePlainApplication(),
              ofAnEngine(OPENSEARCH),
              ofAnEngine(ELASTICSEARCH),
              ofAnEngine(SOLR),
              ofRefreshIntervals(OPENSEARCH),
              ofRefreshIntervals(ELASTICSEARCH))
          .flatMap(causes -> causes)
          .map(Cause.Builder::build)
          .toList();

  private Causes() {}

  private static Stream<Cause.Builder> ofThePlainApplication() {
    return Stream.of(
        plain(Cause.HEALTHY),
        plain("merge-wait", "merge-wait"),
        plain("merge-stall", "merge-stall"),
        plain("serial-merges", "serial-merges"),
        plain("warming", "warming"),
        plain("listener", "listeners"),
        plain("refresh-by-request", "refresh-by-request"),
        plain("small-heap", "small-heap").heap("64m"),
        plain("forced-merge", "merge-on-busy-disk", "merge-in-page-faults")
            .arguments("300000") // or the merge is over before a look is
            .on(VOLUME, SPINDLE)
            .disk("--size", "4G")
            .memory("320M")
            .mostLooks(1),
        plain("slow-commit", "slow-commit").on(SPINDLE),
        plain("neighbour", "neighbour")
            .on(VOLUME, SPINDLE)
            .disk("--size", "1G", "--mbps", "30")
            .beside(Cause.Neighbour.READS),
        plain("volume-limit", "volume-limit")
            .arguments(DOCUMENTS)
            .on(VOLUME)
            .disk("--size", "2G", "--iops", "300", "--mbps", "20")
            .memory("320M"),
        plain("many-segments", "many-segments"),
        plain("processor-quota", "processor-quota").processor(15),
        plain("no-processor", "no-processor").beside(Cause.Neighbour.COMPUTES));
  }

  private static Cause.Builder plain(String name, String... right) {
    return Cause.of(PLAIN, name, right);
  }

  private static Stream<Cause.Builder> ofAnEngine(Target target) {
    return Stream.of(
        engine(target, Cause.HEALTHY),
        engine(target, "refresh-by-request", "refresh-by-request"),
        engine(target, "small-heap", "small-heap").heap(SMALL_HEAPS.get(target)),
        engine(target, "many-segments", "many-segments"),
        engine(target, "processor-quota", "processor-quota").processor(20),
        engine(target, "forced-merge", "merge-on-busy-disk", "merge-in-page-faults")
            .on(VOLUME, SPINDLE)
            .disk("--size", "2G")
            .memory("1100M")
            .mostLooks(2));
  }

  /** What Solr has no settings for. */
  private static Stream<Cause.Builder> ofRefreshIntervals(Target target) {
    return Stream.of(
        engine(target, "refresh-interval", "refresh-interval"),
        engine(target, "indexing-throttled", "indexing-throttled"));
  }

  private static Cause.Builder engine(Target target, String name, String... right) {
    return Cause.of(target, name, right).heap("512m");
  }
}
