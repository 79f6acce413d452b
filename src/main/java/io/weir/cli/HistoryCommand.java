package io.weir.cli;

import io.weir.history.FigurePatterns;
import io.weir.history.HistoryCsv;
import io.weir.history.HistoryDirectory;
import io.weir.history.HistoryEntry;
import io.weir.history.HistoryException;
import io.weir.history.HistoryPage;
import io.weir.history.HistoryView;
import io.weir.history.Note;
import io.weir.run.FailureWords;
import io.weir.run.RunJson;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** {@code weir history}: figures of runs over days. */
@Command(
    name = "history",
    description = {
      "Keeps figures of runs over days as plain files, finds changes beyond noise, and draws them.",
      ""
    },
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "A history is a directory with a file for each run and each note; each is written once.",
      "It takes runs of weir stress, weir sweep, weir index and weir load.",
      "",
      "Examples:",
      "  weir history add weir-runs/2026-11-22T031500",
      "  weir history note 2026-11-22 'Lucene 10.6'",
      "  weir history render",
      "  weir history render --figure 'cells[*].whole.gigabytesPerHour' --false-alarms 0.01",
      "  weir history check --least 5 --since 2026-11-20",
      "  weir history export --series stress > stress.csv",
      "",
      "Exit codes: 0 done, 2 wrong usage, a run that cannot be added, or a history that cannot be read",
      "or written, 3 a figure changed (check)."
    })
final class HistoryCommand {

  @Spec private CommandSpec spec;

  @Option(
      names = "--history",
      paramLabel = "DIR",
      defaultValue = "weir-history",
      scope = ScopeType.INHERIT,
      description = "The directory of the history. Default: ${DEFAULT-VALUE}.")
  private Path history;

  /** {@code weir history add RUN...}. */
  @Command(
      name = "add",
      description = "Adds runs: every figure of each.",
      footer = {
        "",
        "Examples:",
        "  weir history add weir-runs/2026-11-22T031500",
        "  weir history add --series nightly weir-runs/2026-11-22*"
      })
  int add(
      @Parameters(arity = "1..*", paramLabel = "RUN", description = "A run directory.")
          List<Path> runs,
      @Option(
              names = "--series",
              paramLabel = "NAME",
              description =
                  "Keep them under this name, apart from others. Default: the name of the command"
                      + " that ran.")
          String series,
      @Option(
              names = "--date",
              paramLabel = "DATE",
              description =
                  "Show the run at this date, such as 2026-11-22 or 2026-11-22T03:15:00Z: for a"
                      + " run of an older version. Only with one RUN. Default: when each"
                      + " started.")
          String date,
      @Option(
              names = "--anyway",
              description = "Add them although their machine or work differs from those before.")
          boolean anyway) {
    if (date != null && runs.size() > 1) { // they would have one file
      throw new ParameterException(
          spec.commandLine(), "--date must have exactly 1 RUN: " + runs.size());
    }
    try {
      Optional<Instant> at = date == null ? Optional.empty() : Optional.of(instant("--date", date));
      for (Path run : runs) {
        Path file = new HistoryDirectory(history).add(run, Optional.ofNullable(series), at, anyway);
        out().println(file);
      }
      return ExitCode.DONE;
    } catch (HistoryException | IOException e) {
      throw refused(e);
    }
  }

  /** {@code weir history note DATE TEXT}. */
  @Command(
      name = "note",
      description = "Adds a note, which every chart shows at its date.",
      footer = {
        "",
        "Examples:",
        "  weir history note 2026-11-22 'Lucene 10.6'",
        "  weir history --history /data/history note 2026-11-22 'a new disk'"
      })
  int note(
      @Parameters(paramLabel = "DATE", description = "A date in UTC, such as 2026-11-22.")
          String date,
      @Parameters(paramLabel = "TEXT", description = "What happened, in a few words.")
          String text) {
    try {
      out().println(new HistoryDirectory(history).add(new Note(LocalDate.parse(date), text)));
      return ExitCode.DONE;
    } catch (DateTimeParseException e) {
      throw new ParameterException(
          spec.commandLine(), "DATE must be a date such as 2026-11-22: " + date, e);
    } catch (HistoryException | IllegalArgumentException | IOException e) {
      throw refused(e);
    }
  }

  /** Which figures, and which of their changes. */
  static final class Looked {

    @Option(
        names = "--figure",
        paramLabel = "PATTERN",
        description =
            "Show the figures with this name, which is their path in the run's JSON; * stands for any"
                + " text; repeatable. Default: the main figures of each command.")
    private List<String> patterns = new ArrayList<>();

    @Option(
        names = "--false-alarms",
        paramLabel = "SHARE",
        defaultValue = "0.02",
        description =
            "The accepted probability of reporting a change where nothing changed, at least 0.0002."
                + " Default: ${DEFAULT-VALUE}.")
    private double falseAlarms;

    @Option(
        names = "--least",
        paramLabel = "PERCENT",
        defaultValue = "0",
        description =
            "Leave out changes by less than this, in percent of the level before."
                + " Default: ${DEFAULT-VALUE}.")
    private double leastPercent;
  }

