package io.weir.store;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.MergeRateLimiter;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.RateLimitedIndexOutput;

/** Lucene's own scheduler and throttle, with a record of which files it limited, and by what. */
class WatchedMergeScheduler extends ConcurrentMergeScheduler {

  private final Set<String> limitedFiles = ConcurrentHashMap.newKeySet();
  private final List<MergeRateLimiter> limiters = new CopyOnWriteArrayList<>();

  /** The names of the files that were written through a rate limiter, deleted ones included. */
  Set<String> limitedFiles() {
    return limitedFiles;
  }

  /** The limiter of each merge that has finished. */
  List<MergeRateLimiter> limiters() {
    return limiters;
  }

  @Override
  public Directory wrapForMerge(MergePolicy.OneMerge merge, Directory in) {
    return new FilterDirectory(super.wrapForMerge(merge, in)) {
      @Override
      public IndexOutput createOutput(String name, IOContext context) throws IOException {
        return watched(this.in.createOutput(name, context));
      }

      @Override
      public IndexOutput createTempOutput(String prefix, String suffix, IOContext context)
          throws IOException {
        return watched(this.in.createTempOutput(prefix, suffix, context));
      }
    };
  }

  @Override
  protected synchronized void runOnMergeFinished(
      MergeSource mergeSource, MergePolicy.OneMerge merge, MergeRateLimiter limiter) {
    limiters.add(limiter);
    super.runOnMergeFinished(mergeSource, merge, limiter);
  }

  private IndexOutput watched(IndexOutput output) {
    if (output instanceof RateLimitedIndexOutput) {
      limitedFiles.add(output.getName());
    }
    return output;
  }
}
