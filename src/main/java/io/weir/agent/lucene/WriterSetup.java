package io.weir.agent.lucene;

import io.weir.Weir;
import io.weir.agent.AgentLog;
import io.weir.agent.process.Setup;
import io.weir.merge.RateLimitedMergeScheduler;
import java.util.Optional;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MergeScheduler;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.NRTCachingDirectory;

/**
 * Decides what a writer gets, before it is constructed.
 *
 * <p>Measuring replaces Lucene's concurrent merge scheduler by Weir's without a cap, and nothing
 * else: the directory stays the application's. A cap gives the writer Weir's recommended setup, its
 * directory included. A directory that must stay the application's keeps it: the scheduler then
 * caps alone.
 *
 * <p>A writer is left alone if another scheduler merges, because that is the application's or an
 * engine's own design; and if Weir is there already.
 */
final class WriterSetup {

  // By name: the application's Weir is of another loader.
  private static final String WEIRS_SCHEDULER = "io.weir.merge.RateLimitedMergeScheduler";
  private static final String WEIRS_DIRECTORIES = "io.weir.store.";

  private final Setup setup;

  WriterSetup(Setup setup) {
    this.setup = setup;
  }

  /** Changes {@code config} as decided; returns the directory for the writer. */
  Directory prepare(Directory directory, IndexWriterConfig config) {
    String index = IndexName.of(directory);
    Optional<String> reason = reasonToLeave(directory, config.getMergeScheduler());
    if (reason.isPresent()) {
      AgentLog.say(index + ": this writer is left as it is, because " + reason.get());
      return directory;
    }
    ConcurrentMergeScheduler lucenes = (ConcurrentMergeScheduler) config.getMergeScheduler();
    if (!setup.capped()) {
      RateLimitedMergeScheduler scheduler = new RateLimitedMergeScheduler(setup.budget());
      copy(lucenes, scheduler);
      config.setMergeScheduler(scheduler);
      return directory;
    }
    Weir weir = new Weir(setup.budget());
    copy(lucenes, weir.scheduler());
    Optional<String> obstacle = reasonToKeep(directory, config);
    obstacle.ifPresent(
        why ->
            AgentLog.say(index + ": merges are capped, but the directory stays, because " + why));
    Directory prepared = obstacle.isPresent() ? directory : weir.directory(directory);
    weir.configure(config);
    return prepared;
  }

  private Optional<String> reasonToLeave(Directory directory, MergeScheduler scheduler) {
    String type = scheduler.getClass().getName();
    if (type.equals(WEIRS_SCHEDULER) || isWeirs(directory)) {
      return Optional.of("the application uses Weir itself");
    }
    if (scheduler.getClass() != ConcurrentMergeScheduler.class) {
      return Optional.of("its merge scheduler is not Lucene's concurrent one: " + type);
    }
    return setup.capped() && FilterDirectory.unwrap(directory) instanceof ByteBuffersDirectory
        ? Optional.of("its index is in memory")
        : Optional.empty();
  }

  private static boolean isWeirs(Directory directory) {
    for (Directory at = directory; ; at = ((FilterDirectory) at).getDelegate()) {
      if (at.getClass().getName().startsWith(WEIRS_DIRECTORIES)) {
        return true;
      }
      if (!(at instanceof FilterDirectory)) {
        return false;
      }
    }
  }

  private static Optional<String> reasonToKeep(Directory directory, IndexWriterConfig config) {
    if (config.getIndexCommit() != null) {
      return Optional.of("it opens a commit, which must have the writer's directory");
    }
    for (Directory at = directory;
        at instanceof FilterDirectory filter;
        at = filter.getDelegate()) {
      if (at instanceof NRTCachingDirectory) {
        return Optional.of("it has an NRTCachingDirectory, which belongs above Weir's layers");
      }
    }
    return Optional.empty();
  }

  private static void copy(ConcurrentMergeScheduler from, ConcurrentMergeScheduler to) {
    to.setMaxMergesAndThreads(from.getMaxMergeCount(), from.getMaxThreadCount());
    to.setForceMergeMBPerSec(from.getForceMergeMBPerSec());
    if (from.getAutoIOThrottle()) {
      to.enableAutoIOThrottle();
    } else {
      to.disableAutoIOThrottle();
    }
  }
}
