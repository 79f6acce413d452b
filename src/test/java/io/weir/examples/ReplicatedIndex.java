package io.weir.examples;

import io.weir.Weir;
import io.weir.nrt.MergedSegmentWarmer;
import io.weir.nrt.ReopenMonitor;
import io.weir.store.ResidentKeys;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LiveIndexWriterConfig;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.Term;
import org.apache.lucene.replicator.nrt.CopyJob;
import org.apache.lucene.replicator.nrt.CopyOneFile;
import org.apache.lucene.replicator.nrt.CopyState;
import org.apache.lucene.replicator.nrt.FileMetaData;
import org.apache.lucene.replicator.nrt.PrimaryNode;
import org.apache.lucene.replicator.nrt.ReplicaNode;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/**
 * A primary and a replica of {@code lucene-replicator}. Each has a {@code Weir}: the primary's
 * merges are capped, and both have monitored reopens, held keys and files that are unmapped late. A
 * replica has no writer, so nothing is configured there. Here both are in one process, and a copy
 * is a loop; an application sends files over a network, on threads of its own.
 */
final class ReplicatedIndex {

  private static final long PRIMARY_GENERATION = 1;
  private static final int CLOSE_MILLIS = 10_000;

  private ReplicatedIndex() {}

  /** Indexes on the primary, and finds it on the replica; returns what it has to say of it. */
  static String run(Path path) throws IOException {
    Weir.Builder builder = Weir.builder().keys(ResidentKeys.of("id"));
    try (Weir ofPrimary = builder.open(path.resolve("primary"));
        Weir ofReplica = builder.open(path.resolve("replica"))) {
      IndexWriter writer =
          ofPrimary.own(
              new IndexWriter(ofPrimary.directory(), ofPrimary.configure(new IndexWriterConfig())));
      Primary primary = ofPrimary.own(new Primary(writer, ofPrimary));
      ofPrimary.attach(primary.getSearcherManager());
      Replica replica = ofReplica.own(new Replica(primary, ofReplica));
      replica.start(PRIMARY_GENERATION);
      ReopenMonitor reopens = ofReplica.attach(replica.getSearcherManager());

      for (int i = 0; i < 3; i++) {
        Document document = new Document();
        document.add(new StringField("id", Integer.toString(i), Field.Store.YES));
        writer.updateDocument(new Term("id", Integer.toString(i)), document);
        primary.flushAndRefresh();
        replica.newNRTPoint(PRIMARY_GENERATION, primary.getCopyStateVersion());
      }
      var searchers = replica.getSearcherManager();
      var searcher = searchers.acquire();
      try {
        return "%d documents on the replica, %d reopens"
            .formatted(searcher.getIndexReader().numDocs(), reopens.snapshot().changed());
      } finally {
        searchers.release(searcher);
      }
    } // the replica before its primary
  }

  private static final class Primary extends PrimaryNode {

    Primary(IndexWriter writer, Weir weir) throws IOException {
      super(writer, 0, PRIMARY_GENERATION, -1, weir.searcherFactory(), null);
      // It has set a warmer of its own, which is put into Weir's again.
      LiveIndexWriterConfig config = writer.getConfig();
      config.setMergedSegmentWarmer(new MergedSegmentWarmer(config.getMergedSegmentWarmer()));
      setRemoteCloseTimeoutMs(CLOSE_MILLIS); // else a copy that was lost would hold up its close
    }

    /** Where there are replicas that can take merged segments early. */
    @Override
    protected void preCopyMergedSegmentFiles(
        SegmentCommitInfo info, Map<String, FileMetaData> files) {}
  }

  private static final class Replica extends ReplicaNode {

    private final Primary primary;

    Replica(Primary primary, Weir weir) throws IOException {
      super(1, weir.directory(), weir.searcherFactory(), null);
      this.primary = primary;
    }

    @Override
    public void start(long primaryGeneration) throws IOException {
      super.start(primaryGeneration);
    }

    @Override
    protected CopyJob newCopyJob(
        String reason,
        Map<String, FileMetaData> files,
        Map<String, FileMetaData> previousFiles,
        boolean highPriority,
        CopyJob.OnceDone onceDone)
        throws IOException {
      CopyState state = primary.getCopyState();
      return new Copy(
          reason, files == null ? state.files() : files, state, this, highPriority, onceDone);
    }

    @Override
    protected void launch(CopyJob job) {
      try {
        job.runBlocking();
        job.onceDone.run(job);
      } catch (Exception e) {
        throw new IllegalStateException("files could not be copied", e);
      }
    }

    @Override
    protected void sendNewReplica() {}
  }

  /** Copies what the replica lacks. */
  private static final class Copy extends CopyJob {

    private final byte[] buffer = new byte[65_536];
    private final CopyState state;
    private final Replica replica;

    Copy(
        String reason,
        Map<String, FileMetaData> files,
        CopyState state,
        Replica replica,
        boolean highPriority,
        OnceDone onceDone)
        throws IOException {
      super(reason, files, replica, highPriority, onceDone);
      this.state = state;
      this.replica = replica;
    }

    @Override
    public void start() {}

    @Override
    public void runBlocking() throws IOException {
      for (Map.Entry<String, FileMetaData> file : toCopy) {
        try (IndexInput from =
            replica.primary.getDirectory().openInput(file.getKey(), IOContext.READONCE)) {
          CopyOneFile copy = new CopyOneFile(from, replica, file.getKey(), file.getValue(), buffer);
          boolean copied = false;
          try {
            while (!copied) {
              copied = copy.visit(); // the last one closes it
            }
          } finally {
            if (!copied) {
              copy.close();
            }
          }
          copiedFiles.put(copy.name, copy.tmpName);
        }
      }
    }

    @Override
    public void finish() throws IOException {
      for (Map.Entry<String, String> copied : copiedFiles.entrySet()) {
        replica.getDirectory().rename(copied.getValue(), copied.getKey());
      }
      copiedFiles.clear();
      replica.primary.releaseCopyState(state);
    }

    @Override
    protected CopyOneFile newCopyOneFile(CopyOneFile before) {
      return before;
    }

    @Override
    public boolean conflicts(CopyJob other) {
      return other.getFileNamesToCopy().stream().anyMatch(getFileNamesToCopy()::contains);
    }

    @Override
    public boolean getFailed() {
      return exc != null;
    }

    @Override
    public Set<String> getFileNamesToCopy() {
      return toCopy.stream().map(Map.Entry::getKey).collect(Collectors.toSet());
    }

    @Override
    public Set<String> getFileNames() {
      return files.keySet();
    }

    @Override
    public CopyState getCopyState() {
      return state;
    }

    @Override
    public long getTotalBytesCopied() {
      return totBytesCopied;
    }

    @Override
    public int compareTo(CopyJob other) {
      return Long.compare(ord, other.ord);
    }
  }
}
