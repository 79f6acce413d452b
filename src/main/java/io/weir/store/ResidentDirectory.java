package io.weir.store;

import io.weir.lucene.CompoundSlices;
import io.weir.lucene.FinishedSegment;
import io.weir.lucene.ForwardingIndexInput;
import io.weir.lucene.InputCalls;
import io.weir.lucene.OpenHints;
import io.weir.lucene.SegmentFiles;
import io.weir.lucene.SliceHint;
import io.weir.lucene.TermsOfFields;
import io.weir.store.keys.DictionaryFiles;
import io.weir.store.keys.DictionaryLoader;
import io.weir.store.keys.KeyFiles;
import io.weir.store.keys.ResidentDictionaries;
import io.weir.store.reads.MergeReadPacing;
import io.weir.time.OnceLog;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.NoSuchFileException;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterIndexInput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;

/**
 * A directory that holds the terms dictionaries of key fields in memory while they are open. So a
 * lookup, an update or a delete by key finds its document without waiting for the disk.
 *
 * <p>It holds all of a dictionary that contains only key fields, as {@link ResidentKeys#codec}
 * writes it, in a separate file or in a compound file. A dictionary that key fields share with
 * other fields, as in an index of another codec, is held entirely if it is short. Of a longer one
 * it holds the blocks of the key fields, and the whole index of the blocks. In Elasticsearch it
 * holds the Bloom filter of a key field as well.
 *
 * <p>Opening a segment does not wait for a long dictionary:
 *
 * <ul>
 *   <li>A merge loads the dictionary of its segment after writing it and before Lucene opens it; an
 *       abort of the merge ends the loading.
 *   <li>The thread that opens a segment loads a dictionary of up to 1 MiB that is held entirely.
 *   <li>A thread of Weir for each disk loads all others, one by one, such as those of an index that
 *       is opened. Until then, lookups read the disk.
 * </ul>
 *
 * <p>A dictionary without room waits for it: when the readers of merged segments are closed, the
 * new dictionary takes their room. A dictionary that only merges read is not held.
 *
 * <p>All directories share the memory {@link ResidentMemory#ofKeys}. A JVM that is about to run out
 * of heap reclaims dictionaries; they are read from the disk until there is room again. If they
 * were held for a short time only, the process waits before it reads them again.
 *
 * <p>If a file is held, a merge or {@code CheckIndex} on the open index verifies the copy, not the
 * file on the disk.
 *
 * <p>Put it above the directories that write, and below an {@code NRTCachingDirectory}.
 *
 * <p><b>Threads:</b> as the directory below.
 *
 * <p><b>Ownership:</b> closing this closes the directory below. A dictionary's memory is released
 * when its files are closed, that is, with the last reader of the segment.
 *
 * <p><b>Failure:</b> exceptions of the directory below. A dictionary that has no room or cannot be
 * loaded is read as without Weir; that is counted, and the first case is logged. An aborted merge
 * throws {@link MergePolicy.MergeAbortedException} from here too.
 */
public final class ResidentDirectory extends ForwardingDirectory {

  /** The longest blocks file of a shared dictionary that is held entirely. */
  static final long MAX_SHARED_BYTES = 256 << 10;

  private static final int MOST_FIELDS_NAMED = 20;

  private final ResidentKeys keys;
  private final long maxSharedBytes;
  private final ResidentDictionaries dictionaries;
  private final AtomicBoolean keysChecked = new AtomicBoolean();

  /** Holds the dictionaries of these key fields of the index in {@code in}. */
  public ResidentDirectory(Directory in, ResidentKeys keys) {
    this(in, keys, MAX_SHARED_BYTES, DictionaryLoader.SHARED);
  }

  ResidentDirectory(Directory in, ResidentKeys keys, long maxSharedBytes, DictionaryLoader loader) {
    super(in);
    this.maxSharedBytes = maxSharedBytes;
    this.keys = Objects.requireNonNull(keys, "keys");
    this.dictionaries = new ResidentDictionaries(keys, in, loader);
  }

  /** The key fields, as given. */
  public ResidentKeys keys() {
    return keys;
  }

  /** The figures now. */
  public ResidentSnapshot snapshot() {
    return dictionaries.snapshot();
  }

