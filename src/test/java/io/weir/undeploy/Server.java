package io.weir.undeploy;

import io.weir.Weir;
import io.weir.suite.ChildJvm;
import io.weir.undeploy.shared.SharingApplication;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.management.ObjectName;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;

/**
 * A server that runs an application on one of its threads, in a loader of the application's own,
 * and goes on to live. It says whether the loader was collected after the application's end, and if
 * not, what may hold it.
 *
 * <p>Arguments: a directory, and {@code bundles} or {@code shares}: what the application does with
 * Weir. A server with an application that shares Weir uses Weir itself, so Weir's threads that
 * serve all indexes do not end.
 */
final class Server {

  static final String COLLECTED = "collected";

  /** An idle thread that unmaps files ends after 10 s, and its classes are the application's. */
  private static final Duration BOUND = Duration.ofSeconds(60);

  private static final String FILE = "_0.pos";

  private final InheritableThreadLocal<Object> ofTheApplication = new InheritableThreadLocal<>();
  private final ExecutorService threads = Executors.newSingleThreadExecutor();
  private final Path directory;

  private Server(Path directory) {
    this.directory = directory;
  }

  /** Runs it. */
  public static void main(String[] arguments) throws Exception {
    ChildJvm.endWithTheTest();
    String said = new Server(Path.of(arguments[0])).run(arguments[1].equals("shares"));
    ChildJvm.output().println(said);
    System.exit(0);
  }

  private String run(boolean shares) throws Exception {
    WeakReference<ClassLoader> loader =
        shares
            ? deployAndUndeploy(new OwnPackageLoader(), SharingApplication.class.getName())
            : deployAndUndeploy(
                new URLClassLoader(
                    "application", classPath(), ClassLoader.getPlatformClassLoader()),
                BundledApplication.class.getName());
    long deadlineNanos = System.nanoTime() + BOUND.toNanos();
    while (!loader.refersTo(null) && System.nanoTime() < deadlineNanos) {
      if (shares) {
        useWeir();
      }
      System.gc();
    }
    return loader.refersTo(null) ? COLLECTED : "held; see: " + suspects(loader);
  }

  private void useWeir() throws Exception {
    try (Directory neighbour = Weir.builder().open(directory.resolve("neighbour")).directory()) {
      try (IndexOutput output = neighbour.createOutput(FILE, IOContext.DEFAULT)) {
        output.writeBytes(new byte[100_000], 100_000);
      }
      neighbour.openInput(FILE, IOContext.DEFAULT).close();
      neighbour.deleteFile(FILE);
    }
  }

  private WeakReference<ClassLoader> deployAndUndeploy(URLClassLoader loader, String name)
      throws Exception {
    try (loader) {
      threads.submit(() -> runApplication(loader, name)).get();
    }
    return new WeakReference<>(loader);
  }

  private Object runApplication(ClassLoader loader, String name) throws Exception {
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    Thread.currentThread().setContextClassLoader(loader);
    try {
      Object application =
          loader.loadClass(name).getConstructor(Path.class).newInstance(directory.resolve("index"));
      ofTheApplication.set(application);
      ((Callable<?>) application).call();
      return "";
    } finally {
      ofTheApplication.remove();
      Thread.currentThread().setContextClassLoader(before);
    }
  }

  private static List<String> suspects(WeakReference<ClassLoader> loader) throws Exception {
    List<String> found = new ArrayList<>();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      boolean isContext = loader.refersTo(thread.getContextClassLoader());
      if (isContext || thread.getName().startsWith("weir")) {
        found.add("thread " + thread.getName() + (isContext ? ", whose context it is" : ""));
      }
    }
    ManagementFactory.getPlatformMBeanServer()
        .queryNames(new ObjectName("io.weir*:*"), null)
        .forEach(bean -> found.add("bean " + bean));
    found.add("thread locals of the server's thread");
    return found;
  }

  private static URL[] classPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(Server::url)
        .toArray(URL[]::new);
  }

  private static URL url(String entry) {
    try {
      return new File(entry).toURI().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** Loads the classes of one package itself, and leaves all others to the system. */
  private static final class OwnPackageLoader extends URLClassLoader {

    private static final String PACKAGE = SharingApplication.class.getPackageName() + ".";

    OwnPackageLoader() {
      super("application", classPath(), ClassLoader.getSystemClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith(PACKAGE)) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        return loaded != null ? loaded : findClass(name);
      }
    }
  }
}
