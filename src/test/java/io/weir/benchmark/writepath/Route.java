package io.weir.benchmark.writepath;

import io.weir.rate.ByteBudget;
import io.weir.store.RateLimitedDirectory;
import java.io.IOException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.RateLimitedIndexOutput;
import org.apache.lucene.store.RateLimiter;

/** What stands between the writer and the sink; the first is what the others are held against. */
public enum Route {
  RAW("raw output") {
    @Override
    Directory to(Directory sink) {
      return sink;
    }
  },

  LUCENE_UNLIMITED("Lucene, infinite rate") {
    @Override
    Directory to(Directory sink) {
      return new LuceneLimitedDirectory(sink, Double.POSITIVE_INFINITY);
    }
  },

  LUCENE_CAPPED("Lucene, capped far above") {
    @Override
    Directory to(Directory sink) {
      return new LuceneLimitedDirectory(sink, FarAbove.MEBIBYTES_PER_SECOND);
    }
  },

  WEIR_UNLIMITED("Weir, unlimited") {
    @Override
    Directory to(Directory sink) {
      return new RateLimitedDirectory(sink, ByteBudget.unlimited());
    }
  },

  WEIR_CAPPED("Weir, capped far above") {
    @Override
    Directory to(Directory sink) {
      return new RateLimitedDirectory(sink, FarAbove.budget());
    }
  };

  private final String title;

  Route(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }

  /** A directory whose merge outputs lead to {@code sink}. */
  abstract Directory to(Directory sink);

  /** Lucene's output around each file, as its merge scheduler puts it there. */
  private static final class LuceneLimitedDirectory extends FilterDirectory {
    private final RateLimiter limiter;

    LuceneLimitedDirectory(Directory in, double mebibytesPerSecond) {
      super(in);
      limiter = new RateLimiter.SimpleRateLimiter(mebibytesPerSecond);
    }

    @Override
    public IndexOutput createOutput(String name, IOContext context) throws IOException {
      return new RateLimitedIndexOutput(limiter, in.createOutput(name, context));
    }
  }
}
