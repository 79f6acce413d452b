package io.weir.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.weir.run.FailureWords;
import io.weir.run.RunJson;
import java.io.Closeable;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Calls of an engine's public interface over HTTP, whose answers are JSON.
 *
 * <p><b>Threads:</b> any; each call waits for its answer. <b>Failure:</b> {@link EngineException}
 * for an answer that is no success, with what the engine said; {@link IOException} when there was
 * none in time. {@link #close} ends calls that wait, and later ones at once.
 */
public final class EngineClient implements Closeable {

  /**
   * How long an answer may take under load. A refresh of a stock engine has taken 40 s; longer than
   * this, the node or the network is gone.
   */
  public static final Duration UNDER_LOAD = Duration.ofMinutes(10);

  private static final Duration CONNECTING = Duration.ofSeconds(5);
  private static final int MOST_SAID = 300;
  private static final int FIRST_FAILURE = 300;

  /** Of a page of HTML, as a server that ends or a proxy sends one. */
  private static final Pattern TITLE = Pattern.compile("(?is)<title>(.*?)</title>");

  private static final String JSON = "application/json";
  private static final String LINES = "application/x-ndjson";

  private final URI base;
  private final Optional<Login> login;
  private final Duration answering;
  private final int mostBytes;
  private final HttpClient http;

  /**
   * A client of the node at {@code base}; nothing is sent yet.
   *
   * @param login sent with each request
   * @param answering how long an answer may take
   */
  public EngineClient(URI base, Optional<Login> login, Duration answering) {
    this(base, login, answering, Integer.MAX_VALUE);
  }

  /**
   * A client of the node at {@code base} that does not keep longer answers.
   *
   * @param mostBytes of an answer; more of it is an {@link EngineException}
   */
  public EngineClient(URI base, Optional<Login> login, Duration answering, int mostBytes) {
    this.base = base;
    this.login = login;
    this.answering = answering;
    this.mostBytes = mostBytes;
    this.http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECTING)
            .build();
  }

  public JsonNode get(String path) throws IOException, InterruptedException {
    return send("GET", path, BodyPublishers.noBody(), JSON);
  }

  /** Gets an answer that is no JSON. */
  public String getText(String path) throws IOException, InterruptedException {
    return answer("GET", path, BodyPublishers.noBody(), JSON, Optional.of(answering));
  }

  /** Sends a request whose answer may take any time; {@link #close} ends it. */
  public JsonNode getAndWait(String path) throws IOException, InterruptedException {
    return send("GET", path, BodyPublishers.noBody(), JSON, Optional.empty());
  }

  public JsonNode put(String path, Object body) throws IOException, InterruptedException {
    return send("PUT", path, BodyPublishers.ofString(RunJson.line(body)), JSON);
  }

  public JsonNode post(String path) throws IOException, InterruptedException {
    return send("POST", path, BodyPublishers.noBody(), JSON);
  }

  public JsonNode post(String path, Object body) throws IOException, InterruptedException {
    return send("POST", path, BodyPublishers.ofString(RunJson.line(body)), JSON);
  }

  /** Sends what is JSON already. */
  public JsonNode postJson(String path, String json) throws IOException, InterruptedException {
    return send("POST", path, BodyPublishers.ofString(json), JSON);
  }

  public JsonNode delete(String path) throws IOException, InterruptedException {
    return send("DELETE", path, BodyPublishers.noBody(), JSON);
  }

  public JsonNode delete(String path, Object body) throws IOException, InterruptedException {
    return send("DELETE", path, BodyPublishers.ofString(RunJson.line(body)), JSON);
  }

  /** Sends the lines of a bulk request. */
  public JsonNode bulk(String path, String lines) throws IOException, InterruptedException {
    return send("POST", path, BodyPublishers.ofString(lines), LINES);
  }

  /** Sends a request whose answer may take any time; {@link #close} ends it. */
  public JsonNode postAndWait(String path) throws IOException, InterruptedException {
    return send("POST", path, BodyPublishers.noBody(), JSON, Optional.empty());
  }

  /** Ends calls that wait, and later ones, with an {@link IOException}. */
  @Override
  public void close() {
    http.shutdownNow();
  }

  private JsonNode send(String method, String path, BodyPublisher body, String type)
      throws IOException, InterruptedException {
    return send(method, path, body, type, Optional.of(answering));
  }

  private JsonNode send(
      String method, String path, BodyPublisher body, String type, Optional<Duration> within)
      throws IOException, InterruptedException {
    String answer = answer(method, path, body, type, within);
    try {
      return RunJson.parse(answer);
    } catch (JsonProcessingException e) {
      throw new EngineException(
          "%s %s was answered with what is no JSON: %s".formatted(method, path, said(answer)), e);
    }
  }

  private String answer(
      String method, String path, BodyPublisher body, String type, Optional<Duration> within)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri(path)).method(method, body).header("Content-Type", type);
    login.ifPresent(known -> request.header("Authorization", known.authorization()));
    // The timeout of a request ends with the headers of its answer; this one is for all of it.
    CompletableFuture<HttpResponse<String>> call =
        http.sendAsync(
            request.build(),
            head -> new LimitedBody(BodyHandlers.ofString().apply(head), mostBytes));
    HttpResponse<String> answer;
    try {
      answer =
          within.isPresent()
              ? call.get(within.get().toMillis(), TimeUnit.MILLISECONDS)
              : call.get();
    } catch (TimeoutException e) {
      throw new IOException(
          "%s %s was not answered within %s s"
              .formatted(method, path, within.orElseThrow().toMillis() / 1e3),
          e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof LimitedBody.TooLongException) {
        throw new EngineException(
            "%s %s must have an answer of at most %d bytes, and has more"
                .formatted(method, path, mostBytes));
      }
      String why = FailureWords.of(e);
      throw e.getCause() instanceof ConnectException
          ? new IOException("no server answers at " + uri("/") + ": " + why, e.getCause())
          : new IOException("%s %s has no answer: %s".formatted(method, path, why), e);
    } finally {
      call.cancel(true); // has no effect after an answer
    }
    if (answer.statusCode() >= FIRST_FAILURE) {
      throw new EngineException(
          answer.statusCode(),
          "%s %s was answered with %d: %s"
              .formatted(method, path, answer.statusCode(), said(answer.body())));
    }
    return answer.body();
  }

  /** Where it sends its requests. */
  public URI base() {
    return base;
  }

  private URI uri(String path) {
    String authority = base.getHost() + (base.getPort() < 0 ? "" : ":" + base.getPort());
    String prefix = Optional.ofNullable(base.getPath()).orElse("").replaceAll("/+$", "");
    return URI.create(base.getScheme() + "://" + authority + prefix + path);
  }

  /** What an engine said: of Solr's messages and of a page its point. */
  private static String said(String body) {
    String line = message(body).replaceAll("\\s+", " ");
    return line.length() <= MOST_SAID ? line : line.substring(0, MOST_SAID) + "...";
  }

  private static String message(String body) {
    try {
      return RunJson.parse(body).at("/error/msg").asText(body);
    } catch (JsonProcessingException e) {
      Matcher title = TITLE.matcher(body);
      return title.find() ? title.group(1) : body;
    }
  }
}
