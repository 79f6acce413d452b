package io.weir.load.client;

import io.weir.jvm.Worker;
import io.weir.stress.plan.Login;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The entry of the client's JVM: it obeys each {@link ClientMessage.Ask}.
 *
 * <p>The end of its input ends the step that runs, which is still answered, and then this.
 */
public final class ClientMain {

  private static final Duration FLOOR_TIME = Duration.ofSeconds(1);
  private static final long FLOOR_SEED = 1;

  private ClientMain() {}

  /** Answers until its input ends. */
  public static void main(String[] arguments) {
    Worker.serve(ClientMessage.Task.class, ClientMain::answer);
  }

  private static ClientMessage.Ended answer(ClientMessage.Task task, Worker worker)
      throws Exception {
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
      worker.commands(
          ClientMessage.Ask.class,
          () -> false,
          ask ->
              worker.say(
                  switch (ask) {
                    case ClientMessage.MeasureFloor load -> floor(floor, load);
                    case ClientMessage.WarmUp warmUp -> warmUp(client, warmUp);
                    case ClientMessage.Step step -> step(client, step, log, worker);
                  }));
    }
    return new ClientMessage.Ended();
  }

  private static ClientMessage.FloorMeasured floor(
      OpenLoopClient floor, ClientMessage.MeasureFloor asked) {
    return new ClientMessage.FloorMeasured(
        floor.step(asked.perSecond(), FLOOR_TIME, FLOOR_SEED, () -> {}).view());
  }

  private static ClientMessage.WarmedUp warmUp(OpenLoopClient client, ClientMessage.WarmUp asked)
      throws InterruptedException {
    OpenLoopClient.WarmUp came = client.warmUp(asked.time(), asked.atOnce());
    return new ClientMessage.WarmedUp(came.perSecond(), came.answered(), came.failure());
  }

  private static ClientMessage.Stepped step(
      OpenLoopClient client, ClientMessage.Step asked, RequestLog log, Worker worker)
      throws IOException {
    OpenLoopClient.Step seen =
        client.step(
            asked.perSecond(),
            asked.time(),
            asked.seed(),
            () -> worker.say(new ClientMessage.Sent()));
    log.add(asked, seen);
    return new ClientMessage.Stepped(seen.view());
  }
}
