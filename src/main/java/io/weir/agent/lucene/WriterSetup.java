package io.weir.agent.lucene;

import io.weir.Weir;
import io.weir.agent.AgentLog;
import io.weir.agent.process.Setup;
import io.weir.merge.RateLimitedMergeScheduler;
import io.weir.store.DirectoryPlan;
import io.weir.store.RateLimitedDirectory;
import java.util.Optional;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.IndexCommit;
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

  // By name: the application's Weir is of another loader than this one.
  private static final String WEIRS_SCHEDULER = "io.weir.merge.RateLimitedMergeScheduler";
  private static final String WEIRS_DIRECTORIES = "io.weir.store.";

  private final Setup setup;

  WriterSetup(Setup setup) {
    this.setup = setup;
  }

  /** Changes {@code config} as decided; returns the directory for the writer. */
  Directory prepare(Directory directory, IndexWriterConfig config) {
    if (config.getMergeScheduler() instanceof RateLimitedMergeScheduler) {
      return directory; // of an earlier writer's configuration
    }
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
    Weir weir = open(index, directory, config.getIndexCommit());
    copy(lucenes, weir.scheduler());
    weir.scheduler().setIdleClass(setup.idleClass());
    weir.scheduler().setProcessorShare(setup.processors());
    weir.configure(config);
    return weir.directory();
  }

  /** On the directory as it is, if it has the layers already or cannot have them. */
  private Weir open(String index, Directory directory, IndexCommit commit) {
    Weir.Builder weir = Weir.builder().budget(setup.budget());
    if (setup.processors().cores().isPresent()) { // else the application's policy stays as it is
      weir.processors(setup.processors());
    }
    if (hasLayers(directory)) {
      return weir.openAsIs(directory); // of an earlier writer's getDirectory
    }
    if (commit != null) {
      Directory ofCommit = commit.getDirectory();
      if (hasLayers(ofCommit)
          && FilterDirectory.unwrap(ofCommit) == FilterDirectory.unwrap(directory)) {
        // A commit of an earlier writer, which must have this writer's directory.
        return weir.openAsIs(ofCommit);
      }
      sayKept(index, "it opens a commit, which must have the writer's directory");
      return weir.openAsIs(directory);
    }
    if (find(directory, NRTCachingDirectory.class)) {
      sayKept(index, "it has an NRTCachingDirectory, which belongs above Weir's components");
      return weir.openAsIs(directory);
    }
    return weir.open(directory);
  }

  private static void sayKept(String index, String reason) {
    AgentLog.say(index + ": merges are capped, but the directory stays, because " + reason);
  }

  private static boolean hasLayers(Directory directory) {
    return find(directory, RateLimitedDirectory.class);
  }

  private static boolean find(Directory directory, Class<? extends Directory> type) {
    return DirectoryPlan.find(directory, type).isPresent();
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
      if (at.getClass().getName().startsWith(WEIRS_DIRECTORIES)
          && at.getClass().getClassLoader() != WriterSetup.class.getClassLoader()) {
        return true;
      }
      if (!(at instanceof FilterDirectory)) {
        return false;
      }
    }
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
