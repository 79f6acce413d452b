package io.weir.benchmark.whytrials;

import static io.weir.benchmark.whytrials.Cause.Disk.SPINDLE;
import static io.weir.benchmark.whytrials.Cause.Disk.VOLUME;
import static io.weir.benchmark.whytrials.Cause.Target.PLAIN;

import java.util.List;
import java.util.stream.Stream;

/** All that is tried. */
final class Causes {

  private static final String DOCUMENTS = "200000";

  static final List<Cause> ALL = ofThePlainApplication().map(Cause.Builder::build).toList();

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
        plain("forced-merge", "merge-on-busy-disk")
            .arguments(DOCUMENTS)
            .on(VOLUME, SPINDLE)
            .disk("--size", "2G")
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
        plain("processor-quota", "processor-quota").processor(10),
        plain("no-processor", "no-processor").beside(Cause.Neighbour.COMPUTES));
  }

  private static Cause.Builder plain(String name, String... right) {
    return Cause.of(PLAIN, name, right);
  }
}
