package io.weir.store.keys;

import io.weir.lucene.FileRange;
import java.io.IOException;
import java.util.List;
import org.apache.lucene.util.IOSupplier;

/**
 * The parts of a blocks file that belong to key fields. They are searched for once; after a
 * failure, again.
 *
 * <p><b>Threads:</b> one at a time.
 */
public final class KeyParts implements DictionaryFile.Parts {

  private final IOSupplier<List<FileRange>> search;
  private volatile List<FileRange> found;

  public KeyParts(IOSupplier<List<FileRange>> search) {
    this.search = search;
  }

  @Override
  public List<FileRange> find() throws IOException {
    if (found == null) {
      found = search.get();
    }
    return found;
  }
}
