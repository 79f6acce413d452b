package io.weir.stress.arm.meters;

import io.weir.run.ArmFigures;
import io.weir.run.Phase;
import io.weir.run.Values;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * The most dirty pages that were seen in each phase, the warm-up left out.
 *
 * <p><b>Threads:</b> {@link #add} from one; the rest from others may be a sample late.
 */
public final class DirtyPeaks {

  private final Map<Phase, Long> peakBytes = new EnumMap<>(Phase.class); // of the thread of add
  private volatile Optional<Long> recentBytes = Optional.empty();

  /** What a sample saw; empty where the kernel does not report it. */
  public void add(Phase phase, Optional<Long> bytes) {
    recentBytes = bytes;
    if (phase != Phase.WARMUP) {
      bytes.ifPresent(dirty -> peakBytes.merge(phase, dirty, Math::max));
    }
  }

  /** The most recent dirty bytes; empty where the kernel does not report them. */
  public Optional<Long> recentBytes() {
    return recentBytes;
  }

  /** The peaks, after the last sample; nothing where the kernel does not report them. */
  public Values values() {
    Values.Builder values =
        Values.builder().put(ArmFigures.DIRTY_PEAK, peakBytes.values().stream().max(Long::compare));
    peakBytes.forEach((phase, bytes) -> values.put(ArmFigures.DIRTY_PEAK_OF, phase, bytes));
    return values.build();
  }
}