  /**
   * A segment with these fields is being written. If the first one lacks key fields, that is
   * logged: a misspelt name would otherwise hold nothing and say nothing.
   */
  @Override
  void writes(String segment, FieldInfos fields) {
    if (keysChecked.getAndSet(true)) {
      return;
    }
    Set<String> indexed = new TreeSet<>();
    for (FieldInfo field : fields) {
      if (field.getIndexOptions() != IndexOptions.NONE) {
        indexed.add(field.name);
      }
    }
    Set<String> missing = new TreeSet<>(keys.fields());
    missing.removeAll(indexed);
    if (!missing.isEmpty()) {
      OnceLog.write(
          ResidentDirectory.class,
          Level.WARNING,
          ("no document of the first segment written, %s, has these fields of ResidentKeys: %s. If"
                  + " none ever has, updates and deletes by them read the disk. Case matters; the"
                  + " indexed fields are %s%s")
              .formatted(
                  segment,
                  missing,
                  indexed.stream().limit(MOST_FIELDS_NAMED).toList(),
                  indexed.size() > MOST_FIELDS_NAMED ? " and others" : ""));
    }
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    IndexInput input = in.openInput(name, context);
    if (OpenHints.isReadOnce(context)) {
      return input;
    }
    if (SegmentFiles.isCompoundData(name)) {
      return new CompoundInput(name, input);
    }
    if (!SegmentFiles.isReadByLookups(name)) {
      return input;
    }
    boolean asked = dictionaries.isAsked(context);
    KeyFiles files = keyFilesOf(name);
    return files.include(name)
        ? dictionaries.open(
            name,
            input,
            () -> in.openInput(name, IOContext.READONCE),
            parts(files, SegmentFiles.segmentOf(name), name, input.length()),
            asked)
        : input;
  }

  private DictionaryFiles.Parts parts(KeyFiles files, String segment, String name, long bytes) {
    return files.isWhole(name, bytes) ? DictionaryFiles.Parts.WHOLE : keyParts(segment, name);
  }

  /** Of a segment that is complete; found at the first call that succeeds. */
  private DictionaryFiles.Parts keyParts(String segment, String blocks) {
    return DictionaryFiles.Parts.foundOnce(
        () -> {
          try (Directory files = FinishedSegment.open(in, segment)) {
            return TermsOfFields.ranges(files, segment, blocks, keys.fields());
          }
        });
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    IndexOutput output = in.createOutput(name, context);
    FileStory file = new FileStory(name, context);
    return file.sealsAMerge() ? FileStory.sealing(output, () -> stage(file.segment())) : output;
  }

  @Override
  public void deleteFile(String name) throws IOException {
    in.deleteFile(name);
    dictionaries.deleted(name);
  }

  @Override
  public void close() throws IOException {
    try {
      super.close();
    } finally {
      dictionaries.close();
    }
  }

  private KeyFiles keyFilesOf(String name) {
    try {
      return keyFiles(in, SegmentFiles.segmentOf(name));
    } catch (NoSuchFileException | FileNotFoundException e) {
      return KeyFiles.NONE; // The file was deleted just now.
    } catch (IOException | RuntimeException | VirtualMachineError | LinkageError e) {
      dictionaries.memory().fault(name, e);
      return KeyFiles.NONE;
    }
  }

  private KeyFiles keyFiles(Directory files, String segment) throws IOException {
    String name = SegmentFiles.fieldInfosOf(segment);
    try (IndexInput input = files.openInput(name, IOContext.READONCE)) {
      return keyFilesIn(input, segment);
    }
  }

  private KeyFiles keyFilesIn(IndexInput fieldInfosFile, String segment) throws IOException {
    byte[] fieldInfos = new byte[Math.toIntExact(fieldInfosFile.length())];
    fieldInfosFile.readBytes(fieldInfos, 0, fieldInfos.length);
    return KeyFiles.of(segment, fieldInfos, keys.fields(), maxSharedBytes);
  }

