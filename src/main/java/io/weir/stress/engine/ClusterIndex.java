package io.weir.stress.engine;

import io.weir.stress.plan.Login;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** The index of a run in a cluster that runs. */
public final class ClusterIndex {

  private static final Duration ANSWERING = Duration.ofSeconds(30);

  private ClusterIndex() {}

  /**
   * How many documents it was filled with; empty if there is no such index.
   *
   * @param wanted what the run wants it to be
   * @throws IOException with one line when no cluster answers, when no run made the index, or it
   *     was made as another one, or not filled to its end
   */
  public static OptionalLong documents(
      URI cluster, Optional<Login> login, String index, EngineStamp wanted)
      throws IOException, InterruptedException {
    try (EngineClient client = new EngineClient(cluster, login, ANSWERING)) {
      Optional<EngineStamp> stamp = new RestIndex(client, index).stamp();
      if (stamp.isEmpty()) {
        return OptionalLong.empty();
      }
      EngineStamp there = stamp.get();
      if (there.documents() == 0) {
        throw new EngineException(
            "the index %s was not filled to its end; delete it".formatted(index));
      }
      if (!there.matches(wanted)) {
        throw new EngineException(
            "the index %s holds %s, this run asks for %s".formatted(index, there, wanted));
      }
      return OptionalLong.of(there.documents());
    }
  }
}
