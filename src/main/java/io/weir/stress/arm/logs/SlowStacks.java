package io.weir.stress.arm.logs;

import io.weir.nrt.ReopenCause;
import io.weir.nrt.SlowReopen;
import java.io.IOException;
import java.io.Writer;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The distinct stacks of an arm's slow reopens, as text for people. <b>Threads:</b> one. */
public final class SlowStacks {

  /** Beyond these only the time of a cause is kept. */
  private static final int MAX_STACKS = 1000;

  private record Key(ReopenCause cause, List<StackTraceElement> frames) {}

  private static final class Tally {
    private long samples;
    private long nanos;
    private long reopens;
  }

  private final Map<Key, Tally> tallies = new LinkedHashMap<>();

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
  void write(Writer out, String arm, int round) throws IOException {
    if (tallies.isEmpty()) {
      return;
    }
    line(out, "== %s, round %d: where slow reopens were, the warm-up included", arm, round);
    List<Map.Entry<Key, Tally>> sorted =
        tallies.entrySet().stream()
            .sorted(
                Comparator.comparingLong((Map.Entry<Key, Tally> e) -> e.getValue().nanos)
                    .reversed())
            .toList();
    for (Map.Entry<Key, Tally> entry : sorted) {
      Tally tally = entry.getValue();
      line(
          out,
          "%n%s: %.3f s, samples: %d, reopens: %d",
          entry.getKey().cause().label(),
          tally.nanos / 1e9,
          tally.samples,
          tally.reopens);
      for (StackTraceElement frame : entry.getKey().frames()) {
        line(out, "    at %s", frame);
      }
      if (entry.getKey().frames().isEmpty()) {
        line(out, "    further stacks, not kept");
      }
    }
    line(out, "");
  }

  private static void line(Writer out, String form, Object... values) throws IOException {
    out.write(String.format(Locale.ROOT, form, values).replace("\r", "") + "\n");
  }
}
