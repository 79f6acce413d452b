package io.weir.stress.engine;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.stress.result.RunJson;
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
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;

/**
 * The REST interface of an OpenSearch or Elasticsearch cluster: the part that both share.
 *
 * <p>A name and a password in the address are sent with each request.
 *
 * <p><b>Threads:</b> any; each call waits for its answer. <b>Failure:</b> {@link EngineException}
 * for an answer that is no success, with what the engine said; {@link IOException} when there was
 * none. {@link #close} ends calls that wait.
 */
final class EngineClient implements Closeable {

  private static final Duration CONNECTING = Duration.ofSeconds(5);
  private static final int MOST_SAID = 300;
  private static final int FIRST_FAILURE = 300;

  private static final String JSON = "application/json";
  private static final String LINES = "application/x-ndjson";

  private final URI base;
  private final Optional<String> authorization;
  private final HttpClient http;

  /** A client of the node at {@code base}; nothing is sent yet. */
  EngineClient(URI base) {
    this.base = base;
    this.authorization =
        Optional.ofNullable(base.getUserInfo())
            .map(user -> user.getBytes(StandardCharsets.UTF_8))
            .map(user -> "Basic " + Base64.getEncoder().encodeToString(user));
    this.http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECTING)
            .build();
  }

  JsonNode get(String path) throws IOException, InterruptedException {
    return send("GET", path, BodyPublishers.noBody(), JSON);
  }

  JsonNode put(String path, Object body) throws IOException, InterruptedException {
    return send("PUT", path, BodyPublishers.ofString(RunJson.line(body)), JSON);
  }

  JsonNode post(String path) throws IOException, InterruptedException {
    return send("POST", path, BodyPublishers.noBody(), JSON);
  }

  JsonNode post(String path, Object body) throws IOException, InterruptedException {
    return send("POST", path, BodyPublishers.ofString(RunJson.line(body)), JSON);
  }

  /** Sends the lines of a bulk request. */
  JsonNode bulk(String path, String lines) throws IOException, InterruptedException {
    return send("POST", path, BodyPublishers.ofString(lines), LINES);
  }

  /** Ends it, and calls that wait with an {@link IOException}. */
  @Override
  public void close() {
    http.shutdownNow();
  }

  private JsonNode send(String method, String path, BodyPublisher body, String type)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri(path)).method(method, body).header("Content-Type", type);
    authorization.ifPresent(value -> request.header("Authorization", value));
    HttpResponse<String> answer;
    try {
      answer = http.send(request.build(), BodyHandlers.ofString());
    } catch (ConnectException e) {
      throw new IOException("no server answers at " + uri("/") + ": " + e.getMessage(), e);
    }
    if (answer.statusCode() >= FIRST_FAILURE) {
      throw new EngineException(
          answer.statusCode(),
          "%s %s was answered with %d: %s"
              .formatted(method, path, answer.statusCode(), said(answer.body())));
    }
    return RunJson.parse(answer.body());
  }

  private URI uri(String path) {
    String authority = base.getHost() + (base.getPort() < 0 ? "" : ":" + base.getPort());
    String prefix = Optional.ofNullable(base.getPath()).orElse("").replaceAll("/+$", "");
    return URI.create(base.getScheme() + "://" + authority + prefix + path);
  }

  private static String said(String body) {
    String line = body.replaceAll("\\s+", " ");
    return line.length() <= MOST_SAID ? line : line.substring(0, MOST_SAID) + "...";
  }
}
