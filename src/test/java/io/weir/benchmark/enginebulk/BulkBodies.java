package io.weir.benchmark.enginebulk;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.corpus.CorpusDocument;
import io.weir.corpus.DocumentReader;
import io.weir.corpus.DocumentSources;
import io.weir.corpus.ReadProblems;
import io.weir.stress.index.DocumentKeys;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Bulk requests, made beforehand so that no figure contains it. */
final class BulkBodies {

  private static final int DOCUMENTS_OF_ONE = 500;
  private static final long SEED = 1;
  private static final ObjectMapper JSON = new ObjectMapper();

  private BulkBodies() {}

  /** Those of {@code documents} synthetic documents with ids. */
  static List<byte[]> of(int documents) throws IOException {
    List<byte[]> bodies = new ArrayList<>();
    try (DocumentReader reader =
        DocumentSources.parse("synthetic:" + documents, SEED).open(new ReadProblems())) {
      ByteArrayOutputStream body = new ByteArrayOutputStream();
      for (int i = 0; i < documents; i++) {
        add(body, DocumentKeys.of(i, SEED), reader.next());
        if (i % DOCUMENTS_OF_ONE == DOCUMENTS_OF_ONE - 1 || i == documents - 1) {
          bodies.add(body.toByteArray());
          body.reset();
        }
      }
    }
    return bodies;
  }

  private static void add(ByteArrayOutputStream body, String id, CorpusDocument text)
      throws IOException {
    Map<String, Object> fields =
        Map.of("title", text.title(), "body", text.body(), "date", text.epochMillis());
    body.writeBytes(("{\"index\":{\"_id\":\"" + id + "\"}}\n").getBytes(UTF_8));
    body.writeBytes(JSON.writeValueAsBytes(fields));
    body.write('\n');
  }
}
