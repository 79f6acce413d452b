package io.weir.solr;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.solr.SolrServer.Answer;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Documents in a core or a collection, and a record of what must be there: a number for each id.
 */
final class SolrDocuments {

  private final SolrServer server;
  private final String index;
  private final Map<String, Long> expected = new TreeMap<>();

  SolrDocuments(SolrServer server, String index) {
    this.server = server;
    this.index = index;
  }

  /** The numbers of all documents by id, as they must be. */
  Map<String, Long> expected() {
    return expected;
  }

  /** Adds, updates and deletes documents, with refreshes in between. */
  SolrDocuments change(Random random) throws IOException {
    for (int round = 0; round < 5; round++) {
      StringBuilder commands = new StringBuilder("{");
      for (int i = 0; i < 100; i++) {
        String id = Integer.toString(random.nextInt(300));
        if (random.nextInt(5) == 0) {
          commands.append("\"delete\":{\"id\":\"%s\"},\n".formatted(id));
          expected.remove(id);
        } else {
          add(commands, id, random.nextInt(1 << 30), "a word");
        }
      }
      send(commands, "softCommit=true");
    }
    return this;
  }

  /** Adds segments of text that does not compress well. */
  SolrDocuments fill(int segments, int bytes) throws IOException {
    Random random = new Random(1);
    int id = 1000;
    for (int i = 0; i < segments; i++) {
      StringBuilder commands = new StringBuilder("{");
      while (commands.length() < bytes) {
        byte[] noise = new byte[3000];
        random.nextBytes(noise);
        String blob = HexFormat.of().formatHex(noise);
        add(commands, Integer.toString(id++), random.nextInt(1 << 30), blob);
      }
      send(commands, "commit=true");
    }
    return this;
  }

  private void add(StringBuilder commands, String id, long number, String blob) {
    commands.append(
        "\"add\":{\"doc\":{\"id\":\"%s\",\"n\":%d,\"blob\":\"%s\"}},\n"
            .formatted(id, number, blob));
    expected.put(id, number);
  }

  /** Repeats what fails: while a cluster has no leader for a shard, clients have to. */
  private void send(StringBuilder commands, String parameters) throws IOException {
    commands.setCharAt(commands.lastIndexOf(","), '}');
    String path = "/" + index + "/update?" + parameters;
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    Answer answer;
    do {
      answer = server.call("POST", path, BodyPublishers.ofString(commands.toString()));
    } while (answer.status() != 200 && System.nanoTime() < end);
    Answer last = answer;
    assertEquals(200, last.status(), last::toString);
  }

  /** The numbers of all documents by id, as a search finds them. */
  Map<String, Long> found() throws IOException {
    server.get("/" + index + "/update?softCommit=true");
    return found(server, index, "");
  }

  /** The same in one core of a server, with a parameter of the search. */
  static Map<String, Long> found(SolrServer server, String core, String parameter)
      throws IOException {
    JsonNode answer = server.get("/" + core + "/select?q=*:*&rows=100000&fl=id,n" + parameter);
    Map<String, Long> found = new TreeMap<>();
    for (JsonNode document : answer.at("/response/docs")) {
      found.put(document.get("id").asText(), document.get("n").asLong());
    }
    assertEquals(answer.at("/response/numFound").asInt(), found.size());
    return found;
  }
}
