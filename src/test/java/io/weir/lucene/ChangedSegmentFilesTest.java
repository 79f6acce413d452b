package io.weir.lucene;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;

/** The names that Lucene gives to what it writes for a finished segment. */
class ChangedSegmentFilesTest {

  @Test
  void isChange_filesOfASegment_areNone() {
    for (String name :
        List.of(
            "_5.si",
            "_5.cfs",
            "_z.fnm",
            "_5_Lucene104_0.tim",
            "_5_Lucene90_0.dvd",
            "_5_Lucene90FieldsIndex-doc_ids_1.tmp",
            "_5_2_bkd_left_1.tmp",
            "_5_my-own_x_0.dat",
            "segments_7")) {
      assertFalse(SegmentFiles.isChange(name), name);
    }
  }

  @Test
  void isChange_whatLuceneWritesForDeletesAndUpdates_isOne() throws Exception {
    Set<String> extensions = new HashSet<>();
    try (Directory directory = new ByteBuffersDirectory();
        IndexWriter writer =
            new IndexWriter(
                directory, new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE))) {
      for (String id : List.of("a", "b", "c")) {
        Document document = new Document();
        document.add(new StringField("id", id, Field.Store.NO));
        document.add(new NumericDocValuesField("price", 1));
        writer.addDocument(document);
      }
      writer.commit();
      Set<String> written = Set.of(directory.listAll());
      written.forEach(name -> assertFalse(SegmentFiles.isChange(name), name));

      writer.deleteDocuments(new Term("id", "a"));
      writer.updateNumericDocValue(new Term("id", "b"), "price", 2);
      writer.commit();

      for (String name : directory.listAll()) {
        boolean added = !written.contains(name) && name.startsWith("_");
        assertTrue(SegmentFiles.isChange(name) == added, name);
        if (added) {
          extensions.add(name.substring(name.lastIndexOf('.')));
        }
      }
    }
    assertTrue(extensions.containsAll(Set.of(".liv", ".dvd", ".dvm", ".fnm")), extensions + "");
  }
}
