package io.weir.benchmark.bulkindexing;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** A part of what {@link io.weir.Weir} puts together, to be left out. */
enum Part {
  /** The budget: its directory and its scheduler, and so {@link #READERS_FIRST} as well. */
  BUDGET,
  /** Writeback of what merges write. */
  WRITEBACK,
  /** Keys in a dictionary of their own, held in memory. */
  KEYS,
  /** Reading what opening a merged segment needs, on the merge thread. */
  PREFETCH,
  /** Opening merged segments on the merge thread. */
  WARMER,
  /** Merges that stand aside while readers wait for the disk. */
  READERS_FIRST,
  /** Small files read and not mapped. */
  SMALL_FILES,
  /** Files of flushes in memory. */
  FLUSHED_FILES,
  /** Commits that sync their own files without the writer's lock. */
  DEFERRED_SYNC,
  /** Files that are unmapped late. */
  UNMAP,
  /** Reopens and commits that do not wait for small merges. */
  NO_FLUSH_WAIT,
  /** Listening to the writer, to time the phases of reopens. */
  PHASES;

  static final Set<Part> ALL = EnumSet.allOf(Part.class);

  /** As it is called on the command line. */
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static Part of(String label) {
    return Arrays.stream(values())
        .filter(part -> part.label().equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "a part must be one of "
                        + ALL.stream().map(Part::label).collect(Collectors.joining(", "))
                        + ": "
                        + label));
  }
}
