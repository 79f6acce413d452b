package io.weir.option;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/** The known name that a misspelt one most likely stands for. */
public final class NearestName {

  private NearestName() {}

  /**
   * The name that takes the fewest slips to become {@code typed}: one that it begins, or one at
   * most a third of whose characters differ; empty when there is none.
   */
  public static Optional<String> to(String typed, Collection<String> names) {
    Objects.requireNonNull(typed, "typed");
    Objects.requireNonNull(names, "names");
    String lower = typed.toLowerCase(Locale.ROOT);
    Optional<String> begun =
        names.stream().filter(name -> lower.length() > 2 && name.startsWith(lower)).findFirst();
    return begun.or(
        () ->
            names.stream()
                .filter(name -> slips(lower, name) <= Math.max(1, name.length() / 3))
                .min(Comparator.comparingInt(name -> slips(lower, name))));
  }

  /**
   * How many characters were left out, added, replaced, or swapped with their neighbour: the
   * distance of Damerau and Levenshtein, each place being changed once.
   */
  static int slips(String a, String b) {
    int[][] slips = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          slips[i][j] = i + j;
          continue;
        }
        int replaced = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        slips[i][j] =
            Math.min(
                Math.min(slips[i - 1][j], slips[i][j - 1]) + 1, slips[i - 1][j - 1] + replaced);
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          slips[i][j] = Math.min(slips[i][j], slips[i - 2][j - 2] + 1);
        }
      }
    }
    return slips[a.length()][b.length()];
  }
}
