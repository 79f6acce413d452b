package io.weir.stress.engine;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.rest.EngineClient;
import io.weir.run.RunJson;
import io.weir.stress.plan.Engine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A Solr server as a user has one: with an empty core, a core of the user's own documents, and one
 * whose schema has no unique key.
 */
public final class RunningSolr implements AutoCloseable {

  public static final String EMPTY = "empty";
  public static final String PRODUCTS = "products";
  public static final String KEYLESS = "keyless";

  /** Of the vectors that documents of {@link #EMPTY} may have. */
  public static final int DIMS = 16;

  private static final int DOCUMENTS = 50;

  private static final String CONFIG =
      """
      <config>
        <luceneMatchVersion>LATEST</luceneMatchVersion>
        <requestHandler name="/select" class="solr.SearchHandler">
          <lst name="defaults"><str name="df">name</str></lst>
        </requestHandler>
      </config>
      """;

  private static final String SCHEMA =
      """
      <schema name="own" version="1.7">
        %s
        <fieldType name="string" class="solr.StrField"/>
        <field name="sku" type="string"/>
        <field name="name" type="string"/>
      </schema>
      """;

  private final EngineServer server;
  private final EngineClient client;

  private RunningSolr(EngineServer server) {
    this.server = server;
    this.client = new EngineClient(server.url(), Optional.empty(), Duration.ofSeconds(60));
  }

  /** Starts one in {@code directory}, from the jars of {@code distribution}. */
  public static RunningSolr start(Path distribution, Path directory) throws Exception {
    Path home = directory.resolve("solr");
    SearchEngine.of(Engine.SOLR).copy(distribution, Optional.empty(), DIMS, home);
    configSet(home, PRODUCTS, "<uniqueKey>sku</uniqueKey>");
    configSet(home, KEYLESS, "");
    RunningSolr solr =
        new RunningSolr(
            EngineServer.start(
                new EngineServer.Setup(
                    Engine.SOLR,
                    home,
                    directory.resolve("data"),
                    Files.createDirectory(directory.resolve("files")),
                    directory.resolve("server.log"),
                    List.of("-Xmx300m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"),
                    Map.of()),
                () -> false));
    solr.create(EMPTY, EngineIndex.DEFAULT_NAME);
    solr.create(PRODUCTS, PRODUCTS);
    solr.create(KEYLESS, KEYLESS);
    solr.fill();
    return solr;
  }

  private static void configSet(Path home, String name, String uniqueKey) throws IOException {
    Path conf = home.resolve("home/configsets").resolve(name).resolve("conf");
    Files.createDirectories(conf);
    Files.writeString(conf.resolve("solrconfig.xml"), CONFIG);
    Files.writeString(conf.resolve("schema.xml"), SCHEMA.formatted(uniqueKey));
  }

  private void create(String core, String configSet) throws Exception {
    client.get("/admin/cores?action=CREATE&name=%s&configSet=%s".formatted(core, configSet));
  }

  private void fill() throws Exception {
    StringBuilder documents = new StringBuilder();
    for (int i = 0; i < DOCUMENTS; i++) {
      documents
          .append(i == 0 ? '[' : ',')
          .append(RunJson.line(Map.of("sku", Integer.toString(i), "name", "word" + i % 5)));
    }
    client.postJson("/" + PRODUCTS + "/update?commit=true", documents.append(']').toString());
  }

  /** Its address. */
  public URI url() {
    return server.url();
  }

  /** How many documents a search finds in a core. */
  public long documents(String core) {
    return answer("/" + core + "/select?q=*:*&rows=0").at("/response/numFound").asLong();
  }

  /** Whether a run has begun to fill a core. */
  public boolean isMarked(String core) {
    return answer("/" + core + "/get?id=weir-stress").path("doc").isObject();
  }

  /** A number that each commit to a core changes. */
  public long commits(String core) {
    return answer("/" + core + "/admin/luke?numTerms=0").at("/index/version").asLong();
  }

  private JsonNode answer(String path) {
    try {
      return client.get(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    client.close();
    server.close();
  }
}
