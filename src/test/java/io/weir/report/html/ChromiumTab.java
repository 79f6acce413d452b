package io.weir.report.html;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.stress.Await;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.imageio.ImageIO;

/**
 * One tab of a headless Chromium, by its DevTools protocol: real keys, paper, no scripts. From one
 * thread.
 */
final class ChromiumTab implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long TIMEOUT_SECONDS = 60;

  private final Process process;
  private final WebSocket socket;
  private final LinkedBlockingQueue<JsonNode> answers;
  private int sent;

  private ChromiumTab(Process process, WebSocket socket, LinkedBlockingQueue<JsonNode> answers) {
    this.process = process;
    this.socket = socket;
    this.answers = answers;
  }

  static ChromiumTab of(Process process, Path profile) throws IOException, InterruptedException {
    Path file = profile.resolve("DevToolsActivePort");
    Await.until("Chromium's port", () -> !lines(file).isEmpty() || !process.isAlive());
    String port = lines(file).get(0);
    HttpClient client = HttpClient.newHttpClient();
    HttpRequest list =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json/list")).build();
    String address = "";
    for (JsonNode target : JSON.readTree(client.send(list, BodyHandlers.ofString()).body())) {
      if (target.path("type").asText().equals("page")) {
        address = target.path("webSocketDebuggerUrl").asText();
      }
    }
    LinkedBlockingQueue<JsonNode> answers = new LinkedBlockingQueue<>();
    WebSocket socket =
        client.newWebSocketBuilder().buildAsync(URI.create(address), new Ear(answers)).join();
    ChromiumTab tab = new ChromiumTab(process, socket, answers);
    tab.send("Page.enable", JSON.createObjectNode());
    return tab;
  }

  private static List<String> lines(Path file) {
    try {
      return Files.exists(file) ? Files.readAllLines(file) : List.of();
    } catch (IOException e) {
      return List.of(); // just being written
    }
  }

  void size(int width, int height) {
    send(
        "Emulation.setDeviceMetricsOverride",
        JSON.createObjectNode()
            .put("width", width)
            .put("height", height)
            .put("deviceScaleFactor", 1)
            .put("mobile", false));
  }

  /**
   * @param media {@code screen} or {@code print}
   */
  void media(String media, boolean dark, boolean reducedMotion) {
    ObjectNode params = JSON.createObjectNode().put("media", media);
    params
        .putArray("features")
        .add(feature("prefers-color-scheme", dark ? "dark" : "light"))
        .add(feature("prefers-reduced-motion", reducedMotion ? "reduce" : "no-preference"));
    send("Emulation.setEmulatedMedia", params);
  }

  private static ObjectNode feature(String name, String value) {
    return JSON.createObjectNode().put("name", name).put("value", value);
  }

  void scripts(boolean on) {
    send("Emulation.setScriptExecutionDisabled", JSON.createObjectNode().put("value", !on));
  }

  /** Opens {@code page} and waits until it is there, and drawn if scripts run. */
  void open(Path page, boolean scripts) {
    scripts(scripts);
    send("Page.navigate", JSON.createObjectNode().put("url", page.toUri().toString()));
    Await.until(
        "the page",
        () ->
            eval("document.readyState === 'complete' && location.protocol === 'file:'").asBoolean()
                && (!scripts || !text("document.documentElement.dataset.report ?? ''").isEmpty()));
  }

  /** What the expression comes to, by value. */
  JsonNode eval(String expression) {
    JsonNode result =
        send(
            "Runtime.evaluate",
            JSON.createObjectNode().put("expression", expression).put("returnByValue", true));
    if (result.has("exceptionDetails")) {
      throw new AssertionError(expression + ": " + result);
    }
    return result.path("result").path("value");
  }

  String text(String expression) {
    return eval(expression).asText();
  }

  /** Presses and releases a key by its DOM name: {@code Tab}, {@code ArrowRight}, {@code Enter}. */
  void key(String key) {
    int code =
        switch (key) {
          case "Tab" -> 9;
          case "Enter" -> 13;
          case "Escape" -> 27;
          case "ArrowLeft" -> 37;
          case "ArrowRight" -> 39;
          default -> throw new IllegalArgumentException("a key this does not know: " + key);
        };
    for (String type : List.of("rawKeyDown", "char", "keyUp")) {
      if (!type.equals("char") || key.equals("Enter")) {
        send(
            "Input.dispatchKeyEvent",
            JSON.createObjectNode()
                .put("type", type)
                .put("key", key)
                .put("code", key)
                .put("text", key.equals("Enter") ? "\r" : "")
                .put("windowsVirtualKeyCode", code));
      }
    }
  }

  /** The document as it is now. */
  String dom() {
    return text("document.documentElement.outerHTML");
  }

  /** What the window shows. */
  BufferedImage picture() throws IOException {
    String png = send("Page.captureScreenshot", JSON.createObjectNode()).path("data").asText();
    return ImageIO.read(new ByteArrayInputStream(Base64.getDecoder().decode(png)));
  }

  /** The page on A4. */
  byte[] pdf() {
    ObjectNode params =
        JSON.createObjectNode()
            .put("printBackground", true)
            .put("paperWidth", 8.27)
            .put("paperHeight", 11.7);
    return Base64.getDecoder().decode(send("Page.printToPDF", params).path("data").asText());
  }

  private JsonNode send(String method, ObjectNode params) {
    int id = ++sent;
    ObjectNode message = JSON.createObjectNode().put("id", id).put("method", method);
    message.set("params", params);
    socket.sendText(message.toString(), true).join();
    try {
      while (true) {
        JsonNode answer = answers.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        if (answer == null || answer.path("id").asInt() == id && answer.has("error")) {
          throw new AssertionError(method + ": " + answer);
        }
        if (answer.path("id").asInt() == id) {
          return answer.path("result");
        }
      }
    } catch (InterruptedException e) {
      throw new AssertionError(method, e);
    }
  }

  @Override
  public void close() {
    socket.abort();
    List<ProcessHandle> children = process.descendants().toList();
    process.destroyForcibly().onExit().join();
    children.forEach(ProcessHandle::destroyForcibly);
    for (ProcessHandle child : children) {
      child.onExit().join();
    }
  }

  /** Puts messages together from their parts. */
  private static final class Ear implements WebSocket.Listener {
    private final LinkedBlockingQueue<JsonNode> answers;
    private final StringBuilder message = new StringBuilder();

    Ear(LinkedBlockingQueue<JsonNode> answers) {
      this.answers = answers;
    }

    @Override
    public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
      message.append(data);
      if (last) {
        try {
          answers.add(JSON.readTree(message.toString()));
        } catch (IOException e) {
          throw new java.io.UncheckedIOException(e);
        }
        message.setLength(0);
      }
      socket.request(1);
      return null;
    }
  }
}
