package io.weir.load.client;

import com.sun.net.httpserver.HttpServer;
import io.weir.jvm.Worker;
import io.weir.rest.Login;
import io.weir.run.StepFigures;
import io.weir.run.Values;
import io.weir.stress.arm.timeline.LatencyTally;
import io.weir.time.NanoClock;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.GZIPOutputStream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * The entry of the client's JVM: it obeys each {@link Ask}.
 *
 * <p>The end of its input ends the step that runs, which is still answered, and then this.
 */
public final class ClientMain {

  /**
   * What a client is started with.
   *
   * @param queries in their order, which begins anew after the last
   * @param requests the file for each request, compressed CSV
   * @param histograms the file for a histogram of each step
   */
  public record Task(String arm, int round, List<Query> queries, Path requests, Path histograms) {}

  /**
   * What is sent.
   *
   * @param body JSON, by POST; empty for GET
   */
  public record Query(URI address, Optional<String> body) {

    /** One that its address says. */
    public Query(URI address) {
      this(address, Optional.empty());
    }

    /** The request, without what all have. */
    public HttpRequest.Builder request() {
      HttpRequest.Builder request = HttpRequest.newBuilder(address);
      return body.map(
              json ->
                  request
                      .header("Content-Type", "application/json")
                      .POST(BodyPublishers.ofString(json)))
          .orElseGet(request::GET);
    }
  }

  /** The run asks. */
  public sealed interface Ask {}

  /** Measure for a second what the client needs itself; {@link FloorMeasured} answers. */
  public record MeasureFloor(double perSecond) implements Ask {}

  /** Send so many requests at once, the next when one is answered; {@link WarmedUp} answers. */
  public record WarmUp(Duration time, int atOnce) implements Ask {}

  /** Send by schedule; first {@link Sent} answers, then {@link Stepped}. */
  public record Step(int number, double perSecond, Duration time, long seed) implements Ask {}

  /** The floor. */
  public record FloorMeasured(Values floor) {}

  /**
   * The warm-up.
   *
   * @param failure of the first request that failed
   */
  public record WarmedUp(double perSecond, long answered, Optional<String> failure) {}

  /** The time of a step is over, and the client waits for the last answers. */
  public record Sent() {}

  /** A step. */
  public record Stepped(Values view) {}

  /** The end of its input has ended the client, and its files are whole: its answer. */
  public record Ended() {}

  private static final Duration FLOOR_TIME = Duration.ofSeconds(1);
  private static final long FLOOR_SEED = 1;

  private ClientMain() {}

  /** Answers until its input ends. */
  public static void main(String[] arguments) {
    Worker.serve(Task.class, ClientMain::answer);
  }

  private static Ended answer(Task task, Worker worker) throws Exception {
    worker.writesTo(task.requests(), task.histograms());
    Optional<String> authorization = Login.ofEnvironment(System.getenv()).map(Login::authorization);
    try (RequestLog log = new RequestLog(task, NanoClock.SYSTEM);
        FloorServer nothing = new FloorServer();
        OpenLoopClient floor =
            new OpenLoopClient(
                NanoClock.SYSTEM, List.of(new Query(nothing.address())), Optional.empty());
        OpenLoopClient client =
            new OpenLoopClient(NanoClock.SYSTEM, task.queries(), authorization)) {
      worker.onStop(
          () -> {
            floor.stop();
            client.stop();
          });
      for (Optional<Ask> ask = next(worker); ask.isPresent(); ask = next(worker)) {
        worker.say(
            switch (ask.get()) {
              case MeasureFloor load -> floor(floor, load);
              case WarmUp warmUp -> client.warmUp(warmUp.time(), warmUp.atOnce());
              case Step step -> step(client, step, log, worker);
            });
      }
    }
    return new Ended();
  }

  private static Optional<Ask> next(Worker worker) throws IOException, InterruptedException {
    return worker.next(Ask.class, () -> false);
  }

