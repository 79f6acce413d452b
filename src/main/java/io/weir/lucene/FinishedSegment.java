package io.weir.lucene;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.CompoundDirectory;
import org.apache.lucene.codecs.CompoundFormat;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/**
 * Access to the files of a segment that was written but not opened yet, by their names, whether
 * inside a compound file or not.
 *
 * <p>Source: Lucene 10.5.1, {@code IndexWriter.mergeMiddle}: the segment info is written after all
 * other files, and the parts of a compound file are deleted before that.
 */
public final class FinishedSegment {

  /** With a context as the last parameter before Lucene 10.1. */
  private static final MethodHandle COMPOUND_READER =
      Link.method(
              CompoundFormat.class,
              "getCompoundReader",
              CompoundDirectory.class,
              Directory.class,
              SegmentInfo.class)
          .or(FinishedSegment::compoundReaderWithContext)
          .orElseThrow(() -> Link.missing("CompoundFormat.getCompoundReader"));

  private FinishedSegment() {}

  /**
   * Opens the segment for the calling thread, to read each file once.
   *
   * @return the files; closing this leaves {@code directory} open
   * @throws IOException if it is compound but not in the format of Lucene's default codec
   */
  public static Directory open(Directory directory, String segment) throws IOException {
    Directory files = new ReadOnce(directory);
    Codec codec = Codec.getDefault();
    SegmentInfo info;
    try (IndexInput entries =
        files.openInput(SegmentFiles.compoundEntriesOf(segment), IOContext.READONCE)) {
      info = SegmentId.infoFrom(entries, files, segment, codec);
    } catch (NoSuchFileException | FileNotFoundException e) {
      return files;
    }
    return compoundReader(codec.compoundFormat(), files, info);
  }

  private static CompoundDirectory compoundReader(
      CompoundFormat format, Directory files, SegmentInfo info) throws IOException {
    try {
      return (CompoundDirectory) COMPOUND_READER.invokeExact(format, files, info);
    } catch (Throwable e) {
      throw Link.<IOException>thrown(e);
    }
  }

  private static Optional<MethodHandle> compoundReaderWithContext() {
    return Link.method(
            CompoundFormat.class,
            "getCompoundReader",
            CompoundDirectory.class,
            Directory.class,
            SegmentInfo.class,
            IOContext.class)
        .map(method -> MethodHandles.insertArguments(method, 3, IOContext.READONCE));
  }

  /** Opens every file with the read-once context, and ignores close. */
  private static final class ReadOnce extends FilterDirectory {

    ReadOnce(Directory in) {
      super(in);
    }

    @Override
    public IndexInput openInput(String name, IOContext context) throws IOException {
      return in.openInput(name, IOContext.READONCE);
    }

    @Override
    public void close() {}
  }
}
