package io.weir.stress.arm.meters;

import io.weir.procfs.Procfs;
import io.weir.run.ArmFigures;
import io.weir.run.Phase;
import io.weir.run.Values;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What this process reads from storage, phase by phase.
 *
 * <p><b>Threads:</b> one.
 */
public final class StorageReadMeter implements Meter {

  /** A figure that the kernel does not report is empty. */
  private record StorageReads(Optional<Long> majorFaults, Optional<Long> readBytes) {}

  private record Entered(Phase phase, StorageReads before) {}

  private final Procfs procfs;
  private final Map<Phase, StorageReads> ended = new EnumMap<>(Phase.class);
  private Optional<Entered> current = Optional.empty(); // empty before the first and after the last

  /** Reads the counters of this process under {@code procfs}. */
  public StorageReadMeter(Procfs procfs) {
    this.procfs = procfs;
  }

  @Override
  public void begin(Phase next) {
    StorageReads now = now();
    leave(now);
    current = Optional.of(new Entered(next, now));
  }

  @Override
  public void end() {
    leave(now());
    current = Optional.empty();
  }

  /** The reads of the warm-up and of each phase that has ended. */
  @Override
  public Values values() {
    Values.Builder values = Values.builder();
    ended.forEach(
        (phase, reads) ->
            values
                .put(
                    phase == Phase.WARMUP
                        ? ArmFigures.WARM_UP_MAJOR_FAULTS
                        : ArmFigures.MAJOR_FAULTS.of(phase),
                    reads.majorFaults())
                .put(
                    phase == Phase.WARMUP
                        ? ArmFigures.WARM_UP_READ_BYTES
                        : ArmFigures.READ_BYTES.of(phase),
                    reads.readBytes()));
    return values.build();
  }

  private void leave(StorageReads now) {
    current.ifPresent(
        entered ->
            ended.put(
                entered.phase(),
                new StorageReads(
                    growth(now.majorFaults(), entered.before().majorFaults()),
                    growth(now.readBytes(), entered.before().readBytes()))));
  }

  private StorageReads now() {
    return new StorageReads(
        procfs.selfFaults().flatMap(faults -> boxed(faults.majorFaults())),
        procfs.selfIo().flatMap(io -> boxed(io.readBytes())));
  }

  private static Optional<Long> growth(Optional<Long> now, Optional<Long> before) {
    return now.flatMap(to -> before.map(from -> Math.max(0, to - from)));
  }

  private static Optional<Long> boxed(OptionalLong value) {
    return value.isPresent() ? Optional.of(value.getAsLong()) : Optional.empty();
  }
}
