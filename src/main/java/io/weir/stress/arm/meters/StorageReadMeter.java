package io.weir.stress.arm.meters;

import io.weir.procfs.FaultCounters;
import io.weir.procfs.IoCounters;
import io.weir.procfs.Procfs;
import io.weir.stress.result.Phase;
import io.weir.stress.result.Phases;
import io.weir.stress.result.StorageReads;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What this process fetches from storage, phase by phase.
 *
 * <p><b>Threads:</b> one.
 */
public final class StorageReadMeter {

  private final Procfs procfs;
  private final Map<Phase, StorageReads> ended = new EnumMap<>(Phase.class);
  private Phase phase; // null before the first and after the last
  private StorageReads entered;

  public StorageReadMeter(Procfs procfs) {
    this.procfs = procfs;
  }

  /** The phase before ends and {@code next} begins, now. */
  public void enter(Phase next) {
    StorageReads now = now();
    if (phase != null) {
      ended.put(
          phase,
          new StorageReads(
              grown(now.majorFaults(), entered.majorFaults()),
              grown(now.readBytes(), entered.readBytes())));
    }
    phase = next;
    entered = now;
  }

  /** The last phase ends now, unless it has ended before. */
  public void end() {
    enter(null);
  }

  /** Of the warm-up; null before it has ended. */
  public StorageReads warmup() {
    return ended.get(Phase.WARMUP);
  }

  /** Of each phase that has ended; null for the others. */
  public Phases<StorageReads> phases() {
    return Phases.each(ended::get);
  }

  private StorageReads now() {
    return new StorageReads(
        box(procfs.selfFaults().map(FaultCounters::majorFaults).orElse(OptionalLong.empty())),
        box(procfs.selfIo().map(IoCounters::readBytes).orElse(OptionalLong.empty())));
  }

  private static Long grown(Long now, Long earlier) {
    return now == null || earlier == null ? null : Math.max(0, now - earlier);
  }

  private static Long box(OptionalLong value) {
    return value.isPresent() ? value.getAsLong() : null;
  }
}
