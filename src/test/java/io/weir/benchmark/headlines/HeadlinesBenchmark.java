package io.weir.benchmark.headlines;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.benchmark.headlines.HeadlinePlan.Cell;
import io.weir.benchmark.headlines.HeadlinePlan.Disk;
import io.weir.benchmark.headlines.HeadlinePlan.Place;
import io.weir.benchmark.kit.Benchmark;
import io.weir.benchmark.kit.Conditions;
import io.weir.benchmark.kit.TextTable;
import io.weir.run.ArmFigures;
import io.weir.run.MergeFigures;
import io.weir.run.Part;
import io.weir.run.Run;
import io.weir.run.RunFiles;
import io.weir.run.Status;
import io.weir.time.DaemonThreads;
import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * Every headline again, unattended: both models of {@code tools/slow-disk} and the machine's own
 * disk, plain Lucene and engines, stock and Weir with and without a merge.
 *
 * <p>Each cell is a run directory of its own. What is finished is kept, so the same command goes on
 * where an earlier one was ended: at most the cell that ran is lost. One that fails is reported,
 * and tried again by the next command.
 */
public final class HeadlinesBenchmark implements Benchmark {

  private static final int DEFAULT_ROUNDS = 6;
  private static final String DEFAULT_OUT = "weir-runs/headlines";
  private static final Duration UNKNOWN_CELL = Duration.ofMinutes(6);

  @Override
  public String name() {
    return "headlines";
  }

  @Override
  public String summary() {
    return "every key figure of docs/MEASURING.md again; goes on where it was ended";
  }

  @Override
  public Map<String, String> options() {
    Map<String, String> options = new LinkedHashMap<>();
    options.put("only", "loads such as volume/lucene-updates or '*/solr', with commas");
    options.put("rounds", "of each load, in turn on two builds of its index; 6, 5 at least");
    options.put("out", "where the runs are and the table comes to; " + DEFAULT_OUT);
    options.put("merge-timeout", "gives up a merge, 20m say; its row then has >=");
    return options;
  }

  @Override
  public Map<String, String> flags() {
    return Map.of(
        "list", "only shows the cells, and which of them are done",
        "dry-run", "only shows the commands");
  }

  @Override
  public TextTable run(Conditions conditions) throws Exception {
    Map<String, String> options = conditions.options();
    int rounds = rounds(options.getOrDefault("rounds", Integer.toString(DEFAULT_ROUNDS)));
    List<Place> loads =
        options.containsKey("only") ? Place.named(options.get("only")) : Place.all();
    boolean looks = options.containsKey("list") || options.containsKey("dry-run");
    Path root = Path.of(System.getProperty("weir.root", ".")).toAbsolutePath().normalize();
    Night night =
        new Night(
            conditions,
            root,
            Path.of(options.getOrDefault("out", DEFAULT_OUT)).toAbsolutePath(),
            new HeadlinePlan(loads, rounds, conditions.quick(), !looks && has10dot6(root)),
            looks);
    if (options.containsKey("list")) {
      return night.list();
    }
    if (options.containsKey("dry-run")) {
      return night.commands();
    }
    if (!night.plan().has10dot6()) {
      conditions.progress().println("headlines: no arm on Lucene 10.6: weir has no lucene= for it");
    }
    night.run();
    return night.table();
  }

  private static int rounds(String text) {
    if (!text.matches("[1-9][0-9]{0,2}")) {
      throw new IllegalArgumentException("--rounds must be from 1 to 999: '" + text + "'");
    }
    return Integer.parseInt(text);
  }

  /** Builds Weir as well, so that no cell waits for that. */
  private static boolean has10dot6(Path root) throws IOException, InterruptedException {
    Process help =
        new ProcessBuilder(root.resolve("tools/weir").toString(), "stress", "--help=all")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String text = new String(help.getInputStream().readAllBytes(), UTF_8);
    if (help.waitFor() != 0) {
      throw new IllegalStateException("tools/weir could not be built or run");
    }
    return text.lines().anyMatch(line -> line.strip().startsWith("lucene="));
  }

