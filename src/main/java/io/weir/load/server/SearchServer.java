package io.weir.load.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.weir.run.FailureWords;
import io.weir.run.RunJson;
import io.weir.stress.index.DocumentVectors;
import io.weir.stress.index.IndexSchema;
import io.weir.stress.queries.SearchQuery;
import io.weir.time.NanoClock;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.search.TopDocs;

/**
 * Answers {@code GET /search?q=QUERY}: the ten best documents, read from the index as an
 * application reads them, as JSON. A query has the form of a line of {@link
 * io.weir.stress.queries.QueryFile}; another is answered with status 400.
 *
 * <p><b>Threads:</b> a virtual one for each request, or a fixed number. <b>Ownership:</b> its
 * threads and its port, on the loopback interface; not the searchers. <b>Failure:</b> an exception
 * of a search is answered with status 500; an {@link Error} goes to the owner.
 */
final class SearchServer implements Closeable {

  /** What a load test needs of the JDK's server; for the command line of its JVM. */
  static final List<String> JVM_ARGUMENTS =
      List.of(
          // Without it each answer waits 40 ms for an acknowledgement.
          "-Dsun.net.httpserver.nodelay=true",
          // By default only 200 idle connections are kept, and the others closed under the client.
          "-Dsun.net.httpserver.maxIdleConnections=100000",
          "-Dsun.net.httpserver.idleInterval=300",
          // Its dispatcher would die of one, and leave every later request without an answer.
          "-XX:+ExitOnOutOfMemoryError");

  private static final int BACKLOG = 4096;
  private static final int TOP = 10;
  private static final int OK = 200;
  private static final int BAD_QUERY = 400;
  private static final int BROKEN = 500;
  private static final String PARAMETER = "q=";

  private final SearcherManager searchers;
  private final DocumentVectors vectors;
  private final Consumer<Error> fatal;
  private final NanoClock clock;
  private final HttpServer server;
  private final ExecutorService threads;
  private final LongAdder open = new LongAdder();
  private final LongAdder searchNanos = new LongAdder();

  /**
   * Listens on a free port.
   *
   * @param vectors of queries
   * @param fatal receives an error of a search, on the thread of that search
   */
  SearchServer(
      SearcherManager searchers,
      DocumentVectors vectors,
      Optional<Integer> threadCount,
      Consumer<Error> fatal,
      NanoClock clock)
      throws IOException {
    this.searchers = searchers;
    this.vectors = vectors;
    this.fatal = fatal;
    this.clock = clock;
    this.threads =
        threadCount
            .map(Executors::newFixedThreadPool)
            .orElseGet(Executors::newVirtualThreadPerTaskExecutor);
    this.server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
    server.setExecutor(this::execute);
    server.createContext("/search", this::answer);
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  /**
   * How many requests wait or are answered. A request whose client has gone is one of them until
   * the server writes its answer.
   */
  long open() {
    return open.sum();
  }

  /** The time in which threads answered them, added up. */
  long searchNanos() {
    return searchNanos.sum();
  }

  private void execute(Runnable request) {
    open.increment();
    threads.execute(
        () -> {
          try {
            request.run();
          } finally {
            open.decrement();
          }
        });
  }

  private void answer(HttpExchange exchange) throws IOException {
    long startNanos = clock.nanoTime();
    try (exchange) {
      searchAndWrite(exchange);
    } catch (Error e) {
      fatal.accept(e); // the JDK's server would only leave the client without an answer
      throw e;
    } finally {
      searchNanos.add(clock.nanoTime() - startNanos);
    }
  }

  private void searchAndWrite(HttpExchange exchange) throws IOException {
    int status;
    byte[] body;
    try {
      body = RunJson.line(search(query(exchange))).getBytes(StandardCharsets.UTF_8);
      status = OK;
    } catch (IllegalArgumentException e) {
      body = text(e);
      status = BAD_QUERY;
    } catch (IOException | RuntimeException e) {
      body = text(e);
      status = BROKEN;
    }
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }

  private Map<String, Object> search(SearchQuery query) throws IOException {
    IndexSearcher searcher = searchers.acquire();
    try {
      TopDocs top = searcher.search(query.toLucene(vectors), TOP);
      StoredFields stored = searcher.storedFields();
      List<String> keys = new ArrayList<>();
      for (ScoreDoc hit : top.scoreDocs) {
        Document document = stored.document(hit.doc);
        keys.add(document.get(IndexSchema.KEY));
      }
      return Map.of("hits", top.totalHits.value(), "keys", keys);
    } finally {
      searchers.release(searcher);
    }
  }

  private static SearchQuery query(HttpExchange exchange) {
    String raw = Optional.ofNullable(exchange.getRequestURI().getRawQuery()).orElse("");
    if (!raw.startsWith(PARAMETER)) {
      throw new IllegalArgumentException("a search must have a query: /search?q=QUERY");
    }
    return SearchQuery.parse(
        URLDecoder.decode(raw.substring(PARAMETER.length()), StandardCharsets.UTF_8));
  }

  private static byte[] text(Exception reason) {
    return RunJson.line(Map.of("error", FailureWords.of(reason))).getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
