package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.rate.ByteBudget;
import io.weir.store.SmallFilesDirectory.Snapshot;
import io.weir.store.held.HeldMemory;
import io.weir.store.held.HeldSegmentInfos;
import io.weir.store.held.ProcessMemory;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.ChecksumIndexInput;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.FilterIndexInput;
import org.apache.lucene.store.FilterIndexOutput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.Lock;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.store.NIOFSDirectory;
import org.apache.lucene.store.RandomAccessInput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class SmallFilesDirectoryTest {

  private static final int BOUND = 64 << 10;

  @TempDir Path temp;

  @Test
  @EnabledOnOs(OS.LINUX)
  void openInput_upToTheBound_mapsNothing() throws Exception {
    try (SmallFilesDirectory directory = new SmallFilesDirectory(new MMapDirectory(temp))) {
      byte[] small = write(directory, "small", BOUND);
      byte[] large = write(directory, "large", BOUND + 1);
      try (IndexInput smallInput = directory.openInput("small", IOContext.DEFAULT);
          IndexInput largeInput = directory.openInput("large", IOContext.DEFAULT)) {
        String maps = Files.readString(Path.of("/proc/self/maps"));
        assertFalse(maps.contains(temp.resolve("small").toString()), maps);
        assertTrue(maps.contains(temp.resolve("large").toString()), maps);
        assertArrayEquals(small, bytes(smallInput));
        assertArrayEquals(large, bytes(largeInput));
      }
    }
  }

  /** Engines read them at each commit, while refreshes wait. */
  @Test
  void segmentInfo_whileAWriterHasTheIndex_isReadFromTheDiskOnce() throws Exception {
    try (SmallFilesDirectory directory = new SmallFilesDirectory(new MMapDirectory(temp))) {
      byte[] bytes = write(directory, "_1.si", 400);
      write(directory, "_1.fnm", 300);
      assertEquals(2, reads(directory, "_1.si", 2), "no writer");
      try (Lock lock = directory.obtainLock(IndexWriter.WRITE_LOCK_NAME)) {
        lock.ensureValid();
        assertEquals(1, reads(directory, "_1.si", 3));
        assertEquals(2, reads(directory, "_1.fnm", 2));
        try (IndexInput input = directory.openInput("_1.si", IOContext.READONCE)) {
          assertArrayEquals(bytes, bytes(input));
        }
        assertEquals(400, directory.snapshot().heldBytes());

        directory.deleteFile("_1.si");
        assertEquals(0, directory.snapshot().heldBytes());
        assertThrows(
            NoSuchFileException.class, () -> directory.openInput("_1.si", IOContext.DEFAULT));
        byte[] again = write(directory, "_1.si", 500);
        assertEquals(500, directory.snapshot().heldBytes());
        assertEquals(0, reads(directory, "_1.si", 2), "written by the same writer");
        try (IndexInput input = directory.openInput("_1.si", IOContext.READONCE)) {
          assertArrayEquals(again, bytes(input));
        }
        directory.rename("_1.si", "_2.si");
        assertEquals(1, reads(directory, "_2.si", 2));
        try (IndexInput input = directory.openInput("_2.si", IOContext.READONCE)) {
          assertArrayEquals(again, bytes(input));
        }
      }
      assertEquals(0, directory.snapshot().heldBytes());
      assertEquals(2, reads(directory, "_2.si", 2), "no writer any more");
    }
  }

  @Test
  void segmentInfo_afterALockOfAnEarlierWriterIsClosedOnceMore_isHeldForTheNextOne()
      throws Exception {
    try (SmallFilesDirectory directory = new SmallFilesDirectory(new MMapDirectory(temp))) {
      Lock earlier = directory.obtainLock(IndexWriter.WRITE_LOCK_NAME);
      earlier.close();
      try (Lock next = directory.obtainLock(IndexWriter.WRITE_LOCK_NAME)) {
        write(directory, "_1.si", 400);
        earlier.close();
        next.ensureValid();
        assertEquals(0, reads(directory, "_1.si", 2));
      }
    }
  }

  @Test
  void segmentInfo_readWhileItIsDeleted_isNotHeld() {
    HeldMemory memory = new HeldMemory(1000, ProcessMemory.SMALL_FILES, byte[]::new);
    HeldSegmentInfos infos = new HeldSegmentInfos(memory);
    Object writer = new Object();
    infos.lock(writer);
    long before = infos.removals();
    infos.remove("_1.si"); // after the file was read, before it is added
    infos.addRead("_1.si", new byte[400], before);
    assertEquals(0, memory.bytes());
    infos.addRead("_2.si", new byte[400], infos.removals());
    assertEquals(400, memory.bytes());
    infos.unlock(writer);
    assertEquals(0, memory.bytes());
  }

  @Test
  void segmentInfo_whoseWriteFails_isNotHeld() throws Exception {
    Directory full =
        new FilterDirectory(new MMapDirectory(temp)) {
          @Override
          public IndexOutput createOutput(String name, IOContext context) throws IOException {
            return new FilterIndexOutput("full", name, super.createOutput(name, context)) {
              @Override
              public void writeBytes(byte[] b, int offset, int length) throws IOException {
                super.writeBytes(b, offset, length / 2);
                throw new IOException("No space left on device");
              }
            };
          }
        };
    try (SmallFilesDirectory directory =
            new SmallFilesDirectory(full, SmallFilesOptions.DEFAULT, temp);
        Lock lock = directory.obtainLock(IndexWriter.WRITE_LOCK_NAME)) {
      lock.ensureValid();
      assertThrows(IOException.class, () -> write(directory, "_1.si", 400));
      assertEquals(0, directory.snapshot().heldBytes());
    }
  }

  /** How many of so many opens read the file. */
  private static long reads(SmallFilesDirectory directory, String name, int opens)
      throws IOException {
    long before = directory.snapshot().readFiles();
    for (int i = 0; i < opens; i++) {
      directory.openInput(name, IOContext.READONCE).close();
    }
    return directory.snapshot().readFiles() - before;
  }

  @Test
  void openInput_ofEachLength_readsTheBytes() throws Exception {
    try (SmallFilesDirectory directory = new SmallFilesDirectory(new MMapDirectory(temp))) {
      for (int length : List.of(0, 1, 16383, 16384, 16385, 40000, BOUND)) {
        byte[] expected = write(directory, "f" + length, length);
        try (IndexInput input = directory.openInput("f" + length, IOContext.READONCE);
            IndexInput clone = input.clone()) {
          assertEquals(length, input.length());
          assertArrayEquals(expected, bytes(input));
          assertArrayEquals(expected, bytes(clone));
        }
      }
      assertEquals(new Snapshot(0, 0, 7, 0), directory.snapshot());
    }
  }

  /** What lies behind a slice is in the same array. */
  @Test
  void slice_readPastItsEnd_fails() throws Exception {
    try (SmallFilesDirectory directory = new SmallFilesDirectory(new MMapDirectory(temp))) {
      byte[] expected = write(directory, "small", 100);
      try (IndexInput input = directory.openInput("small", IOContext.DEFAULT)) {
        IndexInput slice = input.slice("part", 10, 20);
        RandomAccessInput random = input.randomAccessSlice(10, 20);
        assertEquals(expected[29], random.readByte(19));
        slice.seek(13);
        assertThrows(EOFException.class, slice::readLong);
        assertThrows(EOFException.class, () -> random.readByte(20));
        assertThrows(EOFException.class, () -> random.readInt(17));
        assertThrows(EOFException.class, () -> slice.seek(21));
        assertEquals(13, slice.getFilePointer());
      }
    }
  }

  /** Lucene reads its smallest files so: segments_N, live documents, segment infos. */
  @Test
  void openChecksumInput_ofASmallFile_isReadHere() throws Exception {
    try (SmallFilesDirectory directory = new SmallFilesDirectory(new MMapDirectory(temp))) {
      write(directory, "small", 100);
      try (ChecksumIndexInput input = directory.openChecksumInput("small")) {
        assertEquals(100, input.length());
        assertEquals(new Snapshot(100, 1, 1, 0), directory.snapshot());
      }
      assertEquals(0, directory.snapshot().heldBytes());
    }
  }

  @Test
  void close_twice_givesTheMemoryBackOnce() throws Exception {
    try (SmallFilesDirectory directory = new SmallFilesDirectory(new MMapDirectory(temp))) {
      write(directory, "small", 100);
      IndexInput other = directory.openInput("small", IOContext.DEFAULT);
      IndexInput input = directory.openInput("small", IOContext.DEFAULT);
      input.clone().close();
      input.slice("part", 10, 20).close();
      assertEquals(200, directory.snapshot().heldBytes());
      input.close();
      input.close();
      assertEquals(new Snapshot(100, 1, 2, 0), directory.snapshot());
      other.close();
      assertEquals(new Snapshot(0, 0, 2, 0), directory.snapshot());
    }
  }

  @Test
  void openInput_withoutRoom_isLeftToTheDirectoryBelow() throws Exception {
    SmallFilesOptions options = new SmallFilesOptions(100, 150);
    try (SmallFilesDirectory directory =
        new SmallFilesDirectory(new MMapDirectory(temp), options)) {
      byte[] expected = write(directory, "small", 100);
      try (IndexInput first = directory.openInput("small", IOContext.DEFAULT);
          IndexInput second = directory.openInput("small", IOContext.DEFAULT)) {
        assertArrayEquals(expected, bytes(first));
        assertArrayEquals(expected, bytes(second));
        assertEquals(new Snapshot(100, 1, 1, 1), directory.snapshot());
      }
      try (IndexInput third = directory.openInput("small", IOContext.DEFAULT)) {
        assertArrayEquals(expected, bytes(third));
        assertEquals(new Snapshot(100, 1, 2, 1), directory.snapshot());
      }
    }
  }

  @Test
  void openInput_thatFails_holdsNothing() throws Exception {
    Directory longer =
        new FilterDirectory(new MMapDirectory(temp)) {
          @Override
          public long fileLength(String name) throws IOException {
            return super.fileLength(name) + 1;
          }
        };
    try (SmallFilesDirectory directory = new SmallFilesDirectory(longer)) {
      write(directory, "small", 100);
      assertThrows(EOFException.class, () -> directory.openInput("small", IOContext.DEFAULT));
      assertThrows(NoSuchFileException.class, () -> directory.openInput("none", IOContext.DEFAULT));
      assertEquals(0, directory.snapshot().heldBytes());
      assertEquals(0, directory.snapshot().heldFiles());
    }
  }

  /** Its bytes are not those of the file. */
  @Test
  void openInput_overADirectoryThatOpensInAWayOfItsOwn_isLeftToIt() throws Exception {
    try (SmallFilesDirectory directory =
        new SmallFilesDirectory(new FlippingDirectory(new MMapDirectory(temp)))) {
      byte[] written = write(directory, "small", 1);
      try (IndexInput input = directory.openInput("small", IOContext.DEFAULT)) {
        assertNotEquals(written[0], input.readByte());
      }
      assertFalse(directory.isActive());
      assertEquals("FlippingDirectory overrides openInput", directory.reason());
    }
  }

  @Test
  void isActive_overEachDirectory_saysWhy() throws Exception {
    assertReason("MMapDirectory would map them", true, new MMapDirectory(temp));
    assertReason(
        "MMapDirectory would map them", true, new WritebackDirectory(new MMapDirectory(temp)));
    assertReason("NIOFSDirectory maps no files", false, new NIOFSDirectory(temp));
    assertReason("ByteBuffersDirectory maps no files", false, new ByteBuffersDirectory());
    assertReason(
        OwnMapDirectory.class.getName() + " overrides openInput", false, new OwnMapDirectory(temp));
    try (SmallFilesDirectory directory =
        new SmallFilesDirectory(new MMapDirectory(temp), SmallFilesOptions.OFF)) {
      assertEquals("switched off", directory.reason());
      write(directory, "small", 3);
      directory.openInput("small", IOContext.DEFAULT).close();
      assertEquals(new Snapshot(0, 0, 0, 0), directory.snapshot());
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void index_inTheWholeChain_isWholeAndHoldsNothingWhenItIsClosed() throws Exception {
    SmallFilesDirectory small = new SmallFilesDirectory(new MMapDirectory(temp));
    try (Directory directory =
        new RateLimitedDirectory(new WritebackDirectory(small), ByteBudget.unlimited())) {
      try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig());
          DirectoryReader first = DirectoryReader.open(writer)) {
        for (int id = 0; id < 400; id++) {
          writer.updateDocument(new Term("id", "" + id % 300), document(id % 300));
          if (id % 50 == 49) {
            DirectoryReader.openIfChanged(first).close();
          }
        }
        writer.commit();
        try (DirectoryReader reader = DirectoryReader.open(writer)) {
          assertEquals(300, reader.numDocs());
          assertFalse(Files.readString(Path.of("/proc/self/maps")).contains(temp.toString()));
          assertTrue(small.snapshot().heldBytes() > 0);
        }
        writer.forceMerge(1);
      }
      assertEquals(0, small.snapshot().heldBytes());
      assertEquals(0, small.snapshot().refusedFiles());
      try (CheckIndex check = new CheckIndex(directory)) {
        assertTrue(check.checkIndex().clean);
      }
    }
  }

  private static Document document(int id) {
    Document document = new Document();
    document.add(new StringField("id", "" + id, Field.Store.YES));
    return document;
  }

  private static void assertReason(String reason, boolean active, Directory in) throws IOException {
    try (SmallFilesDirectory directory = new SmallFilesDirectory(in)) {
      assertEquals(reason, directory.reason());
      assertEquals(active, directory.isActive());
    }
  }

  static byte[] write(Directory directory, String name, int length) throws IOException {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    try (IndexOutput output = directory.createOutput(name, IOContext.DEFAULT)) {
      output.writeBytes(bytes, length);
    }
    return bytes;
  }

  static byte[] bytes(IndexInput input) throws IOException {
    byte[] bytes = new byte[(int) input.length()];
    input.readBytes(bytes, 0, bytes.length);
    return bytes;
  }

  private static final class OwnMapDirectory extends MMapDirectory {
    OwnMapDirectory(Path path) throws IOException {
      super(path);
    }

    @Override
    public IndexInput openInput(String name, IOContext context) throws IOException {
      return super.openInput(name, context);
    }
  }

  /** Stands for one that decrypts. */
  private static final class FlippingDirectory extends FilterDirectory {
    FlippingDirectory(Directory in) {
      super(in);
    }

    @Override
    public IndexInput openInput(String name, IOContext context) throws IOException {
      return new FilterIndexInput("Flipping", in.openInput(name, context)) {
        @Override
        public byte readByte() throws IOException {
          return (byte) ~in.readByte();
        }
      };
    }
  }
}
