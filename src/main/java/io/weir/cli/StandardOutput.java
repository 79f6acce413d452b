package io.weir.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;

/**
 * Standard output, which remembers that it could not be written: a {@code PrintWriter} does not.
 */
final class StandardOutput extends FilterOutputStream {

  private static final String READER_IS_GONE = "Broken pipe"; // as the kernel's EPIPE is called

  private Optional<IOException> failure = Optional.empty();

  StandardOutput() {
    this(new FileOutputStream(FileDescriptor.out));
  }

  StandardOutput(OutputStream out) {
    super(out);
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    try {
      out.write(bytes, offset, length);
    } catch (IOException e) {
      failure = Optional.of(e);
      throw e;
    }
  }

  /** Why it is not complete; empty if it is, or if its reader, such as {@code head}, has enough. */
  Optional<String> loss() {
    return failure
        .map(e -> String.valueOf(e.getMessage()))
        .filter(reason -> !reason.contains(READER_IS_GONE));
  }
}