  private HistoryView view(Looked looked) throws IOException {
    HistoryDirectory directory = new HistoryDirectory(history);
    var runs = directory.runs();
    HistoryView view =
        HistoryView.of(
            runs,
            directory.notes(),
            new FigurePatterns(looked.patterns),
            looked.falseAlarms,
            looked.leastPercent);
    if (view.figures().isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          runs.isEmpty()
              ? "--history must hold runs, which weir history add puts there: " + history
              : "--history must hold runs with the figures that --figure names: " + history);
    }
    return view;
  }

  /** {@code weir history render}. */
  @Command(
      name = "render",
      description = "Finds changes, prints them, and draws every figure in one page.",
      footer = {
        "",
        "Examples:",
        "  weir history render",
        "  weir history render --figure 'cells[*].whole.gigabytesPerHour' --false-alarms 0.01"
      })
  int render(
      @Mixin Looked looked,
      @Option(
              names = "--out",
              paramLabel = "FILE",
              description = "The page. Default: history.html in the history.")
          Path page) {
    Path file = page == null ? history.resolve("history.html") : page;
    HistoryView view;
    try {
      view = view(looked);
      RunJson.replace(file, HistoryPage.render(view));
    } catch (IllegalArgumentException | IOException e) {
      throw refused(e);
    }
    view.figuresOfOneRun().forEach(line -> out().println(line));
    print(view, view.changes());
    spec.commandLine().getErr().println("page: " + file);
    return ExitCode.DONE;
  }

  /** {@code weir history check}. */
  @Command(
      name = "check",
      description = {
        "Finds changes and prints them, for a build server: the exit code is 3 if there is one.",
        ""
      },
      footer = {
        "",
        "Examples:",
        "  weir history check",
        "  weir history check --least 5 --since 2026-11-20"
      })
  int check(
      @Mixin Looked looked,
      @Option(
              names = "--since",
              paramLabel = "DATE",
              description =
                  "Only changes whose new level began at this date or later, such as 2026-11-22."
                      + " Default: all of the history.")
          String since) {
    try {
      HistoryView view = view(looked);
      Instant from = since == null ? Instant.MIN : instant("--since", since);
      List<HistoryView.Changed> changes =
          view.changes().stream().filter(change -> !change.at().isBefore(from)).toList();
      print(view, changes);
      return changes.isEmpty() ? ExitCode.DONE : ExitCode.CHANGED;
    } catch (IllegalArgumentException | IOException e) {
      throw refused(e);
    }
  }

  private void print(HistoryView view, List<HistoryView.Changed> changes) {
    if (changes.isEmpty()) {
      out()
          .println(
              view.changes().isEmpty()
                  ? view.finding()
                  : "No figure changed beyond noise since then.");
    }
    changes.forEach(change -> out().println(change.sentence() + "."));
    out().println(HistoryPage.sureness(view));
  }

  /** {@code weir history export}. */
  @Command(
      name = "export",
      description = {
        "Prints the figures of one series as CSV, a run a line.",
        "Other tools read that, such as Apache Otava or a spreadsheet.",
        ""
      },
      footer = {
        "",
        "Examples:",
        "  weir history export > runs.csv",
        "  weir history export --series stress > stress.csv"
      })
  int export(
      @Option(
              names = "--figure",
              paramLabel = "PATTERN",
              description = "As for render. Default: the main figures of the series.")
          List<String> patterns,
      @Option(
              names = "--series",
              paramLabel = "NAME",
              description = "Which series. Default: the only one.")
          String series) {
    try {
      Map<String, List<HistoryEntry>> runs = new HistoryDirectory(history).runs();
      if (series == null && runs.size() != 1) {
        throw new ParameterException(
            spec.commandLine(), "--series must name one of " + runs.keySet() + ": none is named");
      }
      String name = series == null ? runs.keySet().iterator().next() : series;
      if (!runs.containsKey(name)) {
        throw new ParameterException(
            spec.commandLine(), "--series must name one of " + runs.keySet() + ": " + name);
      }
      List<String> all = patterns == null ? List.of() : patterns;
      out().print(HistoryCsv.of(runs.get(name), new FigurePatterns(all)));
      return ExitCode.DONE;
    } catch (IllegalArgumentException | IOException e) {
      throw refused(e);
    }
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  /** An exception of the file system says only by its type what is wrong with the file. */
  private ParameterException refused(Exception e) {
    return new ParameterException(spec.commandLine(), FailureWords.of(e), e);
  }

  private Instant instant(String option, String date) {
    try {
      return date.contains("T")
          ? Instant.parse(date)
          : LocalDate.parse(date).atStartOfDay(ZoneOffset.UTC).toInstant();
    } catch (DateTimeParseException e) {
      throw new ParameterException(
          spec.commandLine(),
          option + " must be a date such as 2026-11-22 or 2026-11-22T03:15:00Z: " + date,
          e);
    }
  }
}
