package io.weir.benchmark.bulkindexing;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.apache.lucene.util.IOUtils;

/**
 * The JVMs of a series of rounds.
 *
 * <p>A machine that other machines share becomes faster and slower by a tenth within seconds. Arms
 * that run in turn meet that one after the other, and arms that run at once meet it together.
 *
 * <p><b>Threads:</b> one. <b>Ownership:</b> {@link #close} ends the JVMs.
 */
final class IndexingJvms implements Closeable {

  /** Who runs where. */
  enum Sharing {
    /**
     * All arms in turn, in one JVM. They have the same compiled code, so what the compiler makes of
     * Lucene is the same for all; code that only one arm needs slows the others down, too.
     */
    SHARED,
    /**
     * All arms at once, in one JVM. They have the same compiled code and meet the same machine, so
     * this finds the smallest differences between what their threads do. The compiler and the
     * collector work for all. Wall times depend on each other.
     */
    TOGETHER,
    /**
     * Each arm in a JVM of its own, as in an application, and all at once. Their wall times depend
     * on each other. What processors did does not.
     */
    OWN;

    static Sharing of(String text) {
      return switch (text) {
        case "shared" -> SHARED;
        case "together" -> TOGETHER;
        case "own" -> OWN;
        default ->
            throw new IllegalArgumentException("--jvm must be shared, together or own: " + text);
      };
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final Sharing sharing;
  private final Map<IndexingArm, IndexingJvm> jvms = new LinkedHashMap<>();

  /** Starts them. */
  IndexingJvms(
      Sharing sharing,
      List<IndexingArm> arms,
      IndexingJvm.Setup setup,
      Optional<Path> agent,
      Path directory)
      throws IOException {
    this.sharing = sharing;
    try {
      for (IndexingArm arm : arms) {
        jvms.put(
            arm,
            sharing != Sharing.OWN && !jvms.isEmpty()
                ? jvms.get(arms.getFirst())
                : new IndexingJvm(setup, agent, directory));
      }
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  /** Runs each arm once: in this order, or at once. */
  Map<IndexingArm, IndexingResult> round(List<IndexingArm> order) throws IOException {
    return switch (sharing) {
      case SHARED -> inTurn(order);
      case TOGETHER -> jvms.get(order.getFirst()).run(order);
      case OWN -> atOnce(order);
    };
  }

  private Map<IndexingArm, IndexingResult> inTurn(List<IndexingArm> order) throws IOException {
    Map<IndexingArm, IndexingResult> results = new LinkedHashMap<>();
    for (IndexingArm arm : order) {
      results.putAll(jvms.get(arm).run(List.of(arm)));
    }
    return results;
  }

  private Map<IndexingArm, IndexingResult> atOnce(List<IndexingArm> order) throws IOException {
    Map<IndexingArm, FutureTask<Map<IndexingArm, IndexingResult>>> running = new LinkedHashMap<>();
    for (IndexingArm arm : order) {
      FutureTask<Map<IndexingArm, IndexingResult>> run =
          new FutureTask<>(() -> jvms.get(arm).run(List.of(arm)));
      running.put(arm, run);
      Thread.ofPlatform().name("await-" + arm.name()).start(run);
    }
    Map<IndexingArm, IndexingResult> results = new LinkedHashMap<>();
    for (FutureTask<Map<IndexingArm, IndexingResult>> run : running.values()) {
      results.putAll(resultOf(run));
    }
    return withoutEachOther(results);
  }

  private static Map<IndexingArm, IndexingResult> resultOf(
      FutureTask<Map<IndexingArm, IndexingResult>> run) throws IOException {
    try {
      return run.get();
    } catch (ExecutionException e) {
      throw new IOException(e.getCause().getMessage(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** To each arm, the others seem to be other processes. */
  static Map<IndexingArm, IndexingResult> withoutEachOther(
      Map<IndexingArm, IndexingResult> results) {
    Map<IndexingArm, IndexingResult> corrected = new LinkedHashMap<>();
    results.forEach(
        (arm, own) -> {
          double ofArms = 0;
          for (IndexingResult each : results.values()) {
            double together =
                Math.min(1, (double) own.timing().wallNanos() / each.timing().wallNanos());
            ofArms += each == own ? 0 : each.timing().processNanos() * together;
          }
          corrected.put(arm, own.withOthers(Math.max(0, own.othersNanos() - (long) ofArms)));
        });
    return corrected;
  }

  @Override
  public void close() throws IOException {
    IOUtils.close(Set.copyOf(jvms.values())); // each, even if one fails
  }
}
