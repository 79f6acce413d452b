package io.weir.load.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.stress.Await;
import io.weir.stress.index.DocumentVectors;
import io.weir.stress.plan.Documents;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.SearcherFactory;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;

class SearchServerTest {

  /** What a search does before it begins. */
  private interface Before {
    void run() throws IOException;
  }

  private static final class Searchers extends SearcherFactory {

    private final Before before;

    Searchers(Before before) {
      this.before = before;
    }

    @Override
    public IndexSearcher newSearcher(IndexReader reader, IndexReader previous) {
      return new IndexSearcher(reader) {
        @Override
        public TopDocs search(Query query, int count) throws IOException {
          before.run();
          return super.search(query, count);
        }
      };
    }
  }

  private interface Asking {
    void ask(SearchServer server, BlockingQueue<Error> errors, HttpClient http, HttpRequest query)
        throws Exception;
  }

  private static void serve(Before before, Asking asking) throws Exception {
    BlockingQueue<Error> errors = new LinkedBlockingQueue<>();
    try (Directory directory = new ByteBuffersDirectory();
        IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
      writer.addDocument(new Document());
      try (SearcherManager searchers = new SearcherManager(writer, new Searchers(before));
          SearchServer server =
              new SearchServer(
                  searchers,
                  DocumentVectors.of(new Documents("synthetic:1", 1, 0)),
                  Optional.of(1),
                  errors::add,
                  NanoClock.SYSTEM);
          HttpClient http = HttpClient.newHttpClient()) {
        asking.ask(
            server,
            errors,
            http,
            HttpRequest.newBuilder(
                    URI.create("http://127.0.0.1:" + server.port() + "/search?q=word"))
                .build());
      }
    }
  }

  @Test
  void search_ofAWord_isAnswered() throws Exception {
    serve(
        () -> {},
        (server, errors, http, query) -> {
          HttpResponse<String> answer = http.send(query, BodyHandlers.ofString());

          assertEquals(200, answer.statusCode());
          assertEquals("{\"hits\":0,\"keys\":[]}", answer.body());
          Await.until("nothing is open", () -> server.open() == 0);
        });
  }

  /** The JDK's server would answer nothing, and the client wait until it gives up. */
  @Test
  void search_withAnError_isGivenToTheOwner() throws Exception {
    serve(
        () -> {
          throw new StackOverflowError("too deep");
        },
        (server, errors, http, query) -> {
          assertThrows(IOException.class, () -> http.send(query, BodyHandlers.ofString()));
          Await.until("the owner knows", () -> !errors.isEmpty());
          assertEquals("too deep", errors.take().getMessage());
        });
  }

  /** What a client has given up is work of the server until it is done. */
  @Test
  void open_ofARequestWhoseClientHasGone_countsUntilItIsDone() throws Exception {
    CountDownLatch goOn = new CountDownLatch(1);
    serve(
        () -> {
          try {
            goOn.await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
        },
        (server, errors, http, query) -> {
          CompletableFuture<?> first = http.sendAsync(query, BodyHandlers.discarding());
          CompletableFuture<?> queued = http.sendAsync(query, BodyHandlers.discarding());
          Await.until("both are open", () -> server.open() == 2);
          first.cancel(true);
          queued.cancel(true);
          assertThrows(Exception.class, first::get);
          assertEquals(2, server.open());

          goOn.countDown();
          Await.until("both are done", () -> server.open() == 0);
        });
  }
}
