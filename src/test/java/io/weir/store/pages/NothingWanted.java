package io.weir.store.pages;

import io.weir.store.kernel.CachedPages;
import java.io.IOException;

/** Readers will look nowhere in what a merge writes, so all of it is dropped. */
public final class NothingWanted implements Forecast {

  @Override
  public void unwanted(long from, long to, CachedPages.Run each) throws IOException {
    each.of(from, to - from);
  }
}
