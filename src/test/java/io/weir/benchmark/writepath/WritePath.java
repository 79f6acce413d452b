package io.weir.benchmark.writepath;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MergeInfo;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * One thread writes 256 KiB in pieces of one kind; that is one operation, and each is timed: it is
 * over before a scheduler takes the processor away, so their median says what the work takes even
 * on a machine that is busy with other things. After 256 of them the file is closed, deleted and
 * begun anew, which no median shows.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class WritePath {

  static final int OPERATION_BYTES = 1 << 18;
  private static final int FILE_OPERATIONS = 256;
  private static final IOContext MERGE = IOContext.merge(new MergeInfo(1, 1L << 30, true, 1));
  private static final String FILE = "_1.fdt";

  /** Where the file lies. */
  @Param("")
  public String directory;

  /** Where the bytes end. */
  @Param public Sink sink;

  /** What they go through. */
  @Param public Route route;

  private final byte[] kibibyte = new byte[1 << 10];
  private final byte[] large = new byte[1 << 16];
  private Path path;
  private Directory through;
  private IndexOutput output;
  private int operations;

  /** Opens the first file. */
  @Setup
  public void open() throws IOException {
    for (int i = 0; i < large.length; i++) {
      large[i] = (byte) (i * 31);
    }
    System.arraycopy(large, 0, kibibyte, 0, kibibyte.length);
    path = Files.createTempDirectory(Path.of(directory), "write-path");
    through = route.to(sink.open(path));
    output = through.createOutput(FILE, MERGE);
  }

  /** Deletes the last one. */
  @TearDown
  public void close() throws IOException {
    output.close();
    through.deleteFile(FILE);
    through.close();
    Files.delete(path);
  }

  /** Single bytes. */
  @Benchmark
  public void writeByte() throws IOException {
    for (int i = 0; i < OPERATION_BYTES; i++) {
      output.writeByte((byte) i);
    }
    rotate();
  }

  /** Integers. */
  @Benchmark
  public void writeInt() throws IOException {
    for (int i = 0; i < OPERATION_BYTES / Integer.BYTES; i++) {
      output.writeInt(i);
    }
    rotate();
  }

  /** Arrays of 1 KiB. */
  @Benchmark
  public void writeBytesOf1KiB() throws IOException {
    writeAll(kibibyte);
  }

  /** Arrays of 64 KiB. */
  @Benchmark
  public void writeBytesOf64KiB() throws IOException {
    writeAll(large);
  }

  private void writeAll(byte[] bytes) throws IOException {
    for (int i = 0; i < OPERATION_BYTES; i += bytes.length) {
      output.writeBytes(bytes, 0, bytes.length);
    }
    rotate();
  }

  private void rotate() throws IOException {
    if (++operations % FILE_OPERATIONS == 0) {
      output.close();
      through.deleteFile(FILE);
      output = through.createOutput(FILE, MERGE);
    }
  }
}
