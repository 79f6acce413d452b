package io.weir.benchmark.whytrials;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * One thing that is wrong with a target, as data.
 *
 * @param target what is ill
 * @param name of the illness, as the target's program knows it; {@link #HEALTHY} if nothing is
 *     wrong
 * @param right the rules of {@code weir why} any of which is the right answer; none if nothing is
 *     wrong
 * @param disks on which it is tried
 * @param arguments for the target's program, after the illness and the directory of the index
 * @param needs what is around the target
 */
record Cause(
    Target target,
    String name,
    Set<String> right,
    List<Disk> disks,
    List<String> arguments,
    Needs needs) {

  static final String HEALTHY = "nothing";

  private static final int USUAL_LOOKS = 5;

  Cause {
    right = Set.copyOf(right);
    disks = List.copyOf(disks);
    arguments = List.copyOf(arguments);
  }

  /** What is looked at. */
  enum Target {
    /** An application with stock Lucene. */
    PLAIN,
    OPENSEARCH,
    ELASTICSEARCH,
    SOLR;

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Where the index is. */
  enum Disk {
    /** A cloud volume with its limits. */
    VOLUME,
    /** One head that seeks. */
    SPINDLE,
    /** That of the directory of the benchmarks. */
    OWN;

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }

    boolean isModel() {
      return this != OWN;
    }
  }

  /** What other processes do all the time, most with a file on the disk of the index. */
  enum Neighbour {
    /** Four at a time. */
    READS(
        "dd if=/dev/zero of=\"$0\" bs=1M count=128 oflag=direct status=none; for i in 0 1 2 3; do while dd"
            + " if=\"$0\" of=/dev/null bs=1M skip=$((32 * i)) iflag=direct status=none; do :; done & done;"
            + " wait"),
    WRITES(
        "while dd if=/dev/zero of=\"$0\" bs=1M count=128 oflag=direct conv=notrunc status=none; do :; done"),
    /** Four for each processor, so that little of it is left. */
    COMPUTES("for i in $(seq $((4 * $(nproc)))); do while :; do :; done & done; wait");

    private final String script;

    Neighbour(String script) {
      this.script = script;
    }

    /** What {@code bash} runs; {@code $0} is the file, which it makes if it needs one. */
    String script() {
      return script;
    }
  }

  /**
   * What is around a target.
   *
   * @param heap of its JVM
   * @param memory of the target with its page cache, as {@code tools/slow-disk run} takes it
   * @param processorPercent of one processor that its control group may use
   * @param neighbour of the disk
   * @param diskOptions for {@code tools/slow-disk up}, of a disk that is a model
   * @param mostLooks at one target before it is started anew; fewer than usual if its illness ends
   *     by itself
   */
  record Needs(
      String heap,
      Optional<String> memory,
      OptionalInt processorPercent,
      Optional<Neighbour> neighbour,
      List<String> diskOptions,
      int mostLooks) {

    Needs {
      diskOptions = List.copyOf(diskOptions);
      if (memory.isPresent() && processorPercent.isPresent()) {
        throw new IllegalArgumentException(
            "a cause must bound memory or processors: a version 2 control group is one for both");
      }
    }

    /** Whether the illness ends by itself. */
    boolean isBrief() {
      return mostLooks < USUAL_LOOKS;
    }
  }

  boolean isHealthy() {
    return right.isEmpty();
  }

  /** A cause with nothing special around it, on any disk. */
  static Builder of(Target target, String name, String... right) {
    return new Builder(target, name, Set.of(right));
  }

  /** Makes a cause. */
  static final class Builder {

    private final Target target;
    private final String name;
    private final Set<String> right;
    private List<Disk> disks = List.of(Disk.values());
    private List<String> arguments = List.of();
    private String heap = "128m";
    private Optional<String> memory = Optional.empty();
    private OptionalInt processorPercent = OptionalInt.empty();
    private Optional<Neighbour> neighbour = Optional.empty();
    private List<String> diskOptions = List.of("--size", "1G");
    private int mostLooks = USUAL_LOOKS;

    private Builder(Target target, String name, Set<String> right) {
      this.target = target;
      this.name = name;
      this.right = right;
    }

    Builder arguments(String... more) {
      arguments = List.of(more);
      return this;
    }

    Builder on(Disk... only) {
      disks = List.of(only);
      return this;
    }

    Builder heap(String most) {
      heap = most;
      return this;
    }

    Builder memory(String most) {
      memory = Optional.of(most);
      return this;
    }

    Builder processor(int percent) {
      processorPercent = OptionalInt.of(percent);
      return this;
    }

    Builder beside(Neighbour other) {
      neighbour = Optional.of(other);
      return this;
    }

    Builder disk(String... options) {
      diskOptions = List.of(options);
      return this;
    }

    /** Of an illness that ends by itself. */
    Builder mostLooks(int looks) {
      mostLooks = looks;
      return this;
    }

    Cause build() {
      return new Cause(
          target,
          name,
          right,
          disks,
          arguments,
          new Needs(heap, memory, processorPercent, neighbour, diskOptions, mostLooks));
    }
  }
}
