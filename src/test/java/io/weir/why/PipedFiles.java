package io.weir.why;

import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.search.SearcherFactory;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;

/**
 * An application with stock Lucene whose flushes and merges each read a byte of a pipe, on which
 * that byte comes late: reads of a file that are slow on any machine. It prints {@code ready} and
 * runs until it is killed.
 */
public final class PipedFiles {

  private static final long LATE_NANOS = Duration.ofMillis(60).toNanos();
  private static final long PAUSE_NANOS = Duration.ofMillis(50).toNanos();
  private static final int MERGED = 3;

  private PipedFiles() {}

  /**
   * Runs it.
   *
   * @param arguments a directory for the index, and the pipe
   */
  public static void main(String[] arguments) throws Exception {
    PrintStream progress = System.out; // of a process, whose caller waits for it
    String pipe = arguments[1];
    Thread feeder = new Thread(() -> feed(pipe), "feeder");
    feeder.setDaemon(true);
    feeder.start();
    LogDocMergePolicy eager = new LogDocMergePolicy();
    eager.setMergeFactor(MERGED);
    IndexWriterConfig config = new IndexWriterConfig(new StandardAnalyzer());
    config.setMergePolicy(eager).setMaxFullFlushMergeWaitMillis(0);
    Directory directory = new Piped(FSDirectory.open(Path.of(arguments[0])), pipe);
    IndexWriter writer = new IndexWriter(directory, config);
    SearcherManager searchers = new SearcherManager(writer, new SearcherFactory());
    progress.println("ready");
    while (!Thread.interrupted()) {
      Document document = new Document();
      document.add(new TextField("body", "some text", Field.Store.YES));
      writer.addDocument(document);
      searchers.maybeRefreshBlocking();
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private static void feed(String pipe) {
    while (true) {
      try (FileOutputStream out = new FileOutputStream(pipe)) {
        LockSupport.parkNanos(LATE_NANOS);
        out.write(1);
      } catch (IOException e) {
        // Its reader has closed it meanwhile; the next one comes.
      }
    }
  }

  /** Reads the pipe once for each segment that it writes. */
  private static final class Piped extends FilterDirectory {

    private final String pipe;

    private Piped(Directory in, String pipe) {
      super(in);
      this.pipe = pipe;
    }

    @Override
    public IndexOutput createOutput(String name, IOContext context) throws IOException {
      if (name.endsWith(".si")) {
        try (FileInputStream late = new FileInputStream(pipe)) {
          late.read();
        }
      }
      return super.createOutput(name, context);
    }
  }
}
