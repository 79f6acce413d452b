package io.weir.solr;

import java.util.Properties;

/**
 * Starts Solr in Jetty, as its own test framework does, from the server's class path: {@code
 * SolrMain HOME PORT}. It runs in a JVM of its own, without the classes of the tests.
 */
final class SolrMain {

  /** What it says when all cores are loaded. */
  static final String UP = "Solr is up";

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
    System.out.println(UP);
    Thread.currentThread().join();
  }

  private static void stop(Class<?> type, Object solr) {
    try {
      type.getMethod("stop").invoke(solr);
    } catch (ReflectiveOperationException e) {
      e.printStackTrace();
    }
  }
}
