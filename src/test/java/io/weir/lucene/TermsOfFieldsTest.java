package io.weir.lucene;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Lookups of every term of a field read nothing outside the range that was found for it. */
class TermsOfFieldsTest {

  private static final int DOCUMENTS = 20_000;

  /** Forms of keys: with few or many first bytes, so that the root has one block or several. */
  enum Keys {
    DECIMAL {
      @Override
      String key(int i, Random random) {
        return Integer.toString(i);
      }
    },
    PADDED {
      @Override
      String key(int i, Random random) {
        return String.format(Locale.ROOT, "document-%08d", i);
      }
    },
    RANDOM_BASE64 {
      @Override
      String key(int i, Random random) {
        byte[] bytes = new byte[15];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().encodeToString(bytes);
      }
    },
    /** Any first byte, so that the root is cut in blocks. */
    EVERY_CHARACTER {
      @Override
      String key(int i, Random random) {
        return (char) (' ' + i % 2000) + Integer.toString(i, 36);
      }
    };

    abstract String key(int i, Random random);
  }

  @TempDir Path temp;

  @ParameterizedTest
  @EnumSource
  void ranges_ofAKeyBetweenOthers_containAllThatLookupsRead(Keys keys) throws IOException {
    List<String> all = build(keys, false);
    try (Guarded directory = new Guarded(FSDirectory.open(temp))) {
      String blocks = blocks(directory);
      List<FileRange> ranges = TermsOfFields.ranges(directory, "_0", blocks, Set.of("id"));

      assertEquals(1, ranges.size());
      assertTrue(ranges.getFirst().start() > 1000, ranges.toString());
      assertTrue(
          ranges.getFirst().length() < directory.fileLength(blocks) / 2,
          ranges + " of " + directory.fileLength(blocks));
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        directory.guard(blocks, ranges);
        TermsEnum terms = reader.leaves().getFirst().reader().terms("id").iterator();
        for (String key : all) {
          assertTrue(terms.seekExact(new BytesRef(key)), key);
          assertNotNull(terms.postings(null, PostingsEnum.NONE));
          terms.seekExact(new BytesRef(key + "x"));
        }
        TermsEnum each = reader.leaves().getFirst().reader().terms("id").iterator();
        int count = 0;
        while (each.next() != null) {
          count++;
        }
        assertEquals(all.size(), count);
      }
    }
  }

  /** What the test above is worth: a range that is a byte too short at either end fails it. */
  @ParameterizedTest
  @EnumSource
  void ranges_areNoLongerThanTheField(Keys keys) throws IOException {
    build(keys, false);
    try (Guarded directory = new Guarded(FSDirectory.open(temp))) {
      String blocks = blocks(directory);
      List<FileRange> of =
          TermsOfFields.ranges(directory, "_0", blocks, Set.of("after", "before", "id"));

      assertEquals(3, of.size());
      assertEquals(of.get(0).end(), of.get(1).start());
      assertEquals(of.get(1).end(), of.get(2).start());
    }
  }

  @Test
  void ranges_inACompoundFile_areThoseOfTheFileInside() throws IOException {
    build(Keys.DECIMAL, false);
    List<FileRange> expected;
    try (Directory directory = FSDirectory.open(temp)) {
      expected = TermsOfFields.ranges(directory, "_0", blocks(directory), Set.of("id"));
      for (String file : directory.listAll()) {
        directory.deleteFile(file);
      }
    }
    build(Keys.DECIMAL, true);
    try (Directory directory = FSDirectory.open(temp);
        Directory files = FinishedSegment.open(directory, "_0")) {
      assertEquals(expected, TermsOfFields.ranges(files, "_0", blocks(files), Set.of("id")));
    }
  }

  @Test
  void ranges_ofFieldsThatAreNotThere_areNone() throws IOException {
    build(Keys.DECIMAL, false);
    try (Directory directory = FSDirectory.open(temp)) {
      assertEquals(
          List.of(), TermsOfFields.ranges(directory, "_0", blocks(directory), Set.of("other")));
      assertEquals(
          List.of(), TermsOfFields.ranges(directory, "_0", "_0_Other_0.tim", Set.of("id")));
    }
  }

  private List<String> build(Keys keys, boolean compound) throws IOException {
    Random random = new Random(42);
    List<String> all = new ArrayList<>();
    try (Directory directory = FSDirectory.open(temp);
        IndexWriter writer =
            new IndexWriter(
                directory,
                new IndexWriterConfig()
                    .setUseCompoundFile(compound)
                    .setMergePolicy(NoMergePolicy.INSTANCE)
                    .setRAMBufferSizeMB(256))) {
      for (int i = 0; i < DOCUMENTS; i++) {
        String key = keys.key(i, random);
        all.add(key);
        Document document = new Document();
        document.add(new StringField("after", keys.key(i, random) + "-after", Field.Store.NO));
        document.add(new StringField("before", "before-" + i, Field.Store.NO));
        document.add(new StringField("id", key, Field.Store.NO));
        document.add(new StringField("zone", keys.key(i, random) + "-zone", Field.Store.NO));
        writer.addDocument(document);
      }
    }
    return all;
  }

  private static String blocks(Directory directory) throws IOException {
    return List.of(directory.listAll()).stream()
        .filter(SegmentFiles::isTermsDictionary)
        .map(SegmentFiles::termsBlocksOf)
        .findFirst()
        .orElseThrow();
  }

  /** Refuses reads of a file outside some ranges. */
  private static final class Guarded extends FilterDirectory {

    private volatile String name = "";
    private volatile List<FileRange> allowed = List.of();

    Guarded(Directory in) {
      super(in);
    }

    void guard(String file, List<FileRange> ranges) {
      allowed = ranges;
      name = file;
    }

    @Override
    public IndexInput openInput(String file, IOContext context) throws IOException {
      return new Input(file, in.openInput(file, context));
    }

    private void check(String file, long from, long to) {
      if (file.equals(name)
          && allowed.stream().noneMatch(range -> range.start() <= from && to <= range.end())) {
        throw new AssertionError(
            "%s: %d to %d is read, outside %s".formatted(file, from, to, allowed));
      }
    }

    private final class Input extends ForwardingIndexInput {

      private final String file;

      Input(String file, IndexInput in) {
        super(in);
        this.file = file;
      }

      @Override
      public byte readByte() throws IOException {
        check(file, in.getFilePointer(), in.getFilePointer() + 1);
        return in.readByte();
      }

      @Override
      public void readBytes(byte[] bytes, int offset, int length) throws IOException {
        check(file, in.getFilePointer(), in.getFilePointer() + length);
        in.readBytes(bytes, offset, length);
      }

      @Override
      public IndexInput clone() {
        return new Input(file, in.clone());
      }
    }
  }
}
