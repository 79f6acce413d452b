package io.weir.stress.engine;

import io.weir.stress.plan.Documents;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import java.util.OptionalLong;

/** The index of a run in a cluster that runs. */
public final class ClusterIndex {

  private ClusterIndex() {}

  /**
   * How many documents it was filled with; empty if there is no such index.
   *
   * @param asked what the run wants it to be filled with
   * @throws IOException with one line when no cluster answers, when no run made the index, or it
   *     was filled with other documents, or not to the end
   */
  public static OptionalLong documents(URI cluster, String index, Documents asked)
      throws IOException, InterruptedException {
    try (EngineClient client = new EngineClient(cluster)) {
      Optional<EngineIndex.Stamp> stamp = new EngineIndex(client, index).stamp();
      if (stamp.isEmpty()) {
        return OptionalLong.empty();
      }
      EngineIndex.Stamp there = stamp.get();
      if (there.documents() == 0) {
        throw new EngineException(
            "the index %s was not filled to its end; delete it".formatted(index));
      }
      if (!there.equals(EngineIndex.Stamp.of(asked, there.documents()))) {
        throw new EngineException(
            "the index %s was filled with %s (seed %d, at most %d), this run asks for %s (seed %d, at most %d)"
                .formatted(
                    index,
                    there.source(),
                    there.seed(),
                    there.maxDocuments(),
                    asked.source(),
                    asked.seed(),
                    asked.maxDocuments()));
      }
      return OptionalLong.of(there.documents());
    }
  }
}
