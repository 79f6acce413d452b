package io.weir;

import io.weir.merge.MergeListener;
import io.weir.merge.MergeTotals;
import io.weir.nrt.MergedSegmentWarmer;
import io.weir.time.OnceLog;
import java.lang.System.Logger.Level;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LiveIndexWriterConfig;

/**
 * Checks at the writer's first use that the settings of {@link Weir#configure} are still in place,
 * and that the writer is on a directory with Weir's layers. An application that sets its own codec
 * or scheduler afterwards would silently lose ours. What is wrong is logged as a WARNING, once,
 * with its consequence.
 *
 * <p>The first use is the first merge, by any scheduler, or the first attach of a monitor.
 *
 * <p><b>Threads:</b> any. <b>Memory:</b> holds the configuration weakly, because that holds its
 * writer. <b>Failure:</b> no method throws.
 */
final class ConfigCheck implements MergeListener {

  private static final String FIX = "; call Weir.configure last, after all other settings";

  /** A setting, and the consequence of losing it. */
  private enum Setting {
    SCHEDULER(
        "merge scheduler",
        "an abort waits for the cap, and merges that readers wait for are paced",
        LiveIndexWriterConfig::getMergeScheduler),
    CODEC("codec", "keys of new segments are not resident", LiveIndexWriterConfig::getCodec),
    WARMER(
        "merged-segment warmer",
        "the first reopen after a merge opens its segment",
        LiveIndexWriterConfig::getMergedSegmentWarmer),
    FULL_FLUSH_WAIT(
        "maxFullFlushMergeWaitMillis",
        "reopens and commits wait for merges",
        LiveIndexWriterConfig::getMaxFullFlushMergeWaitMillis),
    INFO_STREAM("info stream", "reopens have no phases", LiveIndexWriterConfig::getInfoStream);

    private final String label;
    private final String loss;
    private final Function<LiveIndexWriterConfig, Object> value;

    Setting(String label, String loss, Function<LiveIndexWriterConfig, Object> value) {
      this.label = label;
      this.loss = loss;
      this.value = value;
    }
  }

  private WeakReference<IndexWriterConfig> config = new WeakReference<>(null); // guarded by this
  private Map<Setting, Object> expected = Map.of(); // guarded by this
  private boolean warned; // guarded by this
  private boolean everConfigured; // guarded by this
  private boolean plainSaid; // guarded by this

  /** Remembers the settings in {@code configured}. */
  synchronized void remember(IndexWriterConfig configured, boolean withKeys) {
    config = new WeakReference<>(configured);
    expected = new EnumMap<>(Setting.class);
    for (Setting setting : Setting.values()) {
      if (setting != Setting.CODEC || withKeys) {
        expected.put(setting, setting.value.apply(configured));
      }
    }
    warned = false;
    everConfigured = true;
  }

  @Override
  public void mergeStarted(MergeTotals merge) {
    check();
  }

  /** The writer is in use: warns if some of the settings were replaced. */
  void check() {
    List<String> lost = takeLost();
    if (!lost.isEmpty()) {
      warn("after Weir.configure " + String.join("; ", lost) + FIX);
    }
  }

  /** A merge that our scheduler does not run writes to our directory. */
  void unknownMerge() {
    check();
    synchronized (this) {
      if (warned) {
        return;
      }
      warned = true;
    }
    warn(
        "a merge scheduler other than Weir's merges in this directory: "
            + Setting.SCHEDULER.loss
            + "; pass the writer's configuration to Weir.configure");
  }

  /**
   * A monitor is attached.
   *
   * @param ofWriter whether its readers are those of a writer, and not of a commit or a replica
   */
  void attached(boolean ofWriter) {
    check();
    synchronized (this) {
      if (!ofWriter || everConfigured || warned) {
        return;
      }
      warned = true;
    }
    warn(
        "a monitor was attached, but Weir.configure was never called: reopens have no phases, and"
            + " wait for merges; pass the writer's configuration to Weir.configure");
  }

  /** A writer that was configured here, or its reader, is on a directory without Weir's layers. */
  void onPlainDirectory() {
    synchronized (this) {
      if (plainSaid || !everConfigured) {
        return;
      }
      plainSaid = true;
    }
    warn(
        "the writer's directory is not from Weir.directory: its keys are read from the disk, its"
            + " writes come in bursts, and reopens wait for the disk; open the writer on the"
            + " directory that Weir.directory returns");
  }

  /** The settings that were lost; empty if none, or if this was called before. */
  private synchronized List<String> takeLost() {
    List<String> lost = new ArrayList<>();
    IndexWriterConfig used = config.get();
    if (used != null) {
      expected.forEach(
          (setting, value) -> {
            Object now = setting.value.apply(used);
            if (now != value
                && !(now instanceof Number && now.equals(value))
                && !(now instanceof MergedSegmentWarmer)) { // ours, around another one
              lost.add(
                  "another %s (%s) was set: %s".formatted(setting.label, shown(now), setting.loss));
            }
          });
    }
    config.clear();
    expected = Map.of();
    warned |= !lost.isEmpty();
    return lost;
  }

  /** The value's type, because an application's {@code toString} may throw. */
  private static String shown(Object value) {
    return value instanceof Number || value == null
        ? String.valueOf(value)
        : value.getClass().getName();
  }

  private static void warn(String message) {
    OnceLog.write(ConfigCheck.class, Level.WARNING, message);
  }
}