  /**
   * One call of the command.
   *
   * @param root of the checkout
   * @param out where the runs are
   * @param looks whether nothing is to run
   */
  record Night(Conditions conditions, Path root, Path out, HeadlinePlan plan, boolean looks) {

    /** The run of a cell that was finished, now or by an earlier command. */
    Optional<Run> finished(Cell cell) throws IOException {
      RunFiles files = new RunFiles(out.resolve(cell.directory()));
      if (!Files.exists(files.runJson())) {
        return Optional.empty();
      }
      Run run = files.read();
      boolean whole =
          !run.interrupted()
              && run.parts().size() == 1
              && run.parts().getFirst().status() == Status.DONE;
      return whole ? Optional.of(run) : Optional.empty();
    }

    TextTable list() throws IOException {
      TextTable table = new TextTable("Cells of " + out, 4, "load", "round", "build", "arm", "");
      for (Cell cell : plan.cells()) {
        table.row(
            cell.place().label(),
            Integer.toString(cell.round()),
            cell.build(),
            cell.arm().name(),
            finished(cell).isPresent() ? "done" : "to do");
      }
      return table.note("An arm on Lucene 10.6 is added where weir has lucene= for it.");
    }

    TextTable commands() throws IOException, InterruptedException {
      TextTable table = new TextTable("What would run, for each cell that is to do", 1, "command");
      for (Cell cell : plan.cells()) {
        if (finished(cell).isEmpty()) {
          table.row(String.join(" ", quoted(command(cell))));
        }
      }
      return table.note("Without a merge an arm lasts as long as the merge of the one before it.");
    }

    private static List<String> quoted(List<String> command) {
      return command.stream()
          .map(word -> word.matches("[\\w=./:@%+-]+") ? word : "'" + word + "'")
          .toList();
    }

    void run() throws IOException, InterruptedException {
      List<Cell> todo = new ArrayList<>();
      for (Cell cell : plan.cells()) {
        if (finished(cell).isEmpty()) {
          todo.add(cell);
        }
      }
      for (Place place : plan.loads()) { // what is missing is said now, not in the night
        if (place.load().engine().isPresent()) {
          home(place.load().engine().get());
          plugin(place.load().engine().get());
        }
      }
      List<String> failed = new ArrayList<>();
      for (int i = 0; i < todo.size(); i++) {
        Cell cell = todo.get(i);
        say(
            "%s, round %d of %d, %s (%d of %d; about %s left)",
            cell.place().label(),
            cell.round(),
            plan.rounds(),
            cell.arm().name(),
            i + 1,
            todo.size(),
            left(todo.subList(i, todo.size())));
        requireDisk(cell.place().disk());
        if (cell.arm().twin().isPresent() && twin(cell).isEmpty()) {
          failed.add(cell.directory());
          say("%s waits for its arm with a merge: how long is not known", cell.directory());
        } else if (!run(cell)) {
          failed.add(cell.directory());
          say("%s failed: see %s", cell.directory(), log(cell));
        }
        leave(cell, todo.subList(i + 1, todo.size()));
      }
      if (!failed.isEmpty()) {
        say("%d cells failed or wait; the same command tries them again", failed.size());
      }
    }

    private void say(String format, Object... arguments) {
      conditions.progress().println("headlines: " + format.formatted(arguments));
    }

    private Path log(Cell cell) {
      return out.resolve(cell.directory() + ".log");
    }

    /** Runs a cell from its beginning; what an earlier try left is deleted. */
    private boolean run(Cell cell) throws IOException, InterruptedException {
      Path directory = out.resolve(cell.directory());
      delete(directory);
      Files.createDirectories(directory.getParent());
      call(command(cell), log(cell));
      return finished(cell).isPresent();
    }

