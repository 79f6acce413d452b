package io.weir.benchmark.whytrials;

import static io.weir.benchmark.whytrials.Cause.Disk.SPINDLE;
import static io.weir.benchmark.whytrials.Cause.Disk.VOLUME;
import static io.weir.benchmark.whytrials.Cause.Target.PLAIN;

import java.util.List;
import java.util.stream.Stream;

/** All that is tried. */
final class Causes {

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
            .arguments("200000") // documents
            .on(VOLUME, SPINDLE)
            .disk("--size", "2G")
            .memory("320M")
            .mostLooks(1));
  }

  private static Cause.Builder plain(String name, String... right) {
    return Cause.of(PLAIN, name, right);
  }
}
