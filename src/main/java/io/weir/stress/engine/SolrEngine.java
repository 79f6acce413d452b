package io.weir.stress.engine;

import io.weir.rest.EngineClient;
import io.weir.rest.EngineException;
import io.weir.stress.setting.VectorFormat;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/**
 * Solr, from the jars that {@code tools/engine} puts together. Its class path is theirs, with
 * {@link SolrMain} in front; the plug-in is where an operator puts it, in {@code lib} of the home.
 */
final class SolrEngine implements SearchEngine {

  static final SolrEngine SOLR = new SolrEngine();

  private static final String LIBRARIES = "lib";
  private static final String MAIN = "main";
  private static final String HOME = "home";

  /** What a server needs: itself, and the Jetty that it runs in. */
  private static final List<String> NEEDED =
      List.of("solr-core-*.jar", "solr-test-framework-*.jar");

  private static final String IN_PLUGIN = "io/weir/solr/WeirDirectoryFactory.class";

  private static final Pattern SAYS_COLLECTOR = Pattern.compile("-XX:\\+Use\\w+GC");

  private SolrEngine() {}

  @Override
  public Optional<String> obstacle(Path home) {
    for (String needed : NEEDED) {
      if (!holds(home.resolve(LIBRARIES), needed)) {
        return Optional.of(
            ("there is no %s/%s in %s; tools/engine solr fetches the jars of a server and prints"
                    + " where they are")
                .formatted(LIBRARIES, needed, home));
      }
    }
    return Optional.empty();
  }

