package io.weir.stress.engine;

import io.weir.corpus.CorpusDocument;
import io.weir.rest.EngineClient;
import io.weir.stress.arm.load.Updater;
import io.weir.stress.index.DocumentVectors;
import io.weir.stress.plan.Documents;
import io.weir.stress.plan.Engine;
import io.weir.stress.plan.EngineApi;
import io.weir.stress.queries.SearchQuery;
import io.weir.stress.setting.CompoundFiles;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * A stock server of an engine that is updated and searched, refreshes each second, and has one
 * thing wrong with it. It prints {@code ready} and what {@code weir why} is to look at: its
 * address, or of Solr its process, and runs until it is killed; the server ends with it.
 */
public final class SickEngine {

  /** What is wrong. */
  enum Illness {
    NOTHING,
    /** Documents as fast as they are taken, and no illness. */
    BUSY,
    /** Each of several clients has each of its documents visible at once. */
    REFRESH_BY_REQUEST,
    /** Ten indexes with a refresh_interval of 1ms. */
    REFRESH_INTERVAL,
    /** One merge at a time, and documents as fast as they are taken. */
    INDEXING_THROTTLED,
    /** No merges, thousands of segments, and four times the updates. */
    MANY_SEGMENTS,
    /** Run it with a heap that is hardly larger than what lives. */
    SMALL_HEAP,
    /** Run it in a control group with a quota. */
    PROCESSOR_QUOTA,
    /** A forced merge of an index that is larger than the page cache, on a slow disk. */
    FORCED_MERGE;

    /** Whether the index is built first, which takes minutes, and kept for the next time. */
    private boolean hasOwnIndex() {
      return this == MANY_SEGMENTS || this == FORCED_MERGE;
    }
  }

  private static final String INDEX = EngineIndex.DEFAULT_NAME;
  private static final int WORDS = 20_000;
  private static final int WORDS_OF_A_DOCUMENT = 100;
  private static final int IDS = 40_000;
  private static final int LARGE = 300_000;
  private static final int WORDS_OF_A_LARGE_DOCUMENT = 250;
  private static final int LARGE_SEGMENTS = 8;
  private static final int MANY_SEGMENTS = 2500;
  private static final int BULK = 100;
  private static final int FIRST_BULKS = 60;
  private static final int FAST_INDEXES = 10;

  private final Engine engine;
  private final Illness illness;
  private final EngineClient client;
  private final EngineIndex index;

  private SickEngine(Engine engine, Illness illness, EngineServer server) {
    this.engine = engine;
    this.illness = illness;
    this.client = new EngineClient(server.url(), Optional.empty(), EngineClient.UNDER_LOAD);
    this.index = SearchEngine.of(engine).index(client);
  }

  private interface Work {
    void run() throws Exception;
  }

  /**
   * Runs it. The server dies with this thread.
   *
   * @param arguments the engine; the illness; its distribution; a directory for the data; one for
   *     all other files; one where a large index is kept for the next time; the heap
   */
  public static void main(String[] arguments) throws Exception {
    PrintStream progress = System.out; // of a process, whose caller waits for it
    Engine engine = Engine.valueOf(arguments[0]);
    Illness illness = Illness.valueOf(arguments[1]);
    Path data = Path.of(arguments[3]);
    Path files = Path.of(arguments[4]);
    Path kept = Path.of(arguments[5]);
    Path home = files.resolve("home");
    SearchEngine.of(engine).copy(Path.of(arguments[2]), Optional.empty(), 0, home);
    if (engine == Engine.SOLR) {
      setSegmentsPerTier(home, illness == Illness.MANY_SEGMENTS ? "100000" : "10");
    }
    List<String> heap = List.of("-Xms" + arguments[6], "-Xmx" + arguments[6]);
    if (illness.hasOwnIndex()) {
      if (EngineData.stamp(kept).isEmpty()) {
        Path building = Files.createDirectories(files.resolve("building"));
        try (EngineServer server =
            start(engine, home, EngineData.data(kept), building, heap, Map.of())) {
          new SickEngine(engine, illness, server).build();
        }
        EngineData.recordFilled(kept, stamp(engine).filled(LARGE));
      }
      EngineData.copy(kept, data);
    }
    Path running = Files.createDirectories(files.resolve("running"));
    try (EngineServer server =
        start(engine, home, data, running, heap, settings(engine, illness))) {
      SickEngine sick = new SickEngine(engine, illness, server);
      sick.fall();
      progress.println("ready " + (engine == Engine.SOLR ? jvm() : server.url()));
      Optional<String> end = server.end();
      while (end.isEmpty()) {
        end = server.end();
      }
      throw new IllegalStateException(end.get());
    }
  }

