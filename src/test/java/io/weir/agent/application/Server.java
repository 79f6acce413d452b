package io.weir.agent.application;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.ref.WeakReference;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A server that deploys an application a few times and undeploys it, says how many of its loaders
 * are still held, and then runs it once more with the server's own input. Arguments: as {@link
 * ChildLoader}; the third is the directory of the index, and each deployment has its own.
 */
public final class Server {

  private static final int DEPLOYMENTS = 3;

  /** Threads of the agent that are idle end after 10 s. */
  private static final long BOUND_NANOS = 45_000_000_000L;

  private final URL[] path;
  private final String[] arguments;
  private final ExecutorService threads =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "server");
            thread.setDaemon(true);
            return thread;
          });

  private Server(String[] arguments) {
    this.path =
        Arrays.stream(arguments[0].split(File.pathSeparator)).map(Server::url).toArray(URL[]::new);
    this.arguments = arguments;
  }

  /** Runs it. */
  public static void main(String[] arguments) throws Exception {
    new Server(arguments).run();
  }

  private void run() throws Exception {
    InputStream input = System.in;
    System.setIn(
        new ByteArrayInputStream(
            "\n".repeat(10 * DEPLOYMENTS).getBytes(StandardCharsets.US_ASCII)));
    List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
    for (int i = 0; i < DEPLOYMENTS; i++) {
      loaders.add(deployAndUndeploy(i));
    }
    long beganNanos = System.nanoTime();
    while (!loaders.isEmpty() && System.nanoTime() - beganNanos < BOUND_NANOS) {
      System.gc();
      loaders.removeIf(loader -> loader.refersTo(null));
    }
    new PrintStream(new FileOutputStream(FileDescriptor.out), true)
        .println("held " + loaders.size());
    System.setIn(input);
    deployAndUndeploy(DEPLOYMENTS);
  }

  private WeakReference<ClassLoader> deployAndUndeploy(int number) throws Exception {
    try (URLClassLoader loader =
        new URLClassLoader("application " + number, path, ClassLoader.getPlatformClassLoader())) {
      threads.submit(() -> runIn(loader, number)).get();
      return new WeakReference<>(loader);
    }
  }

  private Void runIn(ClassLoader loader, int number) throws Exception {
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    Thread.currentThread().setContextClassLoader(loader);
    try {
      String[] own = Arrays.copyOfRange(arguments, 2, arguments.length);
      own[0] = own[0] + number;
      loader.loadClass(arguments[1]).getMethod("main", String[].class).invoke(null, (Object) own);
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
    return null;
  }

  private static URL url(String file) {
    try {
      return new File(file).toURI().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
