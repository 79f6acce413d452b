package io.weir.store.reads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.store.KernelPageCache;
import io.weir.store.MergeReadsDirectory;
import io.weir.store.kernel.LinuxCalls;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.Optional;
import java.util.Random;
import java.util.zip.CRC32;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MMapDirectory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The checksums of blocks that a file keeps itself, on a real file system. */
class KeptChecksumsTest {

  private static final int LENGTH = 5 << 20;

  /** In the JDK's view, which is that of the namespace "user". */
  private static final String NAME = KeptChecksums.ATTRIBUTE.substring("user.".length());

  private final OrdinaryReads.Account account = new OrdinaryReads.Account();
  private int asked;

  @TempDir Path temp;

  @BeforeEach
  void attributesAreSupported() throws IOException {
    assumeTrue(
        KernelPageCache.unavailable().isEmpty(), () -> KernelPageCache.unavailable().toString());
    Path file = Files.createFile(temp.resolve("probe"));
    boolean supported = true;
    try {
      attributes(file).write("probe", ByteBuffer.allocate(1));
    } catch (IOException e) {
      supported = false;
    }
    assumeTrue(supported, "a file system with extended attributes");
  }

  private static UserDefinedFileAttributeView attributes(Path file) {
    return Files.getFileAttributeView(file, UserDefinedFileAttributeView.class);
  }

  private Path write(String name, int length, long seed) throws IOException {
    byte[] bytes = new byte[length - CodecUtil.footerLength()];
    new Random(seed).nextBytes(bytes);
    try (Directory directory = new MergeReadsDirectory(new MMapDirectory(temp));
        IndexOutput out = directory.createOutput(name, IOContext.DEFAULT)) {
      for (int at = 0; at < bytes.length; at += 1000) {
        out.writeBytes(bytes, at, Math.min(1000, bytes.length - at));
      }
      CodecUtil.writeFooter(out);
    }
    return temp.resolve(name);
  }

  /** As another process opens it. */
  @FunctionalInterface
  private interface Use {
    void of(MergedFile file) throws IOException;
  }

  private void open(String name, Use use) throws IOException {
    try (Directory directory = new MMapDirectory(temp);
        IndexInput shown = directory.openInput(name, IOContext.DEFAULT);
        OrdinaryReads reads =
            new OrdinaryReads(Optional.of(temp.resolve(name)), Optional.empty(), account)) {
      use.of(new MergedFile(name, shown, reads, Optional.empty(), KeptChecksums.ofThisMachine()));
    }
  }

  private void verify(MergedFile file) throws IOException {
    DueVerification due = new DueVerification.OfMerge().of(file);
    due.putOff();
    due.verify(0, file.length(), () -> asked++);
  }

  @ParameterizedTest
  @ValueSource(strings = {"_0.fdt", "_0.doc", "_0.dvd", "_0.vec"})
  void file_keepsWhatIsNeededToVerifyEachBlock(String name) throws IOException {
    write(name, LENGTH, 1);
    open(
        name,
        file -> {
          BlockChecksums blocks = file.checksums();
          assertNotNull(blocks);
          assertEquals(LENGTH, blocks.length());
          assertEquals(LENGTH / BlockChecksums.LEAST_BLOCK_BYTES, blocks.count());
          verify(file);
          assertEquals(blocks.count(), asked);
        });
  }

  @Test
  void damagedBlock_isFound() throws IOException {
    Path path = write("_0.fdt", LENGTH, 1);
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(new byte[] {1, 2, 3, 4}), LENGTH / 2);
    }
    open("_0.fdt", file -> assertThrows(CorruptIndexException.class, () -> verify(file)));
  }

  @Test
  void attribute_ofAnotherFile_isNotUsed() throws IOException {
    Path one = write("_0.fdt", LENGTH, 1);
    Path other = write("_1.fdt", LENGTH, 2);
    ByteBuffer value = ByteBuffer.allocate(attributes(other).size(NAME));
    attributes(other).read(NAME, value);
    attributes(one).write(NAME, value.flip());
    open("_0.fdt", file -> assertNull(file.checksums()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\1",
        "\2\1\1",
        "\1\200\200\200\200\7",
        "\1\1\200\200\200\200\200\200\200\200\200\1\1\1\1\1",
        "\1\1\1\1\1\1\1\1"
      })
  void attribute_thatIsDamaged_isNotUsed(String value) throws IOException {
    Path path = write("_0.fdt", LENGTH, 1);
    byte[] bytes = value.getBytes(StandardCharsets.ISO_8859_1);
    attributes(path).write(NAME, ByteBuffer.wrap(bytes));
    open(
        "_0.fdt",
        file -> {
          assertNull(file.checksums());
          verify(file); // as a whole
        });
  }

  /**
   * Also without memory outside the heap, a file that is written is closed, and one is verified.
   */
  @ParameterizedTest
  @ValueSource(classes = {OutOfMemoryError.class, IllegalStateException.class})
  void calls_thatFail_failNothing(Class<? extends Throwable> fault) throws IOException {
    write("_0.fdt", LENGTH, 1);
    LinuxCalls failing =
        (LinuxCalls)
            Proxy.newProxyInstance(
                LinuxCalls.class.getClassLoader(),
                new Class<?>[] {LinuxCalls.class},
                (proxy, method, arguments) -> {
                  throw fault.getConstructor().newInstance();
                });
    KeptChecksums keeper = new KeptChecksums(Optional.of(failing));
    open(
        "_0.fdt",
        file -> {
          keeper.keep(temp.resolve("_0.fdt"), file.checksums());
          assertEquals(
              Optional.empty(), keeper.of(temp.resolve("_0.fdt"), LENGTH, file::footerChecksum));
        });
  }

  @Test
  void shortFile_keepsNone() throws IOException {
    Path path = write("_0.fdt", (int) KeptChecksums.LEAST_BYTES - 1, 1);
    assertEquals(0, attributes(path).list().size());
  }

  /** Other kinds of files are verified when Lucene asks. */
  @Test
  void file_thatMergesDoNotVerifyAsTheyRead_keepsNone() throws IOException {
    Path path = write("_0.tim", LENGTH, 1);
    assertEquals(0, attributes(path).list().size());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 20, 1000})
  void blocks_joined_haveTheChecksumsOfTheirBytes(int most) throws IOException {
    Path path = write("_0.fdt", LENGTH, 1);
    byte[] bytes = Files.readAllBytes(path);
    open(
        "_0.fdt",
        file -> {
          BlockChecksums joined = file.checksums().inAtMost(most);
          assertTrue(joined.count() <= most);
          assertEquals(LENGTH, joined.length());
          for (int block = 0; block < joined.count(); block++) {
            CRC32 sum = new CRC32();
            int begin = (int) joined.begin(block);
            sum.update(bytes, begin, (int) joined.end(block) - begin);
            assertEquals((int) sum.getValue(), joined.ofBlock(block));
          }
          CRC32 all = new CRC32();
          all.update(bytes);
          assertEquals((int) all.getValue(), joined.ofAll());
        });
  }
}
