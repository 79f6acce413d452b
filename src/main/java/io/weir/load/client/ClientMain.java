package io.weir.load.client;

import io.weir.jvm.Worker;
import io.weir.run.RunJson;
import io.weir.stress.plan.Login;
import io.weir.time.NanoClock;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The entry of the client's JVM. Argument: the file of its {@link ClientMessage.Task}.
 *
 * <p>It reads a {@link ClientMessage.Ask} from each line of its standard input and answers each
 * with one line. The end of its input ends the step that runs, which is still answered, and then
 * this. An interrupt from the keyboard alone does not: the run then ends its input.
 */
public final class ClientMain {

  private static final Duration FLOOR_TIME = Duration.ofSeconds(1);
  private static final long FLOOR_SEED = 1;
  private static final Duration MOST_ENDING = Duration.ofSeconds(60);

  private final PrintStream protocol;
  private final BlockingQueue<Optional<ClientMessage.Ask>> asked = new LinkedBlockingQueue<>();

  private ClientMain(PrintStream protocol) {
    this.protocol = protocol;
  }

  /** Answers until its input ends. */
  public static void main(String[] arguments) {
    Locale.setDefault(Locale.Category.FORMAT, Locale.ROOT); // digits that a page can use
    Thread main = Thread.currentThread();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> join(main)));
    Path file = Path.of(arguments[0]);
    try {
      new ClientMain(System.out).answer(RunJson.read(file, ClientMessage.Task.class));
    } catch (Throwable t) {
      Worker.fail(t, file);
    }
    Runtime.getRuntime().halt(0);
  }

  private static void join(Thread main) {
    try {
      main.join(MOST_ENDING);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void answer(ClientMessage.Task task) throws Exception {
    Optional<String> authorization = Login.ofEnvironment(System.getenv()).map(Login::authorization);
    try (RequestLog log = new RequestLog(task, NanoClock.SYSTEM);
        FloorServer nothing = new FloorServer();
        OpenLoopClient floor =
            new OpenLoopClient(NanoClock.SYSTEM, List.of(nothing.address()), Optional.empty());
        OpenLoopClient client =
            new OpenLoopClient(NanoClock.SYSTEM, task.addresses(), authorization)) {
      Thread.ofPlatform()
          .daemon()
          .name("weir-asked")
          .start(
              () -> {
                read();
                floor.stop();
                client.stop();
              });
      for (Optional<ClientMessage.Ask> ask = asked.take(); ask.isPresent(); ask = asked.take()) {
        tell(
            switch (ask.get()) {
              case ClientMessage.MeasureFloor load -> floor(floor, load);
              case ClientMessage.WarmUp warmUp -> warmUp(client, warmUp);
              case ClientMessage.Step step -> step(client, step, log);
            });
      }
    }
  }

  private static ClientMessage.Answer floor(
      OpenLoopClient floor, ClientMessage.MeasureFloor asked) {
    return new ClientMessage.FloorMeasured(
        floor.step(asked.perSecond(), FLOOR_TIME, FLOOR_SEED, () -> {}).view());
  }

  private static ClientMessage.Answer warmUp(OpenLoopClient client, ClientMessage.WarmUp asked)
      throws InterruptedException {
    OpenLoopClient.WarmUp came = client.warmUp(asked.time(), asked.atOnce());
    return new ClientMessage.WarmedUp(came.perSecond(), came.answered(), came.failure());
  }

  private ClientMessage.Answer step(OpenLoopClient client, ClientMessage.Step asked, RequestLog log)
      throws IOException {
    OpenLoopClient.Step seen =
        client.step(
            asked.perSecond(), asked.time(), asked.seed(), () -> tell(new ClientMessage.Sent()));
    log.add(asked, seen);
    return new ClientMessage.Stepped(seen.view());
  }

  private void tell(ClientMessage.Answer answer) {
    protocol.println(RunJson.line(answer));
    protocol.flush();
  }

  /** Reads what is asked until the input ends. */
  private void read() {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        asked.add(Optional.of(RunJson.ofLine(line, ClientMessage.Ask.class)));
      }
    } catch (IOException e) {
      // The same as an end.
    }
    asked.add(Optional.empty());
  }
}
