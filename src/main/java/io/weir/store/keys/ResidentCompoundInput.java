package io.weir.store.keys;

import io.weir.lucene.CompoundSlices;
import io.weir.lucene.ForwardingIndexInput;
import io.weir.lucene.InputCalls;
import io.weir.lucene.OpenHints;
import io.weir.lucene.SliceHint;
import java.io.IOException;
import java.util.function.Function;
import org.apache.lucene.store.FilterIndexInput;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.IOSupplier;

/**
 * A compound file whose key dictionaries and their filters are held in memory. All other slices are
 * those of the file itself.
 *
 * <p><b>Threads:</b> as a compound file: any thread may take slices. {@link CompoundSlices}
 * recognizes them.
 */
public final class ResidentCompoundInput extends ForwardingIndexInput {

  /** Decides from the bytes of the field infos. */
  @FunctionalInterface
  public interface Decision {
    KeyFiles of(byte[] fieldInfos) throws IOException;
  }

  private final String segment;
  private final Decision decision;
  private final Function<String, DictionaryFiles.Parts> keyParts;
  private final ResidentDictionaries dictionaries;
  private final IOSupplier<IndexInput> reader;
  private volatile KeyFiles keyFiles = KeyFiles.NONE;

  /**
   * Wraps an open compound file.
   *
   * @param keyParts the key fields' parts of a blocks file, by its name
   * @param reader opens the compound file for one read by the calling thread
   */
  public ResidentCompoundInput(
      IndexInput in,
      String segment,
      Decision decision,
      Function<String, DictionaryFiles.Parts> keyParts,
      ResidentDictionaries dictionaries,
      IOSupplier<IndexInput> reader) {
    super(in);
    this.segment = segment;
    this.decision = decision;
    this.keyParts = keyParts;
    this.dictionaries = dictionaries;
    this.reader = reader;
  }

  @Override
  protected IndexInput slice(String name, long offset, long length, SliceHint hint)
      throws IOException {
    IndexInput slice = super.slice(name, offset, length, hint);
    if (CompoundSlices.isFieldInfos(name, segment)) {
      learn(name, slice.clone(), length);
    } else if (CompoundSlices.isReadByLookups(name) && !OpenHints.isReadOnce(hint.context())) {
      boolean asked = dictionaries.isAsked(hint.context());
      KeyFiles files = keyFiles;
      if (files.include(name)) {
        return dictionaries.open(
            name,
            slice,
            () -> readOnce(name, offset, length),
            files.isWhole(name, length) ? DictionaryFiles.Parts.WHOLE : keyParts.apply(name),
            asked);
      }
    }
    return slice;
  }

  private void learn(String name, IndexInput file, long length) {
    try {
      byte[] fieldInfos = new byte[Math.toIntExact(length)];
      file.readBytes(fieldInfos, 0, fieldInfos.length);
      keyFiles = decision.of(fieldInfos);
    } catch (IOException | RuntimeException | VirtualMachineError | LinkageError e) {
      dictionaries.memory().fault(name, e);
    }
  }

  /**
   * Opens the slice in a second input of the compound file; closing the slice closes that input.
   */
  private IndexInput readOnce(String name, long offset, long length) throws IOException {
    IndexInput whole = reader.get();
    boolean opened = false;
    try {
      IndexInput slice = whole.slice(name, offset, length);
      IndexInput file = new Slice(slice, whole);
      opened = true;
      return file;
    } finally {
      if (!opened) {
        whole.close();
      }
    }
  }

  /** A slice that closes its file. */
  private static final class Slice extends FilterIndexInput {

    private final IndexInput whole;

    Slice(IndexInput slice, IndexInput whole) {
      super(slice.toString(), slice);
      this.whole = whole;
    }

    @Override
    public void prefetch(long offset, long length) throws IOException {
      InputCalls.prefetch(in, offset, length);
    }

    @Override
    public void close() throws IOException {
      try (whole) {
        super.close();
      }
    }
  }
}
