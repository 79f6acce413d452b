package io.weir.store;

import io.weir.lucene.FinishedSegment;
import io.weir.lucene.OpenHints;
import io.weir.lucene.SegmentFiles;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Objects;
import java.util.Set;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;

/**
 * A directory that holds the terms dictionaries of key fields in memory while they are open, so
 * that a lookup, an update or a delete by key never waits for the disk to find the document.
 *
 * <p>Held are the dictionaries that {@link ResidentKeys#codec} made files of their own, alone or
 * inside a compound file, and any other that is of key fields alone. One that key fields share with
 * other fields is held whole if it is short, as that of a small flush; a longer one, as in an index
 * of another codec, is read from below: that index works as before, and its keys become resident
 * segment by segment, as they are merged.
 *
 * <p>What opens a segment does not wait for a long dictionary. That of a merged segment is read in
 * by the merge when it has written the segment, before Lucene opens it, and an abort of the merge
 * ends the reading. One of up to a mebibyte is read in by the thread that opens the segment. All
 * others, as those of an index that is opened, are read in by a thread of Weir's, one after the
 * other, and lookups read them from the disk until then. Those that find no room wait for it: when
 * a merge has replaced segments and their readers are closed, the merged dictionary takes their
 * room. A dictionary that only merges read is not held.
 *
 * <p>All directories share the memory {@link ResidentMemory#ofKeys}. A JVM that is about to run out
 * of heap takes dictionaries back; they are read from the disk until there is room again.
 *
 * <p>What a merge or a {@code CheckIndex} verifies of a file that is held is the copy; an open
 * index is not looked at again on the disk.
 *
 * <p>Put it above the directories that write, and below an {@code NRTCachingDirectory}.
 *
 * <p><b>Threads:</b> as the directory below.
 *
 * <p><b>Ownership:</b> closing this closes the directory below. A dictionary's memory is given back
 * when its files are closed, which Lucene does when the last reader of the segment is closed.
 *
 * <p><b>Failure:</b> what the directory below throws. A dictionary that finds no room, or that
 * cannot be read in, is read as it would be without Weir; that is counted, and logged the first
 * time. An aborted merge throws {@link MergePolicy.MergeAbortedException} from here too.
 */
public final class ResidentDirectory extends ForwardingDirectory {

  /** The longest dictionary, its blocks of terms, held though it is not of key fields alone. */
  static final long MAX_SHARED_BYTES = 256 << 10;

  private final ResidentKeys keys;
  private final long maxSharedBytes;
  private final ResidentDictionaries dictionaries;

  /** Holds the dictionaries of these key fields of the index in {@code in}. */
  public ResidentDirectory(Directory in, ResidentKeys keys) {
    this(in, keys, MAX_SHARED_BYTES, DictionaryLoader.SHARED);
  }

  ResidentDirectory(Directory in, ResidentKeys keys, long maxSharedBytes, DictionaryLoader keeper) {
    super(in);
    this.maxSharedBytes = maxSharedBytes;
    this.keys = Objects.requireNonNull(keys, "keys");
    this.dictionaries = new ResidentDictionaries(keys, keeper);
  }

  /** As given. */
  public ResidentKeys keys() {
    return keys;
  }

  /** What is held now, and what was done so far. */
  public ResidentSnapshot snapshot() {
    return dictionaries.snapshot();
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    IndexInput input = in.openInput(name, context);
    if (OpenHints.isReadOnce(context)) {
      return input;
    }
    if (SegmentFiles.isCompoundData(name)) {
      return openCompound(name, input);
    }
    if (!SegmentFiles.isTermsDictionary(name)) {
      return input;
    }
    boolean asked = dictionaries.isAsked(context);
    return isKeyFile(name)
        ? dictionaries.open(name, input, () -> in.openInput(name, IOContext.READONCE), asked)
        : input;
  }

  /** A compound file in which key files are found. */
  IndexInput openCompound(String name, IndexInput input) {
    return new ResidentCompoundInput(
        input,
        SegmentFiles.segmentOf(name),
        fieldInfos ->
            KeyFiles.of(SegmentFiles.segmentOf(name), fieldInfos, keys.fields(), maxSharedBytes),
        dictionaries,
        () -> in.openInput(name, IOContext.READONCE));
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    IndexOutput output = in.createOutput(name, context);
    return OpenHints.isForMerge(context) && SegmentFiles.isSegmentInfo(name)
        ? new SegmentInfoOutput(output, () -> stage(SegmentFiles.segmentOf(name)))
        : output;
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

  private boolean isKeyFile(String name) {
    try {
      return keyFiles(in, SegmentFiles.segmentOf(name))
          .include(name, in.fileLength(SegmentFiles.termsBlocksOf(name)));
    } catch (NoSuchFileException | FileNotFoundException e) {
      return false; // Readers do run into files that are being deleted.
    } catch (IOException | RuntimeException | VirtualMachineError | LinkageError e) {
      dictionaries.account().fault(name, e);
      return false;
    }
  }

  private KeyFiles keyFiles(Directory files, String segment) throws IOException {
    String name = SegmentFiles.fieldInfosOf(segment);
    try (IndexInput input = files.openInput(name, IOContext.READONCE)) {
      byte[] fieldInfos = new byte[Math.toIntExact(input.length())];
      input.readBytes(fieldInfos, 0, fieldInfos.length);
      return KeyFiles.of(segment, fieldInfos, keys.fields(), maxSharedBytes);
    }
  }

  /** A merge has written a segment: reads its dictionaries in, on the thread of the merge. */
  private void stage(String segment) throws IOException {
    MergeReadPacing.Pacer merge = MergeReadPacing.current();
    if (!dictionaries.isInUse()) {
      return; // Nobody looks keys up. What is opened later is read in then.
    }
    try (Directory files = FinishedSegment.open(in, segment)) {
      KeyFiles keyFiles = keyFiles(files, segment);
      for (String blocks : keyFiles.dictionaries()) {
        if (keyFiles.include(blocks, files.fileLength(blocks))) {
          stage(files, segment, blocks, merge == null ? () -> {} : merge);
        }
      }
    } catch (MergePolicy.MergeAbortedException e) {
      throw e;
    } catch (IOException | RuntimeException | VirtualMachineError | LinkageError e) {
      dictionaries.account().fault(segment, e);
    }
  }

  private void stage(Directory files, String segment, String blocks, MergeReadPacing.Pacer merge)
      throws IOException {
    String index = SegmentFiles.termsIndexOf(blocks);
    dictionaries.stage(
        file(files, blocks),
        file(files, index),
        Set.of(blocks, index, SegmentFiles.compoundDataOf(segment)),
        merge);
  }

  private static DictionaryFile file(Directory files, String name) throws IOException {
    return new DictionaryFile(
        name, files.fileLength(name), null, () -> files.openInput(name, IOContext.READONCE));
  }
}
