package io.weir;

import io.weir.merge.MergeListener;
import io.weir.merge.MergeTotals;
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
 * What {@link Weir#configure} has set on a writer's configuration, and whether it is still set when
 * the writer is first used: an application that sets its own codec or scheduler afterwards would
 * lose ours without a word. The first loss is logged, at WARNING, with what it costs.
 *
 * <p>First use is the first merge, on our scheduler or another, and the first attach of a monitor.
 *
 * <p><b>Threads:</b> any. <b>Memory:</b> the configuration is held weakly, as it holds its writer.
 * <b>Failure:</b> no method throws.
 */
final class ConfigCheck implements MergeListener {

  private static final String FIX = "; call Weir.configure last, after all other settings";

  /** A setting, and what is lost with it. */
  private enum Setting {
    SCHEDULER(
        "merge scheduler",
        "an abort waits for the cap, and merges that readers wait for are held back",
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
  private boolean told; // guarded by this

  /** This is what was set just now. */
  synchronized void remember(IndexWriterConfig configured, boolean withKeys) {
    config = new WeakReference<>(configured);
    expected = new EnumMap<>(Setting.class);
    for (Setting setting : Setting.values()) {
      if (setting != Setting.CODEC || withKeys) {
        expected.put(setting, setting.value.apply(configured));
      }
    }
    told = false;
  }

  @Override
  public void mergeStarted(MergeTotals merge) {
    check();
  }

  /** The writer is in use: says so if some of the settings were replaced. */
  void check() {
    List<String> lost = takeLost();
    if (!lost.isEmpty()) {
      warn("after Weir.configure " + String.join("; ", lost) + FIX);
    }
  }

  /** A merge writes to a directory of Weir's, and our scheduler does not run it. */
  void unknownMerge() {
    check();
    synchronized (this) {
      if (told) {
        return;
      }
      told = true;
    }
    warn(
        "a merge scheduler that is not Weir's merges in this directory: "
            + Setting.SCHEDULER.loss
            + "; give the writer a configuration that went through Weir.configure");
  }

  /** Looks once; empty when all is as it was set, or when this was asked before. */
  private synchronized List<String> takeLost() {
    List<String> lost = new ArrayList<>();
    IndexWriterConfig used = config.get();
    if (used != null) {
      expected.forEach(
          (setting, value) -> {
            Object now = setting.value.apply(used);
            if (now != value && !(now instanceof Number && now.equals(value))) {
              lost.add(
                  "another %s (%s) was set: %s".formatted(setting.label, shown(now), setting.loss));
            }
          });
    }
    config.clear();
    expected = Map.of();
    told |= !lost.isEmpty();
    return lost;
  }

  /** By its type: what an application's object says of itself may throw. */
  private static String shown(Object value) {
    return value instanceof Number || value == null
        ? String.valueOf(value)
        : value.getClass().getName();
  }

  private static void warn(String message) {
    try {
      System.getLogger(ConfigCheck.class.getPackageName()).log(Level.WARNING, message);
    } catch (RuntimeException | LinkageError unheard) {
      // A log that fails may not fail a merge.
    }
  }
}
