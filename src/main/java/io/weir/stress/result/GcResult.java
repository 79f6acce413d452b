package io.weir.stress.result;

import java.util.List;

/**
 * The arm's garbage collections, as the JVM counts them from the begin of the warm-up on, and its
 * pauses.
 *
 * @param collections how many
 * @param seconds their accumulated time, as the collectors report it: of concurrent ones (ZGC,
 *     Shenandoah) it is the time in which they ran beside everything else, so it is not what
 *     anybody waited
 * @param collectors as the JVM names them; null in runs of before it was there
 * @param pauses by the phase in which they began; null where the JVM did not tell, and in runs of
 *     before it was there
 */
public record GcResult(
    long collections, double seconds, List<String> collectors, Phases<GcPauses> pauses) {}
