package io.weir.load.client;

import com.sun.net.httpserver.HttpServer;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A service in the client's own JVM that answers everything with nothing. What the client measures
 * with it is the floor of all its measurements.
 */
final class FloorServer implements Closeable {

  private static final int NO_CONTENT = 204;
  private static final int NO_BODY = -1;

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  FloorServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(NO_CONTENT, NO_BODY);
          exchange.close();
        });
    server.start();
  }

  URI address() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
