package io.weir;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;

/** A process that opens the directories of two indexes, which must say once how they write. */
final class TwoDirectories {

  private TwoDirectories() {}

  /**
   * Opens and closes them.
   *
   * @param arguments where they may be made
   */
  public static void main(String[] arguments) throws IOException {
    for (String name : new String[] {"first", "second"}) {
      try (Directory directory = Weir.builder().open(Path.of(arguments[0], name)).directory()) {
        directory.listAll();
      }
    }
  }
}
