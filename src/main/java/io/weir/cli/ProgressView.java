package io.weir.cli;

import io.weir.run.Failure;
import io.weir.run.Part;
import io.weir.run.Run;
import io.weir.run.RunWarning;
import io.weir.run.Status;
import io.weir.stress.experiment.EngineSource;
import io.weir.stress.experiment.ExperimentListener;
import io.weir.time.NanoClock;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/**
 * Shows how a run gets on: on a terminal one line with a bar that is drawn over and over, elsewhere
 * a plain line every few seconds.
 *
 * <p><b>Threads:</b> any; calls exclude each other.
 */
final class ProgressView implements ExperimentListener {

  private static final long LINE_EVERY_NANOS = 5_000_000_000L;
  private static final int BAR_CELLS = 20;
  private static final int MOST_NAMED = 3;
  private static final String CLEAR_LINE = "\r\u001b[K";

  // A line longer than the terminal is wide is cut by it; one that wraps could not be drawn over.
  private static final String NO_WRAP = "\u001b[?7l";
  private static final String WRAP = "\u001b[?7h";

  private final PrintWriter out;
  private final boolean terminal;
  private final NanoClock clock;
  private String shown = "";
  private long shownAtNanos;

  ProgressView(PrintWriter out, boolean terminal, NanoClock clock) {
    this.out = out;
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public synchronized void progress(
      String step, String stage, OptionalDouble fraction, String detail) {
    String percent =
        fraction.isPresent()
            ? String.format(Locale.ROOT, " %3.0f %%", 100 * fraction.getAsDouble())
            : "";
    if (terminal) {
      String line = "%s: %s%s%s  %s".formatted(step, stage, bar(fraction), percent, detail);
      out.print(CLEAR_LINE + NO_WRAP + line + WRAP);
      out.flush();
      return;
    }
    String key = step + stage;
    long nowNanos = clock.nanoTime();
    if (!key.equals(shown) || nowNanos - shownAtNanos >= LINE_EVERY_NANOS) {
      shown = key;
      shownAtNanos = nowNanos;
      out.println("%s: %s%s  %s".formatted(step, stage, percent, detail).strip());
    }
  }

  @Override
  public synchronized void intends(EngineSource.Forecast forecast) {
    line("weir: " + Forecast.intention(forecast));
  }

  @Override
  public synchronized void leavesOut(List<Path> directories) {
    line(
        "weir: not taken for documents, as Weir made them: "
            + directories.stream()
                .limit(MOST_NAMED)
                .map(Path::toString)
                .collect(Collectors.joining(", "))
            + (directories.size() > MOST_NAMED
                ? " and %d more".formatted(directories.size() - MOST_NAMED)
                : ""));
  }

  @Override
  public synchronized void ended(Run.Kind kind, Part result) {
    result.failure().ifPresent(failure -> failed(kind, result, failure));
  }

  private void failed(Run.Kind kind, Part result, Failure failure) {
    List<String> last = failure.lastLines();
    switch (kind) {
      case STRESS, SWEEP -> {
        line("weir: arm %s failed: %s".formatted(result.name(), failure.reason()));
        last.forEach(text -> out.println("  | " + text));
      }
      case LOAD -> {
        if (result.status() == Status.FAILED) {
          line(
              "weir: arm %s, round %d failed: %s (%s; its steps before are kept)"
                  .formatted(
                      result.name(),
                      result.round(),
                      failure.reason(),
                      last.isEmpty() ? "it says no more" : String.join("; ", last)));
        }
      }
      case INDEX ->
          line(
              "weir: the cell %s failed: %s (%s; the other cells go on)"
                  .formatted(
                      result.name(),
                      failure.reason(),
                      last.isEmpty() ? "it says no more" : last.getLast().strip()));
    }
  }

  @Override
  public synchronized void warning(RunWarning warning) {
    line("weir: " + warning.what() + " (" + warning.cause() + "; " + warning.remedy() + ")");
  }

  /** Leaves the line with the bar. */
  synchronized void end() {
    if (terminal) {
      out.print(CLEAR_LINE);
      out.flush();
    }
  }

  private void line(String text) {
    end();
    out.println(text);
  }

  private static String bar(OptionalDouble fraction) {
    if (fraction.isEmpty()) {
      return "";
    }
    int filled = (int) Math.round(fraction.getAsDouble() * BAR_CELLS);
    return " [" + "#".repeat(filled) + "-".repeat(BAR_CELLS - filled) + "]";
  }
}
