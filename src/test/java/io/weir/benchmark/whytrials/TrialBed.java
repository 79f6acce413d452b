package io.weir.benchmark.whytrials;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.benchmark.whytrials.Cause.Disk;
import io.weir.benchmark.whytrials.Cause.Target;
import io.weir.stress.engine.SickEngine;
import io.weir.time.DaemonThreads;
import io.weir.why.SickApplication;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * A target that is ill, with all that its illness needs: a slow disk, a bound on its memory or its
 * processors, a neighbour.
 *
 * <p><b>Threads:</b> one, but any may close it. <b>Ownership:</b> {@link #close} ends the processes
 * and takes the disk down. <b>Failure:</b> what cannot be started is an {@link IOException} that
 * names the log.
 */
final class TrialBed implements AutoCloseable {

  private static final Duration STARTING = Duration.ofMinutes(6);
  private static final long ENDING_SECONDS = 40;
  private static final String READY = "ready";
  private static final Path GROUPS = Path.of("/sys/fs/cgroup");
  private static final int PERIOD_MICROS = 100_000;

  /**
   * Where things are.
   *
   * @param root of the checkout
   * @param mount for a slow disk; nothing is there
   * @param directory for an index on the machine's own disk, and the files of a server
   * @param kept where the index of a server that takes long to build is kept for the next time
   */
  record Places(Path root, Path mount, Path directory, Path kept) {

    /** In a checkout that {@code tools/bench} runs for. */
    static Places of(Path directory, Path mount, Path kept) {
      return new Places(
          Path.of(System.getProperty("weir.root", ".")).toAbsolutePath().normalize(),
          mount,
          directory.toAbsolutePath(),
          kept);
    }

    String tool(String name) {
      return root.resolve("tools").resolve(name).toString();
    }
  }

  private final Places places;
  private final Cause cause;
  private final Disk disk;
  private final Path log;
  private final Thread atShutdown = DaemonThreads.unstarted("weir-why-trials-end", this::end);
  private final List<Process> processes = new ArrayList<>();
  private Optional<Path> group = Optional.empty();
  private boolean mounted;
  private String address; // set once the target is ready

  /** Nothing is started yet. */
  TrialBed(Places places, Cause cause, Disk disk, Path log) {
    this.places = places;
    this.cause = cause;
    this.disk = disk;
    this.log = log;
  }

  /** What {@code weir why} looks at: a process, or a URL. */
  String address() {
    return address;
  }

  /** Leaves it alone for some time. */
  void settle(Duration time) throws IOException, InterruptedException {
    if (processes.getFirst().waitFor(time.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new IOException("the target ended: see " + log);
    }
  }

  /** Starts the target, and waits until it is ill. */
  void start() throws IOException, InterruptedException {
    Runtime.getRuntime().addShutdownHook(atShutdown);
    if (disk.isModel()) {
      List<String> up = new ArrayList<>(List.of(places.tool("slow-disk"), "up"));
      up.addAll(List.of("--model", disk.label(), "--mount", places.mount().toString()));
      up.addAll(cause.needs().diskOptions());
      if (call(up) != 0) { // it leaves nothing
        throw new IOException("the disk could not be made: see " + log);
      }
      mounted = true;
    }
    Files.createDirectories(index().getParent());
    delete(index());
    delete(engineFiles());
    if (cause.needs().processorPercent().isPresent()) {
      group = Optional.of(makeGroup());
    }
    Process target = begin(command());
    address = addressOf(target, awaitReady(target));
    if (group.isPresent()) { // now, or a server would take minutes to start
      limit(group.get(), cause.needs().processorPercent().getAsInt());
    }
    if (cause.needs().neighbour().isPresent()) {
      String file = index().resolveSibling("neighbour").toString();
      begin(List.of("bash", "-c", cause.needs().neighbour().get().script(), file));
    }
  }

  private Path index() {
    return (disk.isModel() ? places.mount() : places.directory()).resolve("why-trials/index");
  }

  private List<String> command() throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    group.ifPresent(
        path ->
            command.addAll(
                List.of(
                    "bash",
                    "-c",
                    "echo $$ >\"$0\" && exec \"$@\"",
                    path.resolve("cgroup.procs").toString())));
    cause
        .needs()
        .memory()
        .ifPresent(
            memory ->
                command.addAll(
                    List.of(
                        places.tool("slow-disk"),
                        "run",
                        "--memory",
                        memory,
                        "--keep-cache",
                        "--")));
    String illness = cause.name().toUpperCase(Locale.ROOT).replace('-', '_');
    if (cause.target() == Target.PLAIN) {
      command.addAll(java("-Xmx" + cause.needs().heap()));
      command.addAll(List.of(SickApplication.class.getName(), illness, index().toString()));
    } else {
      String engine = cause.target().name();
      command.addAll(java("-Xmx128m"));
      command.addAll(List.of(SickEngine.class.getName(), engine, illness, home()));
      command.addAll(List.of(index().toString(), engineFiles().toString()));
      String kept = cause.target().label() + "-" + cause.name();
      command.add(places.kept().resolve(kept).toString());
      command.add(cause.needs().heap());
    }
    command.addAll(cause.arguments());
    return command;
  }

  /** The distribution of an engine, fetched if need be. */
  private String home() throws IOException, InterruptedException {
    Process fetch =
        new ProcessBuilder(places.tool("engine"), cause.target().label())
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    String home = new String(fetch.getInputStream().readAllBytes(), UTF_8).strip();
    if (fetch.waitFor() != 0) {
      throw new IOException("tools/engine did not bring one: see " + log);
    }
    return home;
  }

  private Path engineFiles() {
    return places.directory().resolve("why-trials/engine");
  }

  /** The beginning of a command that runs a class of this class path. */
  static List<String> java(String... options) {
    List<String> java = new ArrayList<>();
    java.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    java.addAll(List.of(options));
    java.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp"));
    java.add(System.getProperty("java.class.path"));
    return java;
  }

  private Process begin(List<String> command) throws IOException {
    Process process =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    processes.add(process);
    return process;
  }

  private int call(List<String> command) throws IOException, InterruptedException {
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
        .start()
        .waitFor();
  }

  /** What it says after the word. */
  private String awaitReady(Process target) throws IOException, InterruptedException {
    CompletableFuture<Optional<String>> ready =
        CompletableFuture.supplyAsync(() -> readReady(target.inputReader(UTF_8)));
    try {
      return ready
          .get(STARTING.toSeconds(), TimeUnit.SECONDS)
          .orElseThrow(() -> new IOException("the target ended: see " + log));
    } catch (TimeoutException | ExecutionException e) {
      throw new IOException(
          "the target was not ready after %s: see %s".formatted(STARTING, log), e);
    }
  }

  private static Optional<String> readReady(BufferedReader lines) {
    try {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith(READY)) {
          return Optional.of(line.substring(READY.length()).strip());
        }
      }
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A server says its own; a plain application is the JVM that was started, or one below it. */
  private static String addressOf(Process target, String said) throws IOException {
    if (!said.isEmpty()) {
      return said;
    }
    return Stream.concat(Stream.of(target.toHandle()), target.descendants())
        .filter(process -> process.info().command().orElse("").endsWith("/java"))
        .findFirst()
        .map(process -> Long.toString(process.pid()))
        .orElseThrow(() -> new IOException("no JVM was started"));
  }

  private static boolean isFirstVersion() {
    return Files.isDirectory(GROUPS.resolve("cpu"));
  }

  /** A control group without a quota. */
  private static Path makeGroup() throws IOException {
    String name = "weir-why-trials." + ProcessHandle.current().pid();
    Path controller = isFirstVersion() ? GROUPS.resolve("cpu") : GROUPS;
    return Files.createDirectories(controller.resolve(name));
  }

  private static void limit(Path group, int percent) throws IOException {
    int quotaMicros = PERIOD_MICROS * percent / 100;
    if (isFirstVersion()) {
      Files.writeString(group.resolve("cpu.cfs_period_us"), Integer.toString(PERIOD_MICROS));
      Files.writeString(group.resolve("cpu.cfs_quota_us"), Integer.toString(quotaMicros));
    } else {
      Files.writeString(group.resolve("cpu.max"), quotaMicros + " " + PERIOD_MICROS);
    }
  }

  /** Ends all that it has started, the last first. */
  @Override
  public void close() {
    end();
    try {
      Runtime.getRuntime().removeShutdownHook(atShutdown);
    } catch (IllegalStateException e) {
      // This JVM ends already.
    }
  }

  private synchronized void end() {
    try {
      for (Process process : processes.reversed()) {
        end(process);
      }
      processes.clear();
      if (group.isPresent()) {
        Files.deleteIfExists(group.get());
        group = Optional.empty();
      }
      if (mounted) {
        mounted = false;
        call(List.of(places.tool("slow-disk"), "down", "--mount", places.mount().toString()));
      } else {
        delete(index());
      }
      delete(engineFiles());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void end(Process process) throws InterruptedException {
    List<ProcessHandle> below = process.descendants().toList();
    process.destroy();
    if (!process.waitFor(ENDING_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
    }
    below.forEach(ProcessHandle::destroyForcibly);
    below.forEach(handle -> handle.onExit().join());
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
