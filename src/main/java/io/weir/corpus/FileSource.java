package io.weir.corpus;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.OptionalLong;

/** The documents of one file: a line file or a Wikipedia dump, plain or packed. */
record FileSource(Path file, Compression compression, FileFormat format, long fileBytes)
    implements DocumentSource {

  /** Examines the file's beginning; refuses files as {@link DocumentSources#parse} describes. */
  static FileSource at(Path file) {
    if (!Files.isRegularFile(file)) {
      // For example a pipe, which cannot be read repeatedly.
      throw new IllegalArgumentException("documents must be a regular file: " + file);
    }
    try {
      Compression compression = Compression.of(head(file));
      return new FileSource(
          file,
          compression,
          FileFormat.of(unpackedHead(file, compression), file.toString()),
          Files.size(file));
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "documents must be readable: " + file + ": " + Breaks.reason(e), e);
    }
  }

  @Override
  public DocumentReader open(ReadProblems problems) throws IOException {
    String name = file.toString();
    return new NonEmptyReader(
        format.reader(compression.open(file), name, problems), name, problems);
  }

  @Override
  public String describe() {
    return file.toString();
  }

  @Override
  public OptionalLong documentCount() {
    return OptionalLong.empty();
  }

  @Override
  public OptionalLong textBytes() {
    return OptionalLong.of(fileBytes * compression.factor());
  }

  private static byte[] head(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return in.readNBytes(Compression.HEAD_BYTES);
    }
  }

  /** The readable beginning; a truncated archive may still contain documents. */
  private static byte[] unpackedHead(Path file, Compression compression) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream(FileFormat.HEAD_BYTES);
    byte[] piece = new byte[1 << 12];
    try (InputStream in = compression.open(file)) {
      for (int read; head.size() < FileFormat.HEAD_BYTES && (read = in.read(piece)) >= 0; ) {
        head.write(piece, 0, read);
      }
    } catch (IOException e) {
      if (head.size() == 0) {
        throw e;
      }
    }
    return Arrays.copyOf(head.toByteArray(), Math.min(head.size(), FileFormat.HEAD_BYTES));
  }
}
