package io.weir.stress.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.corpus.CorpusDocument;
import io.weir.corpus.DocumentReader;
import io.weir.corpus.ReadProblems;
import io.weir.report.SampleRun;
import io.weir.run.RunFiles;
import io.weir.stress.SmallIndex;
import io.weir.stress.engine.EngineData;
import io.weir.stress.engine.EngineStamp;
import io.weir.stress.plan.Documents;
import io.weir.stress.plan.IndexLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A second run over the same tree read the first one's files, and its index, as documents. */
class DocumentsAmongRunsTest {

  @TempDir Path tree;
  private final List<Path> said = new ArrayList<>();

  @BeforeEach
  void writeDocuments() throws IOException {
    write("a.txt", "one");
    write("b/c.txt", "two");
  }

  @Test
  void requireDocuments_amongRunsAndIndexes_isOfDocumentsAlone() throws Exception {
    long textBytes = Preflight.requireDocuments(all(), listener()).textBytes().orElseThrow();

    SampleRun.pair(tree.resolve("weir-runs/finished"));
    write("b/loaded/load.json", "{\n  \"schemaVersion\" : 1,\n");
    write("b/loaded/requests.csv", "1\n");
    SmallIndex.build(tree.resolve("b/kept"), 10);
    EngineData.recordFilled(
        tree.resolve("engine"),
        EngineStamp.wanted(Optional.empty(), SmallIndex.documents(10), 1, IndexLayout.PLAIN));
    write("engine/data/node.txt", "state");
    try (Experiment.RunDirectory killed =
            Experiment.RunDirectory.claim(tree.resolve("weir-runs/killed"));
        FSDirectory directory = FSDirectory.open(tree.resolve("weir-runs/building"));
        IndexWriter building = new IndexWriter(directory, new IndexWriterConfig())) {
      write("weir-runs/killed/queries.txt", "words");
      write("weir-runs/building/_0.txt", "words");

      assertEquals(
          List.of("a.txt", "b/c.txt"),
          titles(),
          "nothing of " + killed + " and " + building + " is a document");
      assertEquals(
          textBytes, Preflight.requireDocuments(all(), listener()).textBytes().orElseThrow());
      assertEquals(
          List.of(
              tree.resolve("b/kept"),
              tree.resolve("b/loaded"),
              tree.resolve("engine"),
              tree.resolve("weir-runs/building"),
              tree.resolve("weir-runs/finished"),
              tree.resolve("weir-runs/killed")),
          said);
    }
  }

  @Test
  void requireDocuments_filesThatAreOnlyNamedLikeOurs_areDocuments() throws Exception {
    write("b/run.json", "{\"scripts\": {}}");
    write("b/segments_1", "of a pie");
    write("b/write.lock", "pid 7");
    write("b/.work/notes.txt", "to do");
    assertEquals(
        List.of(
            "a.txt", "b/.work/notes.txt", "b/c.txt", "b/run.json", "b/segments_1", "b/write.lock"),
        titles());
    assertEquals(List.of(), said);
  }

  /** Whoever names a run directory itself wants its text. */
  @Test
  void requireDocuments_theDirectoryItself_isRead() throws Exception {
    write("run.json", "{\n  \"schemaVersion\" : 1,\n");
    assertEquals(List.of("a.txt", "b/c.txt", "run.json"), titles());
  }

  @Test
  void claim_files_areThoseThatATreeOfDocumentsKnows() {
    RunFiles files = new RunFiles(tree);
    assertEquals(".work/claim", tree.relativize(files.claim()).toString());
    assertEquals("run.json", tree.relativize(files.runJson()).toString());
  }

  private List<String> titles() throws Exception {
    List<String> titles = new ArrayList<>();
    try (DocumentReader reader =
        Preflight.requireDocuments(all(), listener()).open(new ReadProblems())) {
      for (CorpusDocument next = reader.next(); next != null; next = reader.next()) {
        titles.add(next.title());
      }
    }
    return titles;
  }

  private Documents all() {
    return new Documents(tree.toString(), 1, 0);
  }

  private ExperimentListener listener() {
    return new ExperimentListener() {
      @Override
      public void leavesOut(List<Path> directories) {
        said.clear();
        said.addAll(directories);
      }
    };
  }

  private void write(String name, String text) throws IOException {
    Path file = tree.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
