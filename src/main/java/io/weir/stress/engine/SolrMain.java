package io.weir.stress.engine;

import java.util.Properties;

/**
 * Starts Solr in Jetty from the class path of a server: {@code SolrMain HOME PORT}. It runs in a
 * JVM of its own, alone of all classes of Weir: Solr has another Lucene, and only the jars of Solr
 * are on that class path. So it names Solr's classes by reflection.
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
    type.getMethod("start").invoke(solr);
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
