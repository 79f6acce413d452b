package io.weir.why;

import java.nio.file.Path;
import java.util.Locale;

/**
 * What {@code weir why --for 25s --out DIR}, for some 15s or 30s, wrote of {@link SickApplication}
 * with each illness, and of a server of OpenSearch: the files {@code why.json} as they were, but
 * for the path of the slow disk. Of cold searches it looked for 60 s with {@code --record}, on a
 * slow disk and with 300 MB for the heap and the page cache.
 */
final class Recorded {

  private static final Path DIRECTORY = Path.of("src/test/resources/io/weir/why");

  private Recorded() {}

  static Observation of(SickApplication.Illness illness) {
    return of(name(illness));
  }

  static String name(SickApplication.Illness illness) {
    return illness.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Of the file with this name. */
  static Observation of(String name) {
    try {
      return ObservationFile.read(DIRECTORY.resolve(name + ".json"));
    } catch (WhyException e) {
      throw new IllegalStateException(e);
    }
  }
}