  /** Loads the dictionaries of a merged segment, on the thread of the merge. */
  private void stage(String segment) throws IOException {
    MergeReadPacing.Pacer merge = MergeReadPacing.current();
    if (!dictionaries.isInUse()) {
      return; // No key has been looked up so far. Dictionaries are loaded when they are opened.
    }
    try (Directory files = FinishedSegment.open(in, segment)) {
      KeyFiles keyFiles = keyFiles(files, segment);
      for (String blocks : keyFiles.dictionaries()) {
        stage(files, segment, blocks, keyFiles, merge == null ? () -> {} : merge);
      }
      for (String filter : keyFiles.filters()) {
        dictionaries.stage(
            new DictionaryFiles(file(files, filter, DictionaryFiles.Parts.WHOLE), Optional.empty()),
            Set.of(filter, SegmentFiles.compoundDataOf(segment)),
            merge == null ? () -> {} : merge);
      }
    } catch (MergePolicy.MergeAbortedException e) {
      throw e;
    } catch (IOException | RuntimeException | VirtualMachineError | LinkageError e) {
      dictionaries.memory().fault(segment, e);
    }
  }

  private void stage(
      Directory files,
      String segment,
      String blocks,
      KeyFiles keyFiles,
      MergeReadPacing.Pacer merge)
      throws IOException {
    String index = SegmentFiles.termsIndexOf(blocks);
    DictionaryFiles.Parts parts =
        keyFiles.isWhole(blocks, files.fileLength(blocks))
            ? DictionaryFiles.Parts.WHOLE
            : () -> TermsOfFields.ranges(files, segment, blocks, keys.fields());
    dictionaries.stage(
        new DictionaryFiles(
            file(files, blocks, parts),
            Optional.of(file(files, index, DictionaryFiles.Parts.WHOLE))),
        Set.of(blocks, index, SegmentFiles.compoundDataOf(segment)),
        merge);
  }

  private static DictionaryFiles.File file(
      Directory files, String name, DictionaryFiles.Parts parts) throws IOException {
    return new DictionaryFiles.File(
        name, files.fileLength(name), null, () -> files.openInput(name, IOContext.READONCE), parts);
  }

  /**
   * A compound file whose key dictionaries and their filters are held in memory. All other slices
   * are those of the file itself.
   *
   * <p><b>Threads:</b> as a compound file: any thread may take slices. {@link CompoundSlices}
   * recognizes them.
   */
  final class CompoundInput extends ForwardingIndexInput {

    private final String compound;
    private final String segment;
    private volatile KeyFiles keyFiles = KeyFiles.NONE;

    CompoundInput(String name, IndexInput in) {
      super(in);
      this.compound = name;
      this.segment = SegmentFiles.segmentOf(name);
    }

    @Override
    protected IndexInput slice(String name, long offset, long length, SliceHint hint)
        throws IOException {
      IndexInput slice = super.slice(name, offset, length, hint);
      if (CompoundSlices.isFieldInfos(name, segment)) {
        learn(name, slice.clone());
      } else if (CompoundSlices.isReadByLookups(name) && !OpenHints.isReadOnce(hint.context())) {
        boolean asked = dictionaries.isAsked(hint.context());
        KeyFiles files = keyFiles;
        if (files.include(name)) {
          return dictionaries.open(
              name,
              slice,
              () -> readOnce(name, offset, length),
              parts(files, segment, name, length),
              asked);
        }
      }
      return slice;
    }

    private void learn(String name, IndexInput fieldInfos) {
      try {
        keyFiles = keyFilesIn(fieldInfos, segment);
      } catch (IOException | RuntimeException | VirtualMachineError | LinkageError e) {
        dictionaries.memory().fault(name, e);
      }
    }

    /**
     * Opens the slice in a second input of the compound file; closing the slice closes that input.
     */
    private IndexInput readOnce(String name, long offset, long length) throws IOException {
      IndexInput whole = ResidentDirectory.this.in.openInput(compound, IOContext.READONCE);
      boolean opened = false;
      try {
        IndexInput slice = new ClosingSlice(whole.slice(name, offset, length), whole);
        opened = true;
        return slice;
      } finally {
        if (!opened) {
          whole.close();
        }
      }
    }
  }

  /** A slice that closes its file. */
  private static final class ClosingSlice extends FilterIndexInput {

    private final IndexInput whole;

    ClosingSlice(IndexInput slice, IndexInput whole) {
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
