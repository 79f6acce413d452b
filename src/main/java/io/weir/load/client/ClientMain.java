package io.weir.load.client;

import io.weir.jvm.Worker;
import io.weir.run.Values;
import io.weir.stress.plan.Login;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The entry of the client's JVM: it obeys each {@link Ask}.
 *
 * <p>The end of its input ends the step that runs, which is still answered, and then this.
 */
public final class ClientMain {

  /**
   * What a client is started with.
   *
   * @param addresses of the queries
   * @param requests the file for each request, compressed CSV
   * @param histograms the file for a histogram of each step
   */
  public record Task(String arm, int round, List<URI> addresses, Path requests, Path histograms) {}

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
            new OpenLoopClient(NanoClock.SYSTEM, List.of(nothing.address()), Optional.empty());
        OpenLoopClient client =
            new OpenLoopClient(NanoClock.SYSTEM, task.addresses(), authorization)) {
      worker.onStop(
          () -> {
            floor.stop();
            client.stop();
          });
      for (Optional<Ask> ask = next(worker); ask.isPresent(); ask = next(worker)) {
        worker.say(
            switch (ask.get()) {
              case MeasureFloor load -> floor(floor, load);
              case WarmUp warmUp -> warmUp(client, warmUp);
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

  private static WarmedUp warmUp(OpenLoopClient client, WarmUp asked) throws InterruptedException {
    OpenLoopClient.WarmUp came = client.warmUp(asked.time(), asked.atOnce());
    return new WarmedUp(came.perSecond(), came.answered(), came.failure());
  }

  private static Stepped step(OpenLoopClient client, Step asked, RequestLog log, Worker worker)
      throws IOException {
    OpenLoopClient.Step seen =
        client.step(asked.perSecond(), asked.time(), asked.seed(), () -> worker.say(new Sent()));
    log.add(asked, seen);
    return new Stepped(seen.view());
  }
}
