package io.weir.agent.application;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;

/**
 * Starts an application in a class loader that is no child of the system's, as servers of
 * applications do. Arguments: its class path, its class, and its own arguments.
 */
public final class ChildLoader {

  private ChildLoader() {}

  /** Runs it. */
  public static void main(String[] arguments) throws Exception {
    URL[] path =
        Arrays.stream(arguments[0].split(File.pathSeparator))
            .map(ChildLoader::url)
            .toArray(URL[]::new);
    try (URLClassLoader loader =
        new URLClassLoader("child", path, ClassLoader.getPlatformClassLoader())) {
      Thread.currentThread().setContextClassLoader(loader);
      loader
          .loadClass(arguments[1])
          .getMethod("main", String[].class)
          .invoke(null, (Object) Arrays.copyOfRange(arguments, 2, arguments.length));
    }
  }

  private static URL url(String file) {
    try {
      return new File(file).toURI().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