    List<String> command(Cell cell) throws IOException, InterruptedException {
      List<String> command = new ArrayList<>();
      if (isRoot()) { // else the page cache is as large as the machine's memory
        command.addAll(List.of(tool("slow-disk"), "run", "--memory", cell.place().load().memory()));
        command.add("--");
      }
      command.addAll(List.of(tool("weir"), "stress", "--out=" + out.resolve(cell.directory())));
      command.add("--index=" + index(cell));
      Optional<String> engine = cell.place().load().engine();
      if (engine.isPresent()) {
        command.add("--engine=" + engine.get());
        command.add("--engine-home=" + home(engine.get()));
        command.add("--engine-plugin=" + plugin(engine.get()));
      }
      Optional<Part> twin = twin(cell);
      command.addAll(
          plan.options(
              cell,
              twin.flatMap(part -> part.get(ArmFigures.WARM_UP_SECONDS)).map(Night::seconds),
              twin.flatMap(part -> part.get(MergeFigures.SECONDS)).map(Night::seconds)));
      if (conditions.options().containsKey("merge-timeout") && cell.arm().twin().isEmpty()) {
        command.add("--merge-timeout=" + conditions.options().get("merge-timeout"));
      }
      return command;
    }

    /** What the arm with the merge left in this round. */
    private Optional<Part> twin(Cell cell) throws IOException {
      for (Cell other : plan.cells()) {
        if (other.place().equals(cell.place())
            && other.round() == cell.round()
            && cell.arm().twin().equals(Optional.of(other.arm().name()))) {
          return finished(other).map(run -> run.parts().getFirst());
        }
      }
      return Optional.empty();
    }

    private static Duration seconds(double seconds) {
      return Duration.ofMillis(Math.round(seconds * 1000));
    }

    private String tool(String name) {
      return root.resolve("tools").resolve(name).toString();
    }

    private static boolean isRoot() {
      return System.getProperty("user.name").equals("root");
    }

    /** The unpacked server of an engine, fetched if need be; its command if nothing is to run. */
    private String home(String engine) throws IOException, InterruptedException {
      if (looks) {
        return "$(tools/engine " + engine + ")";
      }
      Process fetch =
          new ProcessBuilder(tool("engine"), engine)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      String home = new String(fetch.getInputStream().readAllBytes(), UTF_8).strip();
      if (fetch.waitFor() != 0) {
        throw new IllegalArgumentException("tools/engine could not bring " + engine);
      }
      return home;
    }

    private String plugin(String engine) throws IOException {
      Path dist = root.resolve("target/dist");
      String glob = "weir-" + engine + "-*.{zip,jar}";
      if (looks) {
        return dist.resolve(glob).toString();
      }
      if (Files.isDirectory(dist)) {
        try (DirectoryStream<Path> found = Files.newDirectoryStream(dist, glob)) {
          for (Path plugin : found) {
            return plugin.toString();
          }
        }
      }
      throw new IllegalArgumentException(
          "the plug-in for %s must be in %s: tools/package builds it".formatted(engine, dist));
    }

    private static Path mount(Disk disk) {
      return Path.of("/mnt/weir-headlines-" + disk.label());
    }

    private Path index(Cell cell) {
      Disk disk = cell.place().disk();
      Path where = disk.isModel() ? mount(disk) : conditions.directory().toAbsolutePath();
      return where.resolve("headlines-" + family(cell.place()) + "-" + cell.build());
    }

    /** Loads of plain Lucene share an index. */
    private static String family(Place place) {
      return place.load().engine().orElse("lucene");
    }

    private void requireDisk(Disk disk) throws IOException, InterruptedException {
      if (!disk.isModel() || isMounted(disk)) {
        return;
      }
      say("making %s", disk.described());
      Path log = out.resolve(disk.label() + ".log");
      Files.createDirectories(out);
      List<String> up = new ArrayList<>(List.of(tool("slow-disk"), "up", "--size", "12G"));
      up.addAll(List.of("--model", disk.label(), "--mount", mount(disk).toString()));
      if (call(up, log) != 0) {
        throw new IllegalArgumentException("the disk could not be made: see " + log);
      }
    }

    private static boolean isMounted(Disk disk) throws IOException {
      String mount = " " + mount(disk) + " ";
      return Files.readString(Path.of("/proc/mounts")).contains(mount);
    }

