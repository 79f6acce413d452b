package io.weir.stress.setting;

import java.util.Locale;

/** In which state the pages of an arm's index are when the arm opens it. */
public enum CacheState {
  /** As whoever was there before has left them. */
  AS_IS,
  /** None of them is in the page cache. */
  COLD,
  /** All of them are. */
  WARM;

  /** As options and files spell it: {@code as-is}, {@code cold}, {@code warm}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
