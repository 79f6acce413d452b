package io.weir.stress.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The home of a Solr server of a run: its settings are those of Solr's default configuration, but
 * the merge policy, the load that commits softly, and what it leaves out because no load uses it.
 */
final class SolrConfiguration {

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
        <dynamicField name="*_s" type="string" indexed="true" stored="true"/>
      </schema>
      """
          .formatted(SolrIndex.DEFAULT_KEY, SolrIndex.DEFAULT_KEY);

  private SolrConfiguration() {}

  /** Writes it, for cores with Weir's plug-in or without. */
  static void write(Path home, boolean weir) throws IOException {
    Path conf = home.resolve("configsets").resolve(NAME).resolve("conf");
    Files.createDirectories(conf);
    Files.writeString(home.resolve("solr.xml"), SOLR_XML);
    Files.writeString(conf.resolve("schema.xml"), SCHEMA);
    Files.writeString(
        conf.resolve("solrconfig.xml"),
        weir
            ? SOLRCONFIG.formatted(WEIR, WEIR_SCHEDULER)
            : SOLRCONFIG.formatted(STOCK, STOCK_SCHEDULER));
  }
}