  /** Of the server. Solr does not say it, and so leads weir why to no process. */
  private static String jvm() {
    return ProcessHandle.current()
        .descendants()
        .filter(process -> process.info().command().orElse("").endsWith("/java"))
        .findFirst()
        .map(process -> Long.toString(process.pid()))
        .orElseThrow();
  }

  private static EngineServer start(
      Engine engine,
      Path home,
      Path data,
      Path files,
      List<String> heap,
      Map<String, String> settings)
      throws Exception {
    return EngineServer.start(
        new EngineServer.Setup(
            engine, home, data, files, files.resolve("server.log"), heap, settings),
        () -> false);
  }

  /**
   * With its pool of merges, Elasticsearch throttles indexing only when those are not throttled.
   */
  private static Map<String, String> settings(Engine engine, Illness illness) {
    return engine == Engine.ELASTICSEARCH && illness == Illness.INDEXING_THROTTLED
        ? Map.of("indices.merge.scheduler.use_thread_pool", "false")
        : Map.of();
  }

  /** Runs of a stress test have another value than Solr's default. */
  private static void setSegmentsPerTier(Path home, String value) throws IOException {
    Path config = home.resolve("home/configsets").resolve(INDEX).resolve("conf/solrconfig.xml");
    String text = Files.readString(config);
    String changed = text.replaceFirst("(name=\"segmentsPerTier\">)20(<)", "$1" + value + "$2");
    if (changed.equals(text)) {
      throw new IllegalStateException("no segmentsPerTier in " + config);
    }
    Files.writeString(config, changed);
  }

  private static EngineStamp stamp(Engine engine) {
    return new EngineStamp(
        Optional.of(engine),
        new Documents("synthetic", 1, 0),
        1,
        CompoundFiles.DEFAULT,
        Optional.empty(),
        0);
  }

  /** Leaves it on the disk. */
  private void build() throws Exception {
    index.create(stamp(engine));
    Random random = new Random(1);
    if (illness == Illness.MANY_SEGMENTS) {
      set();
      for (int i = 0; i < MANY_SEGMENTS; i++) {
        send(index, 2 * i, 2, WORDS_OF_A_DOCUMENT, random);
        index.refresh();
      }
    } else {
      for (int from = 0; from < LARGE; from += BULK) {
        send(index, from, BULK, WORDS_OF_A_LARGE_DOCUMENT, random);
        if (from % (LARGE / LARGE_SEGMENTS) == 0) {
          index.flush();
        }
      }
    }
    index.flush();
  }

  /** Makes it ill. */
  private void fall() throws Exception {
    if (illness.hasOwnIndex()) {
      index.awaitHealth();
    } else {
      index.create(stamp(engine));
    }
    List<EngineIndex> indexes = new ArrayList<>(List.of(index));
    set();
    if (illness == Illness.REFRESH_INTERVAL) {
      indexes.clear();
      for (int i = 0; i < FAST_INDEXES; i++) {
        String name = "fast-" + i;
        EngineIndex fast = EngineIndex.inCluster(EngineApi.REST, client, name);
        fast.create(stamp(engine));
        set(name, Map.of("index.refresh_interval", "1ms"));
        indexes.add(fast);
      }
    }
    Random random = new Random(2);
    for (int i = 0; i < FIRST_BULKS; i++) {
      send(index, IDS, BULK, WORDS_OF_A_DOCUMENT, random);
    }
    switch (illness) {
      case INDEXING_THROTTLED, BUSY -> {
        for (int i = 0; i < 4; i++) {
          begin("update-" + i, () -> update(indexes, 5 * BULK, 0));
        }
      }
      case MANY_SEGMENTS -> begin("update", () -> update(indexes, 40, 40));
      case REFRESH_INTERVAL -> begin("update", () -> update(indexes, 2, 10));
      default -> begin("update", () -> update(indexes, 10, 40));
    }
    begin("search", this::search);
    switch (illness) {
      case REFRESH_BY_REQUEST -> {
        for (int i = 0; i < 8; i++) {
          begin("request-" + i, this::request);
        }
      }
      case SMALL_HEAP -> {
        for (int i = 0; i < 3; i++) {
          begin("large-" + i, this::searchForMuch);
        }
      }
      case FORCED_MERGE -> begin("forced", this::mergeOnce);
      default -> {}
    }
  }