  private static boolean holds(Path directory, String glob) {
    try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, glob)) {
      return found.iterator().hasNext();
    } catch (IOException e) {
      return false; // there is no such directory
    }
  }

  /** Each server has those of floats, and no plan asks for others. */
  @Override
  public Optional<String> vectorObstacle(Path home, int dims, VectorFormat format) {
    return Optional.empty();
  }

  @Override
  public void copy(Path home, Optional<Path> plugin, int dims, Path to) throws IOException {
    FileTree.copy(home.resolve(LIBRARIES), to.resolve(LIBRARIES), file -> true);
    Path main =
        to.resolve(MAIN).resolve(SolrMain.class.getName().replace('.', '/').concat(".class"));
    Files.createDirectories(main.getParent());
    try (InputStream in =
        SolrMain.class.getResourceAsStream(SolrMain.class.getSimpleName() + ".class")) {
      Files.copy(in, main);
    }
    Configuration.write(to.resolve(HOME), plugin.isPresent(), dims);
    if (plugin.isPresent()) {
      install(plugin.get(), to.resolve(HOME).resolve(LIBRARIES));
    }
  }

  private static void install(Path plugin, Path to) throws IOException {
    try (ZipFile jar = new ZipFile(plugin.toFile())) {
      if (jar.getEntry(IN_PLUGIN) == null) {
        throw new EngineException("this is not Weir's plug-in for Solr: " + plugin);
      }
    } catch (ZipException e) {
      throw new EngineException("Weir's plug-in for Solr cannot be read: " + plugin, e);
    }
    Files.createDirectories(to);
    Files.copy(plugin, to.resolve(plugin.getFileName()));
  }

  @Override
  public void configure(EngineServer.Setup setup) throws IOException {
    FileTree.copy(setup.home().resolve(HOME), home(setup), file -> false);
  }

  private static Path home(EngineServer.Setup setup) {
    return setup.files().resolve(HOME);
  }

  @Override
  public ProcessBuilder server(EngineServer.Setup setup, EngineServer.Place place)
      throws IOException {
    List<String> command = ServerUser.launcher();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvmArguments(setup.jvmArguments()));
    setup.settings().forEach((key, value) -> command.add("-D" + key + "=" + value));
    command.addAll(
        List.of(
            "-Djava.io.tmpdir=" + place.temporary(),
            "-Dsolr.log.dir=" + place.logs(),
            "-D" + Configuration.DATA + "=" + setup.data(),
            "-cp",
            setup.home().resolve(MAIN) + ":" + setup.home().resolve(LIBRARIES) + "/*",
            SolrMain.class.getName(),
            home(setup).toString(),
            Integer.toString(place.httpPort())));
    ProcessBuilder builder = new ProcessBuilder(command);
    setEnvironment(builder.environment(), place.temporary());
    return builder;
  }

  /**
   * With what {@code bin/solr} adds: the collector, because a JVM in little memory chooses another,
   * and native access, which Lucene and the plug-in use.
   */
  static List<String> jvmArguments(List<String> asked) {
    List<String> arguments = new ArrayList<>();
    arguments.add("--enable-native-access=ALL-UNNAMED");
    if (asked.stream().noneMatch(SAYS_COLLECTOR.asMatchPredicate())) {
      arguments.add("-XX:+UseG1GC");
    }
    arguments.addAll(asked);
    return arguments;
  }

  /** Removes what Solr would take from the user's environment. */
  static void setEnvironment(Map<String, String> environment, Path temporary) {
    environment.keySet().removeIf(name -> name.startsWith("SOLR_") || name.equals("ZK_HOST"));
    environment.put("HOME", temporary.toString());
  }

  @Override
  public URI url(int httpPort) {
    return URI.create("http://127.0.0.1:" + httpPort + "/solr");
  }

  @Override
  public String healthPath() {
    return "/admin/info/system";
  }

  @Override
  public EngineIndex index(EngineClient client) {
    return SolrIndex.onOwnServer(client, Configuration.NAME);
  }

  /**
   * The home of a Solr server of a run: its settings are those of Solr's default configuration, but
   * the merge policy, the load that commits softly, and what it leaves out because no load uses it.
   */
  static final class Configuration {

    /** Of the core, and of what the core is made from. */
    static final String NAME = EngineIndex.DEFAULT_NAME;

    /** The system property with the directory of the cores. */
    static final String DATA = "weir.data";

    private static final String SOLR_XML =
        """
        <solr>
          <str name="coreRootDirectory">${%s}</str>
        </solr>
        """
            .formatted(DATA);

    /** What an operator writes who installs the plug-in. */
    private static final String WEIR =
        """
        <directoryFactory name="DirectoryFactory" class="io.weir.solr.WeirDirectoryFactory"/>
          <codecFactory class="solr.SchemaCodecFactory"/>
          <indexReaderFactory name="IndexReaderFactory" class="io.weir.solr.WeirIndexReaderFactory"/>\
        """;

    private static final String WEIR_SCHEDULER =
        "<mergeScheduler class=\"io.weir.solr.WeirMergeScheduler\"/>";

    private static final String STOCK =
        """
        <directoryFactory name="DirectoryFactory" class="solr.NRTCachingDirectoryFactory"/>
          <codecFactory class="solr.SchemaCodecFactory"/>\
        """;

    /** As Solr's default has it. */
    private static final String STOCK_SCHEDULER =
        "<mergeScheduler class=\"org.apache.lucene.index.ConcurrentMergeScheduler\"/>";

    /**
     * More segments per tier than the run's large segments, so that Solr leaves them to the large
     * merge; its default of 10 would merge them while the load begins.
     */
    private static final String SOLRCONFIG =
        """
        <config>
          <luceneMatchVersion>LATEST</luceneMatchVersion>
          %s
          <indexConfig>
            <mergePolicyFactory class="org.apache.solr.index.TieredMergePolicyFactory">
              <double name="segmentsPerTier">20</double>
            </mergePolicyFactory>
            %s
          </indexConfig>
          <updateHandler class="solr.DirectUpdateHandler2">
            <updateLog/>
            <autoCommit>
              <maxTime>15000</maxTime>
              <openSearcher>false</openSearcher>
            </autoCommit>
          </updateHandler>
          <query>
            <filterCache size="512" initialSize="512" autowarmCount="0"/>
            <queryResultCache size="512" initialSize="512" autowarmCount="0"/>
            <documentCache size="512" initialSize="512" autowarmCount="0"/>
            <enableLazyFieldLoading>true</enableLazyFieldLoading>
            <queryResultWindowSize>20</queryResultWindowSize>
            <queryResultMaxDocsCached>200</queryResultMaxDocsCached>
            <useColdSearcher>false</useColdSearcher>
          </query>
          <requestHandler name="/select" class="solr.SearchHandler"/>
        </config>
        """;

    /** The fields of a run, as Solr's default schema has them. */
    private static final String SCHEMA =
        """
        <schema name="weir-stress" version="1.7">
          <uniqueKey>%s</uniqueKey>
          <fieldType name="string" class="solr.StrField" sortMissingLast="true" docValues="true"/>
          <fieldType name="plong" class="solr.LongPointField" docValues="true"/>
          <fieldType name="text_general" class="solr.TextField" positionIncrementGap="100">
            <analyzer>
              <tokenizer class="solr.StandardTokenizerFactory"/>
              <filter class="solr.LowerCaseFilterFactory"/>
            </analyzer>
          </fieldType>
          <field name="%s" type="string" indexed="true" stored="true" required="true"/>
          <field name="_version_" type="plong" indexed="false" stored="false"/>
          <field name="_root_" type="string" indexed="true" stored="false" docValues="false"/>
          <dynamicField name="*_t" type="text_general" indexed="true" stored="true"/>
          <dynamicField name="*_l" type="plong" indexed="true" stored="true"/>
          <dynamicField name="*_s" type="string" indexed="true" stored="true"/>%s
        </schema>
        """;

    private static final String VECTORS =
        """

          <fieldType name="knn_vector" class="solr.DenseVectorField" vectorDimension="%d" \
        similarityFunction="dot_product"/>
          <field name="%s" type="knn_vector" indexed="true" stored="true"/>\
        """;

    private Configuration() {}

    /**
     * Writes it, for cores with Weir's plug-in or without.
     *
     * @param dims of the vectors of documents; 0 for none
     */
    static void write(Path home, boolean weir, int dims) throws IOException {
      Path conf = home.resolve("configsets").resolve(NAME).resolve("conf");
      Files.createDirectories(conf);
      Files.writeString(home.resolve("solr.xml"), SOLR_XML);
      Files.writeString(
          conf.resolve("schema.xml"),
          SCHEMA.formatted(
              SolrIndex.DEFAULT_KEY,
              SolrIndex.DEFAULT_KEY,
              dims == 0 ? "" : VECTORS.formatted(dims, SolrSchema.VECTOR)));
      Files.writeString(
          conf.resolve("solrconfig.xml"),
          weir
              ? SOLRCONFIG.formatted(WEIR, WEIR_SCHEDULER)
              : SOLRCONFIG.formatted(STOCK, STOCK_SCHEDULER));
    }
  }
}
