package io.weir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.store.DirectoryPlan;
import io.weir.store.ResidentDirectory;
import io.weir.store.ResidentKeys;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A read of a key dictionary that does not return. */
@Timeout(60)
class HungDiskTest {

  private static final int DOCUMENTS = 40_000;
  private static final int KEY_BYTES = 40;

  private static final ResidentKeys KEYS = ResidentKeys.of("id");

  @TempDir Path temp;

  /** One thread once loaded the dictionaries of all indexes of the process. */
  @Test
  void dictionary_whoseReadHangs_holdsUpNoOtherIndexAndNoClose() throws Exception {
    build(temp.resolve("hung"));
    build(temp.resolve("healthy"));
    HungDictionaries disk = new HungDictionaries(FSDirectory.open(temp.resolve("hung")));
    try (Directory hung = Weir.builder().keys(KEYS).open(disk).directory();
        Directory healthy = Weir.builder().keys(KEYS).open(temp.resolve("healthy")).directory()) {
      DirectoryReader waiting = DirectoryReader.open(hung);
      disk.reached.await();
      try (DirectoryReader reader = DirectoryReader.open(healthy)) {
        awaitHeld(resident(healthy));
        assertEquals(DOCUMENTS, reader.numDocs());
      }
      assertTrue(resident(hung).snapshot().bytes() > 0);
      waiting.close();
      assertEquals(0, resident(hung).snapshot().bytes());
    } finally {
      disk.goesOn.countDown();
    }
  }

  private static ResidentDirectory resident(Directory directory) {
    return DirectoryPlan.find(directory, ResidentDirectory.class).orElseThrow();
  }

  private static void awaitHeld(ResidentDirectory directory) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (directory.snapshot().files() == 0) {
      assertTrue(System.nanoTime() < end, () -> "not held: " + directory.snapshot());
      Thread.yield();
    }
  }

  /** With a dictionary that the opening thread leaves to another. */
  private static void build(Path path) throws IOException {
    Random random = new Random(1);
    byte[] key = new byte[KEY_BYTES];
    try (Directory directory = FSDirectory.open(path);
        IndexWriter writer =
            new IndexWriter(directory, new IndexWriterConfig().setCodec(KEYS.codec()))) {
      for (int i = 0; i < DOCUMENTS; i++) {
        random.nextBytes(key);
        Document document = new Document();
        document.add(new StringField("id", new BytesRef(key.clone()), Field.Store.NO));
        writer.addDocument(document);
      }
      writer.forceMerge(1);
    }
  }

  /** Where those who read for Weir's memory wait in the open of a file. */
  private static final class HungDictionaries extends FilterDirectory {

    final CountDownLatch reached = new CountDownLatch(1);
    final CountDownLatch goesOn = new CountDownLatch(1);

    HungDictionaries(Directory in) {
      super(in);
    }

    @Override
    public IndexInput openInput(String name, IOContext context) throws IOException {
      if (Thread.currentThread().getName().startsWith("weir-resident-keys")) {
        reached.countDown();
        try {
          goesOn.await();
        } catch (InterruptedException e) {
          throw new IOException(e);
        }
      }
      return in.openInput(name, context);
    }
  }
}