  private static FloorMeasured floor(OpenLoopClient floor, MeasureFloor asked) {
    return new FloorMeasured(
        floor.step(asked.perSecond(), FLOOR_TIME, FLOOR_SEED, () -> {}).view());
  }

  private static Stepped step(OpenLoopClient client, Step asked, RequestLog log, Worker worker)
      throws IOException {
    OpenLoopClient.Step seen =
        client.step(asked.perSecond(), asked.time(), asked.seed(), () -> worker.say(new Sent()));
    log.add(asked, seen);
    return new Stepped(seen.view());
  }

  /**
   * Writes each request of an arm to a compressed CSV file, and a histogram of each step to an
   * interval log. A step is written after its end, so writing disturbs no request.
   *
   * <p><b>Threads:</b> one. <b>Ownership:</b> closes its files.
   */
  static final class RequestLog implements Closeable {

    private static final String COLUMNS =
        "arm,round,step,load,due_nanos,sent_nanos,done_nanos,status,set_aside\n";

    private final ClientMain.Task task;
    private final Writer lines;
    private final PrintStream out;
    private final HistogramLogWriter log;
    private final long zeroMillis = System.currentTimeMillis();
    private final long zeroNanos;

    RequestLog(ClientMain.Task task, NanoClock clock) throws IOException {
      this.task = task;
      this.zeroNanos = clock.nanoTime();
      this.lines =
          new OutputStreamWriter(
              new GZIPOutputStream(Files.newOutputStream(task.requests()), 1 << 16, true),
              StandardCharsets.UTF_8);
      this.out =
          new PrintStream(Files.newOutputStream(task.histograms()), false, StandardCharsets.UTF_8);
      this.log = new HistogramLogWriter(out);
      log.outputComment("[Weir: response times from the intended start, in nanoseconds, by step]");
      log.outputLogFormatVersion();
      log.outputStartTime(zeroMillis);
      log.setBaseTime(zeroMillis);
      log.outputLegend();
      lines.write(COLUMNS);
    }

    void add(ClientMain.Step step, OpenLoopClient.Step seen) throws IOException {
      String lead =
          "\"%s\",%d,%d,%s,"
              .formatted(
                  task.arm().replace("\"", "\"\""), task.round(), step.number(), step.perSecond());
      Requests requests = seen.requests();
      for (int i = 0; i < seen.view().require(StepFigures.DUE); i++) {
        lines.write(
            lead
                + requests.dueNanos(i)
                + ','
                + requests.sentNanos(i)
                + ','
                + requests.doneNanos(i)
                + ','
                + requests.status(i)
                + ','
                + (seen.setAside()[i] ? 1 : 0)
                + '\n');
      }
      lines.flush();
      Histogram histogram = LatencyTally.of(seen.latencies()).histogram();
      histogram.setTag(Integer.toString(step.number()));
      long startMillis = zeroMillis + (seen.startNanos() - zeroNanos) / 1_000_000;
      histogram.setStartTimeStamp(startMillis);
      histogram.setEndTimeStamp(
          startMillis + Math.round(1e3 * seen.view().require(StepFigures.SECONDS)));
      log.outputIntervalHistogram(histogram);
      if (out.checkError()) {
        throw new IOException("the histogram log cannot be written: " + task.histograms());
      }
    }

    @Override
    public void close() throws IOException {
      try (lines) {
        out.close();
      }
    }
  }

  /**
   * A service in the client's own JVM that answers everything with nothing. What the client
   * measures with it is the floor of all its measurements.
   */
  static final class FloorServer implements Closeable {

    private static final int NO_CONTENT = 204;
    private static final int NO_BODY = -1;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    FloorServer() throws IOException {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.setExecutor(threads);
      server.createContext(
          "/",
          exchange -> {
            exchange.sendResponseHeaders(NO_CONTENT, NO_BODY);
            exchange.close();
          });
      server.start();
    }

    URI address() {
      return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    }

    @Override
    public void close() {
      server.stop(0);
      threads.shutdownNow();
    }
  }
}
