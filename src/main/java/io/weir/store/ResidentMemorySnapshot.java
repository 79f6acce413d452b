package io.weir.store;

import static io.weir.figure.Shown.ANSWER;
import static io.weir.figure.Shown.METER;
import static io.weir.figure.SourceFigure.level;
import static io.weir.figure.SourceFigure.total;
import static io.weir.figure.Unit.BYTES;
import static io.weir.figure.Unit.COUNT;
import static io.weir.figure.Unit.NANOS;

import io.weir.figure.SourceFigures;
import java.time.Duration;
import java.util.Objects;

/**
 * The figures of a {@link ResidentMemory} at one moment.
 *
 * @param bytes bytes held now
 * @param peakBytes maximum held at one time so far
 * @param maxBytes the limit
 * @param refusals requests that were refused; a file that waits for room repeats its request when
 *     there may be room
 * @param reclaims how often a JVM short of heap reclaimed memory
 * @param wastedBytes bytes read for nothing so far, because the heap was short soon after
 * @param backoff how long the process still waits before it reads again; zero if it does not wait
 */
public record ResidentMemorySnapshot(
    long bytes,
    long peakBytes,
    long maxBytes,
    long refusals,
    long reclaims,
    long wastedBytes,
    Duration backoff) {

  /** What is shown of any contents. */
  public static final SourceFigures<ResidentMemorySnapshot> FIGURES =
      SourceFigures.of(
              "lucene.memory",
              level(
                      "held",
                      BYTES,
                      "Heap used for these contents by all indexes of the process",
                      ResidentMemorySnapshot::bytes)
                  .named(ANSWER, "bytes"),
              level(
                      "peak",
                      BYTES,
                      "The most heap that was used for these contents at one time",
                      ResidentMemorySnapshot::peakBytes)
                  .without(METER),
              level(
                      "limit",
                      BYTES,
                      "Limit of the heap for these contents",
                      ResidentMemorySnapshot::maxBytes)
                  .named(ANSWER, "max_bytes"),
              total(
                      "refused",
                      COUNT,
                      "Requests refused for lack of room; a file that waits repeats its request when"
                          + " there may be room",
                      ResidentMemorySnapshot::refusals)
                  .counting("requests")
                  .named(ANSWER, "refusals"),
              total(
                      "reclaimed",
                      COUNT,
                      "How often a JVM short of heap reclaimed some of it",
                      ResidentMemorySnapshot::reclaims)
                  .counting("reclaims")
                  .without(ANSWER))
          .by("contents");

  /** What is shown of keys: only these are read from the disk again, and perhaps for nothing. */
  public static final SourceFigures<ResidentMemorySnapshot> FIGURES_OF_KEYS =
      FIGURES
          .and(
              total(
                      "wasted",
                      BYTES,
                      "Bytes read for nothing, because the heap was short soon after",
                      ResidentMemorySnapshot::wastedBytes)
                  .without(METER)) // each index has one
          .and(
              level(
                  "backoff",
                  NANOS,
                  "Time until files are read into memory again, after bytes were read for nothing",
                  (ResidentMemorySnapshot memory) -> memory.backoff.toNanos()));

  /** Refuses nulls. */
  public ResidentMemorySnapshot {
    Objects.requireNonNull(backoff, "backoff");
  }
}
