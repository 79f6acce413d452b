package io.weir.lucene;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.FilterIndexInput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.NRTCachingDirectory;
import org.apache.lucene.util.Version;
import org.junit.jupiter.api.Test;

/** If one of these fails with a newer Lucene, it copies, verifies or commits in another way. */
class CallingMethodTest {

  private final List<Boolean> answers = new ArrayList<>();

  @Test
  void copiesAFile_outputOfACopyThatADirectoryTookApart_isTrue() throws IOException {
    try (Directory source = new ByteBuffersDirectory();
        Directory asking = new NRTCachingDirectory(new Asking(), 1, 1)) {
      source.createOutput("_1.fdt", IOContext.DEFAULT).close();
      asking.copyFrom(source, "_1.fdt", "_2.fdt", IOContext.DEFAULT);
    }
    assertEquals(List.of(true), answers);
  }

  /** This method's own name is not asked about: it is no caller of the directory. */
  @Test
  void copiesAFile_outputOfAWriter_isFalse() throws IOException {
    copyFrom();
    assertEquals(List.of(false), answers);
  }

  private void copyFrom() throws IOException {
    try (Directory asking = new Asking()) {
      write(asking);
    }
  }

  private static void write(Directory directory) throws IOException {
    directory.createOutput("_1.fdt", IOContext.DEFAULT).close();
  }

  @Test
  void verifiesAFile_cloneOfACheckAndOfASearch_areToldApart() throws IOException {
    try (Directory directory = new ByteBuffersDirectory()) {
      try (IndexOutput output = directory.createOutput("_1.fdt", IOContext.DEFAULT)) {
        CodecUtil.writeFooter(output);
      }
      try (IndexInput input = directory.openInput("_1.fdt", IOContext.DEFAULT)) {
        IndexInput asking = new AskingInput(new AskingInput(input));
        CodecUtil.checksumEntireFile(asking);
        assertEquals(List.of(true, true), answers);
        asking.clone();
        assertEquals(List.of(true, true, false, false), answers);
      }
    }
  }

  @Test
  void beginsACommit_syncOfTheFolderByACommitAndByOthers_areToldApart() throws IOException {
    try (Directory asking = new FilterDirectory(new AskingFolder()) {}) {
      new SegmentInfos(Version.LATEST.major).commit(asking);
      assertEquals(List.of(true, false), answers);
      prepareCommit(asking);
      assertEquals(List.of(true, false, false), answers);
    }
  }

  private static void prepareCommit(Directory directory) throws IOException {
    directory.syncMetaData();
  }

  private final class Asking extends FilterDirectory {

    Asking() {
      super(new ByteBuffersDirectory());
    }

    @Override
    public IndexOutput createOutput(String name, IOContext context) throws IOException {
      answers.add(CallingMethod.copiesAFile());
      return in.createOutput(name, context);
    }
  }

  private final class AskingFolder extends FilterDirectory {

    AskingFolder() {
      super(new ByteBuffersDirectory());
    }

    @Override
    public void syncMetaData() throws IOException {
      answers.add(CallingMethod.beginsACommit());
      in.syncMetaData();
    }
  }

  private final class AskingInput extends FilterIndexInput {

    AskingInput(IndexInput in) {
      super("asking", in);
    }

    @Override
    public IndexInput clone() {
      answers.add(CallingMethod.verifiesAFile());
      return in.clone();
    }
  }
}
