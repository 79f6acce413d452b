package io.weir.benchmark.residentkeys;

import io.weir.benchmark.kit.Benchmark;
import io.weir.benchmark.kit.Conditions;
import io.weir.benchmark.kit.TextTable;
import io.weir.store.ResidentKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.IOUtils;

/** What holding a key in memory takes, by its form: the dictionary of one segment of such keys. */
public final class KeyCostsBenchmark implements Benchmark {

  private static final int FULL = 1_000_000;
  private static final int QUICK = 4_000;
  private static final double MANY = 100e6;
  private static final double BYTES_PER_GB = 1e9;

  @Override
  public String name() {
    return "key-costs";
  }

  @Override
  public String summary() {
    return "memory that a resident key takes, by the form of the key";
  }

  @Override
  public TextTable run(Conditions conditions) throws Exception {
    int keys = conditions.quick() ? QUICK : FULL;
    TextTable table =
        new TextTable(
            "key-costs: " + keys + " keys in one segment",
            1,
            "key",
            "bytes a key",
            "GB for 100 million");
    measure(keys, conditions)
        .forEach(
            (form, bytes) ->
                table.row(
                    form.title(),
                    figure("%.1f", (double) bytes / keys),
                    figure("%.1f", MANY / BYTES_PER_GB * bytes / keys)));
    return table.note("the blocks of terms and their index, which is what is held");
  }

  /** Bytes of the dictionary. */
  Map<KeyForm, Long> measure(int keys, Conditions conditions) throws IOException {
    Map<KeyForm, Long> bytes = new EnumMap<>(KeyForm.class);
    for (KeyForm form : KeyForm.values()) {
      conditions.progress().println("key-costs: " + form.title());
      Path path = Files.createTempDirectory(conditions.directory(), "key-costs");
      try {
        bytes.put(form, dictionaryBytes(path, form, keys));
      } finally {
        IOUtils.rm(path);
      }
    }
    return bytes;
  }

  private static long dictionaryBytes(Path path, KeyForm form, int keys) throws IOException {
    IndexWriterConfig config = new IndexWriterConfig().setUseCompoundFile(false);
    config.setCodec(ResidentKeys.of(KeyIndex.FIELD).codec());
    config.getMergePolicy().setNoCFSRatio(0);
    try (Directory directory = FSDirectory.open(path)) {
      try (IndexWriter writer = new IndexWriter(directory, config)) {
        for (int i = 0; i < keys; i++) {
          Document document = new Document();
          document.add(new StringField(KeyIndex.FIELD, form.key(i), Field.Store.NO));
          writer.addDocument(document);
        }
        writer.forceMerge(1);
      }
      long bytes = 0;
      for (String name : directory.listAll()) {
        bytes += name.matches(".*\\.(tim|tip)") ? directory.fileLength(name) : 0;
      }
      return bytes;
    }
  }

  private static String figure(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }
}
