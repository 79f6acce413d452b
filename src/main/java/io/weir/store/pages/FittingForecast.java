package io.weir.store.pages;

import io.weir.store.kernel.CachedPages;
import java.io.IOException;
import java.util.function.Supplier;

/** What of a file stays by the memory that there is when it is asked. */
final class FittingForecast implements MergePages.Forecast {

  /** What memory is too short for. */
  enum Shortage {
    NONE,
    OF_THE_REST,
    OF_WHAT_WAS_CACHED
  }

  private final MergePages.Forecast least;
  private final MergePages.Forecast more;
  private final Supplier<Shortage> memory;

  FittingForecast(MergePages.Forecast least, MergePages.Forecast more, Supplier<Shortage> memory) {
    this.least = least;
    this.more = more;
    this.memory = memory;
  }

  @Override
  public void unwanted(long from, long to, CachedPages.Run each) throws IOException {
    switch (memory.get()) {
      case NONE -> {}
      case OF_THE_REST -> more.unwanted(from, to, each);
      case OF_WHAT_WAS_CACHED -> least.unwanted(from, to, each);
    }
  }

  @Override
  public void wanted(long from, long to, CachedPages.Run each) throws IOException {
    least.wanted(from, to, each);
  }
}