  /** Values that engines have by themselves, unless a stress test changes them; and the illness. */
  private Map<String, Object> settings() {
    Map<String, Object> settings = new HashMap<>();
    settings.put("index.refresh_interval", "1s");
    settings.put("index.merge.policy.segments_per_tier", 10);
    settings.put("index.translog.durability", "request");
    switch (illness) {
      case INDEXING_THROTTLED -> {
        settings.put("index.refresh_interval", "100ms");
        settings.put("index.merge.scheduler.max_thread_count", 1);
        settings.put("index.merge.scheduler.max_merge_count", 1);
      }
      case MANY_SEGMENTS -> settings.put("index.merge.policy.segments_per_tier", 100_000);
      default -> {}
    }
    return settings;
  }

  /** A core of Solr opens anew then. */
  private void set() throws Exception {
    if (engine.api() == EngineApi.SOLR) {
      client.post(
          "/" + INDEX + "/config",
          Map.of("set-property", Map.of("updateHandler.autoSoftCommit.maxTime", 1000)));
    } else {
      set(INDEX, settings());
    }
  }

  private void set(String name, Map<String, Object> settings) throws Exception {
    client.put("/" + name + "/_settings", settings);
  }

  /** What fails is tried again: an engine without memory refuses some. */
  private static void begin(String name, Work work) {
    Thread thread =
        new Thread(
            () -> {
              while (true) {
                try {
                  work.run();
                } catch (IOException e) {
                  pause(50);
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              }
            },
            name);
    thread.setDaemon(true);
    thread.start();
  }

  private static void pause(long millis) {
    LockSupport.parkNanos(millis * 1_000_000);
  }

  private void update(List<EngineIndex> indexes, int documents, int pauseMillis) throws Exception {
    for (EngineIndex each : indexes) {
      send(each, IDS, documents, WORDS_OF_A_DOCUMENT, ThreadLocalRandom.current());
      pause(pauseMillis);
    }
  }

  /**
   * Sends documents with keys from a number on; {@link #IDS} stands for any below it, which replace
   * others.
   */
  private static void send(EngineIndex to, int from, int count, int words, Random random)
      throws IOException, InterruptedException {
    EngineIndex.Bulk bulk = to.bulk();
    for (int i = 0; i < count; i++) {
      int key = from == IDS ? random.nextInt(IDS) : from + i;
      bulk.add(
          new Updater.Update(
              Integer.toString(key),
              new CorpusDocument("", text(words, random), key),
              Optional.empty()));
    }
    bulk.send();
  }

  private static String text(int words, Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < words; i++) {
      text.append('w').append(random.nextInt(WORDS)).append(' ');
    }
    return text.toString();
  }

  private void search() throws Exception {
    String word = "w" + ThreadLocalRandom.current().nextInt(WORDS);
    index.search(SearchQuery.term(word), DocumentVectors.NONE, 10);
    pause(100);
  }

  /** Thousands of documents are in the heap of the server at once, and again in its answer. */
  private void searchForMuch() throws Exception {
    client.getText(
        "/"
            + INDEX
            + (engine.api() == EngineApi.SOLR
                ? "/select?q=*:*&defType=lucene&rows=10000"
                : "/_search?size=10000"));
  }

  private void mergeOnce() throws Exception {
    index.forceMerge();
    Thread.currentThread().join();
  }

  /** Writes a document that is to be found when the answer comes. */
  private void request() throws Exception {
    Random random = ThreadLocalRandom.current();
    String key = Integer.toString(random.nextInt(IDS));
    String text = text(WORDS_OF_A_DOCUMENT, random);
    if (engine.api() == EngineApi.SOLR) {
      client.post(
          "/" + INDEX + "/update?softCommit=true",
          List.of(Map.of(SolrIndex.DEFAULT_KEY, key, SolrIndex.BODY, text)));
    } else {
      client.put("/" + INDEX + "/_doc/" + key + "?refresh=true", Map.of(RestIndex.BODY, text));
    }
  }
}
