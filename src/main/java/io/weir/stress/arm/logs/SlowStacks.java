package io.weir.stress.arm.logs;

import io.weir.nrt.ReopenCause;
import io.weir.nrt.SlowReopen;
import java.io.Closeable;
import java.io.IOException;
import java.io.Writer;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The distinct stacks of an arm's slow reopens, as text for people.
 *
 * <p><b>Threads:</b> one. <b>Ownership:</b> writes and closes its file when it is closed.
 */
public final class SlowStacks implements Closeable {

  /** Of further stacks only the time of their cause is kept. */
  private static final int MAX_STACKS = 1000;

  private record Key(ReopenCause cause, List<StackTraceElement> frames) {}

  private static final class Tally {
    private long samples;
    private long nanos;
    private long reopens;
  }

  private final Writer out;
  private final String arm;
  private final int round;
  private final Map<Key, Tally> tallies = new LinkedHashMap<>();

  /** No stacks yet. */
  public SlowStacks(Writer out, String arm, int round) {
    this.out = out;
    this.arm = arm;
    this.round = round;
  }

  void add(SlowReopen slow) {
    for (SlowReopen.Stack stack : slow.stacks()) {
      Key key = new Key(stack.cause(), stack.frames());
      if (tallies.size() >= MAX_STACKS && !tallies.containsKey(key)) {
        key = new Key(stack.cause(), List.of());
      }
      Tally tally = tallies.computeIfAbsent(key, k -> new Tally());
      tally.samples += stack.samples();
      tally.nanos += stack.nanos();
      tally.reopens++;
    }
  }

  /** Writes them, those with the most time first; nothing if there are none. */
  @Override
  public void close() throws IOException {
    try (out) {
      if (!tallies.isEmpty()) {
        write();
      }
    }
  }

  private void write() throws IOException {
    line("== %s, round %d: where slow reopens were, the warm-up included", arm, round);
    List<Map.Entry<Key, Tally>> sorted =
        tallies.entrySet().stream()
            .sorted(
                Comparator.comparingLong((Map.Entry<Key, Tally> e) -> e.getValue().nanos)
                    .reversed())
            .toList();
    for (Map.Entry<Key, Tally> entry : sorted) {
      Tally tally = entry.getValue();
      line(
          "%n%s: %.3f s, samples: %d, reopens: %d",
          entry.getKey().cause().label(), tally.nanos / 1e9, tally.samples, tally.reopens);
      for (StackTraceElement frame : entry.getKey().frames()) {
        line("    at %s", frame);
      }
      if (entry.getKey().frames().isEmpty()) {
        line("    further stacks, not kept");
      }
    }
    line("");
  }

  private void line(String form, Object... values) throws IOException {
    out.write(String.format(Locale.ROOT, form, values).replace("\r", "") + "\n");
  }
}
