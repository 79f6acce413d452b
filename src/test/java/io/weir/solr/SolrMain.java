package io.weir.solr;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/**
 * Starts Solr in Jetty, as its own test framework does, from the server's class path: {@code
 * SolrMain HOME PORT FILE}. It creates FILE when all cores are loaded. It runs in a JVM of its own,
 * without the classes of the tests.
 */
final class SolrMain {

  private static final String JETTY = "org.apache.solr.embedded.Jetty";

  private SolrMain() {}

  public static void main(String[] args) throws Exception {
    Class<?> builderType = Class.forName(JETTY + "Config$Builder");
    Object builder = builderType.getConstructor().newInstance();
    builderType.getMethod("setPort", int.class).invoke(builder, Integer.parseInt(args[1]));
    builderType.getMethod("setContext", String.class).invoke(builder, "/solr");
    Object config = builderType.getMethod("build").invoke(builder);
    Class<?> type = Class.forName(JETTY + "SolrRunner");
    Object solr =
        type.getConstructor(String.class, Properties.class, config.getClass())
            .newInstance(args[0], new Properties(), config);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(type, solr)));
    type.getMethod("start").invoke(solr); // waits for the cores
    Files.createFile(Path.of(args[2]));
    Thread.currentThread().join();
  }

  private static void stop(Class<?> type, Object solr) {
    try {
      type.getMethod("stop").invoke(solr);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
