package io.weir.load.client;

import com.sun.net.httpserver.HttpServer;
import io.weir.suite.ChildJvm;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;

/** A service that answers everything with nothing, in a process that a test can stop. */
final class StoppableServer {

  private StoppableServer() {}

  public static void main(String[] arguments) throws Exception {
    ChildJvm.endWithTheTest();
    System.setProperty("sun.net.httpserver.maxIdleConnections", "10000");
    System.setProperty("sun.net.httpserver.nodelay", "true");
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 4096);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    server.start();
    ChildJvm.output().println(ProcessHandle.current().pid());
    ChildJvm.output().println(server.getAddress().getPort());
  }
}