    /** Deletes indexes that no later cell needs, and the disk with the last of its cells. */
    private void leave(Cell cell, List<Cell> later) throws IOException, InterruptedException {
      Disk disk = cell.place().disk();
      List<Cell> here = later.stream().filter(next -> next.place().disk() == disk).toList();
      if (here.isEmpty() && disk.isModel()) {
        call(
            List.of(tool("slow-disk"), "down", "--mount", mount(disk).toString()),
            out.resolve(disk.label() + ".log"));
      } else if (here.stream()
          .noneMatch(next -> family(next.place()).equals(family(cell.place())))) {
        Path any = index(cell);
        String name = any.getFileName().toString();
        try (Stream<Path> beside = Files.list(any.getParent())) {
          for (Path index :
              beside
                  .filter(
                      path ->
                          path.getFileName()
                              .toString()
                              .startsWith(name.substring(0, name.length() - 1)))
                  .toList()) {
            delete(index);
          }
        }
      }
    }

    /** Runs a command to its end; it ends with this JVM. */
    private static int call(List<String> command, Path log)
        throws IOException, InterruptedException {
      Process process =
          new ProcessBuilder(command)
              .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      Thread end = DaemonThreads.unstarted("weir-headlines-end", process::destroy);
      Runtime.getRuntime().addShutdownHook(end);
      try {
        return process.waitFor();
      } finally {
        removeHook(end);
      }
    }

    private static void removeHook(Thread end) {
      try {
        Runtime.getRuntime().removeShutdownHook(end);
      } catch (IllegalStateException e) {
        // This JVM ends already.
      }
    }

    /** By what cells of the same load took, else all, else a guess. */
    private String left(List<Cell> todo) throws IOException {
      Map<Place, List<Duration>> took = new LinkedHashMap<>();
      for (Cell cell : plan.cells()) {
        Optional<Run> run = finished(cell);
        if (run.isPresent()) {
          took.computeIfAbsent(cell.place(), place -> new ArrayList<>()).add(run.get().duration());
        }
      }
      long seconds = 0;
      for (Cell cell : todo) {
        OptionalDouble alike = mean(took.getOrDefault(cell.place(), List.of()));
        OptionalDouble any = mean(took.values().stream().flatMap(List::stream).toList());
        seconds += Math.round(alike.orElse(any.orElse(UNKNOWN_CELL.toSeconds())));
      }
      return seconds < 3600 ? seconds / 60 + 1 + " min" : Math.round(seconds / 3600.0) + " h";
    }

    private static OptionalDouble mean(List<Duration> times) {
      return times.stream().mapToLong(Duration::toSeconds).average();
    }

    /** Of all finished cells, as text; also written beside the runs, as Markdown and CSV. */
    TextTable table() throws IOException {
      HeadlineTable table = new HeadlineTable();
      for (Place place : plan.loads()) {
        List<String> order = plan.arms(place.load()).stream().map(HeadlinePlan.Arm::name).toList();
        Optional<Run> any = Optional.empty();
        List<Part> parts = new ArrayList<>();
        for (Cell cell : plan.cells()) {
          Optional<Run> run = cell.place().equals(place) ? finished(cell) : Optional.empty();
          if (run.isPresent()) {
            any = run;
            parts.add(numbered(run.get().parts().getFirst(), cell));
          }
        }
        if (any.isPresent()) {
          parts.sort(
              Comparator.comparingInt((Part part) -> order.indexOf(part.name()))
                  .thenComparingInt(Part::round));
          table.add(place, any.get(), parts);
        }
      }
      Files.createDirectories(out);
      Files.writeString(out.resolve("headlines.md"), table.markdown());
      Files.writeString(out.resolve("headlines.csv"), table.csv());
      return table.text().note("As Markdown and CSV: " + out.resolve("headlines.*"));
    }

    private static Part numbered(Part part, Cell cell) {
      return new Part(
          part.kind(),
          cell.arm().name(),
          cell.round(),
          part.status(),
          part.settings(),
          part.values(),
          part.failure(),
          part.warnings(),
          part.findings(),
          part.parts());
    }

    private static void delete(Path tree) throws IOException {
      if (Files.exists(tree)) {
        try (Stream<Path> paths = Files.walk(tree)) {
          for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
            Files.delete(path);
          }
        }
      }
    }
  }
}
