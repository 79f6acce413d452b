package io.weir.stress.engine;

import java.util.Optional;

/**
 * The request that a worker ends. It hangs up the worker's connection at once, so that no call that
 * is never answered keeps the worker alive.
 *
 * <p><b>Threads:</b> any.
 */
final class EngineStop {

  // Guarded by this.
  private boolean asked;
  private Optional<EngineClient> client = Optional.empty();

  /** Asks the worker to end. */
  synchronized void ask() {
    asked = true;
    client.ifPresent(EngineClient::close);
  }

  synchronized boolean isAsked() {
    return asked;
  }

  /** Ends the calls of {@code newClient} when it is asked, at once if it has been. */
  synchronized void ends(EngineClient newClient) {
    client = Optional.of(newClient);
    if (asked) {
      newClient.close();
    }
  }
}
