package io.weir.agent.application;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Random;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MergeScheduler;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/**
 * An application that embeds Lucene and knows nothing of Weir: it adds and updates notes, searches
 * them while it does, and merges all segments into one. It says in lines what it found, and reads a
 * line before it closes.
 *
 * <p>Arguments: the directory; how it reopens, {@code manager} or {@code direct}; how it merges,
 * {@code concurrent}, {@code serial}, {@code own}, or {@code weir} for one that uses Weir after
 * all.
 */
public final class Notes {

  private static final int BATCHES = 6;
  private static final int NOTES_PER_BATCH = 1500;
  private static final int UPDATES = 40;
  private static final int NOISE_BYTES = 512;

  private final PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true);
  private final BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
  private final Random random = new Random(7);
  private final Analyzer analyzer = new StandardAnalyzer();

  private Notes() {}

  /** A merge scheduler of the application's own. */
  private static final class OwnScheduler extends ConcurrentMergeScheduler {}

  /** Runs it. */
  public static void main(String[] arguments) throws Exception {
    new Notes().run(Path.of(arguments[0]), arguments[1], arguments[2]);
  }

  private void run(Path path, String reopening, String merging) throws Exception {
    try (Directory directory = FSDirectory.open(path)) {
      IndexWriterConfig config =
          new IndexWriterConfig(analyzer)
              .setMergeScheduler(scheduler(merging))
              .setMergePolicy(NoMergePolicy.INSTANCE);
      try (IndexWriter writer = new IndexWriter(directory, config)) {
        fill(writer);
        out.println("scheduler " + writer.getConfig().getMergeScheduler().getClass().getName());
        if (reopening.equals("manager")) {
          searchByManager(writer);
        } else {
          searchByReader(writer);
        }
        writer.getConfig().setMergePolicy(new TieredMergePolicy());
        long begun = System.nanoTime();
        writer.forceMerge(1);
        out.println("merged " + (System.nanoTime() - begun) / 1_000_000);
        writer.commit();
        out.println("ready");
        in.readLine();
      }
      try (DirectoryReader reader = DirectoryReader.open(directory);
          CheckIndex check = new CheckIndex(directory)) {
        out.println("found " + found(new IndexSearcher(reader)));
        out.println("clean " + check.checkIndex().clean);
      }
    }
  }

  private static MergeScheduler scheduler(String merging) throws Exception {
    return switch (merging) {
      case "serial" -> new SerialMergeScheduler();
      case "own" -> new OwnScheduler();
      case "weir" -> {
        Class<?> weirs = Class.forName("io.weir.merge.RateLimitedMergeScheduler");
        yield (MergeScheduler) weirs.getConstructor().newInstance();
      }
      default -> new ConcurrentMergeScheduler();
    };
  }

  private void fill(IndexWriter writer) throws IOException {
    for (int batch = 0; batch < BATCHES; batch++) {
      for (int i = 0; i < NOTES_PER_BATCH; i++) {
        writer.addDocument(note(batch * NOTES_PER_BATCH + i));
      }
      writer.commit();
    }
  }

  private void searchByManager(IndexWriter writer) throws IOException {
    try (SearcherManager manager = new SearcherManager(writer, null)) {
      for (int i = 0; i < UPDATES; i++) {
        update(writer, i);
        manager.maybeRefreshBlocking();
        IndexSearcher searcher = manager.acquire();
        found(searcher);
        manager.release(searcher);
      }
      out.println("searched");
      in.readLine();
    }
  }

  private void searchByReader(IndexWriter writer) throws IOException {
    DirectoryReader reader = DirectoryReader.open(writer);
    for (int i = 0; i < UPDATES; i++) {
      update(writer, i);
      DirectoryReader changed = DirectoryReader.openIfChanged(reader);
      if (changed != null) {
        reader.close();
        reader = changed;
      }
    }
    out.println("searched");
    in.readLine();
    update(writer, UPDATES);
    DirectoryReader last = DirectoryReader.openIfChanged(reader);
    out.println("reopened");
    last.close();
    reader.close();
  }

  private void update(IndexWriter writer, int number) throws IOException {
    writer.updateDocument(new Term("id", Integer.toString(number)), note(number));
  }

  private Document note(int number) {
    byte[] noise = new byte[NOISE_BYTES];
    random.nextBytes(noise);
    Document document = new Document();
    document.add(new StringField("id", Integer.toString(number), Field.Store.YES));
    document.add(new TextField("text", "note number " + number % 10, Field.Store.NO));
    document.add(new StoredField("noise", noise));
    return document;
  }

  private static int found(IndexSearcher searcher) throws IOException {
    return searcher.count(new TermQuery(new Term("text", "3")));
  }
}
