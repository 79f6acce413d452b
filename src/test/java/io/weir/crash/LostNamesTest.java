package io.weir.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Weir;
import io.weir.fakes.Interleaving;
import io.weir.fakes.PosixDirectory;
import io.weir.fakes.PosixDirectory.Change;
import io.weir.fakes.PosixDirectory.Step;
import io.weir.rate.ByteBudget;
import io.weir.store.DirectoryPlan;
import io.weir.store.DirectoryPlan.Layer;
import io.weir.store.FlushedFilesOptions;
import io.weir.suite.LongRun;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.KeepOnlyLastCommitDeletionPolicy;
import org.apache.lucene.index.PersistentSnapshotDeletionPolicy;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.NRTCachingDirectory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Cuts the power between any two calls of commits, snapshots, backups and an application that know
 * nothing of each other, on a disk that loses what POSIX lets it lose. Each time the index must be
 * that of the last commit, or of the one in progress. The control is Lucene's own order of calls.
 *
 * <p>{@code -Dweir.names.seeds=1000} tries more interleavings; {@code -Dweir.names.seed} begins
 * with a given one.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LostNamesTest {

  private static final int SEEDS = Integer.getInteger("weir.names.seeds", 3);
  private static final int MANY_SEEDS = 30;
  private static final long FIRST_SEED = Long.getLong("weir.names.seed", 0);
  private static final int ROUNDS = 10;
  private static final int ROUNDS_OF_OTHERS = 12;
  private static final int STEPS_A_GUESS = 10;
  private static final CrashIndex INDEX = new CrashIndex(0, 30, 6, 40);

  /** What stands between the writer and the disk. */
  enum Stack {
    LUCENE_ALONE(disk -> disk),
    WEIR(disk -> Weir.builder().open(disk).directory()),
    /** As in Solr; it creates its files in a sync as well. */
    NRT_CACHING_ABOVE(
        disk -> new NRTCachingDirectory(Weir.builder().open(disk).directory(), 5, 60)),
    /** Half of the files of a flush are too long to be held. */
    LONG_FILES(
        disk ->
            DirectoryPlan.recommended(ByteBudget.unlimited())
                .withFlushedFiles(FlushedFilesOptions.DEFAULT.withMaxFileBytes(1000))
                .over(disk)),
    NO_DEFERRED_SYNC(
        disk ->
            DirectoryPlan.recommended(ByteBudget.unlimited())
                .without(Layer.DEFERRED_SYNC)
                .over(disk)),
    NO_FLUSHED_FILES(
        disk ->
            DirectoryPlan.recommended(ByteBudget.unlimited())
                .without(Layer.FLUSHED_FILES)
                .over(disk));

    private final UnaryOperator<Directory> over;

    Stack(UnaryOperator<Directory> over) {
      this.over = over;
    }
  }

  @ParameterizedTest
  @EnumSource(Stack.class)
  void powerCut_betweenAnyTwoCalls_leavesTheLastCommit(Stack stack) throws Exception {
    cutBetweenAnyTwoCalls(stack, FIRST_SEED, SEEDS);
  }

  @ParameterizedTest
  @EnumSource(Stack.class)
  @LongRun("more seeds than powerCut_betweenAnyTwoCalls_leavesTheLastCommit")
  void powerCut_ofManySeeds_leavesTheLastCommit(Stack stack) throws Exception {
    cutBetweenAnyTwoCalls(stack, FIRST_SEED + SEEDS, MANY_SEEDS);
  }

  private static void cutBetweenAnyTwoCalls(Stack stack, long firstSeed, int seeds)
      throws Exception {
    int cuts = 0;
    int commits = 0;
    Map<String, String> broken = new TreeMap<>();
    for (long seed = firstSeed; seed < firstSeed + seeds; seed++) {
      Machine machine = new Machine(stack, seed);
      machine.run();
      machine.countSyncs(stack == Stack.NO_DEFERRED_SYNC ? machine.tries : 0);
      cuts += machine.cuts;
      commits += machine.commits;
      broken.putAll(machine.broken);
    }
    assertEquals(Map.of(), broken, broken.size() + " faults, " + commits + " commits");
    assertTrue(cuts > commits && commits > seeds, cuts + " cuts, " + commits + " commits");
  }

  /** One machine, from its first start to the end of all its threads. */
  private static final class Machine {

    private final String name;
    private final Random random;
    private final Interleaving threads;
    private final PosixDirectory disk = new PosixDirectory(this::at);
    private final Directory directory;
    private final ReentrantLock aWriter = new ReentrantLock(); // no snapshots while they change
    private final Set<Map<String, byte[]>> seen = new HashSet<>();
    private final Map<String, String> broken = new TreeMap<>(); // by commit
    private int steps;
    private int cuts;
    private int commits;
    private int folderSyncs;
    private final AtomicInteger folderSyncsAsked = new AtomicInteger();
    private int heldFilesSynced;
    private int tries;

    // Used by one thread at a time, as the interleaving says.
    private IndexWriter writer;
    private PersistentSnapshotDeletionPolicy policy;
    private long committed = -1;
    private long started = -1;
    private Thread failing;
    private int syncsToFailure;

    Machine(Stack stack, long seed) {
      this.name = stack + ", seed " + seed;
      this.random = new Random(seed);
      this.threads = new Interleaving(random);
      this.directory =
          new FilterDirectory(stack.over.apply(disk)) {
            @Override
            public void syncMetaData() throws IOException {
              folderSyncsAsked.incrementAndGet();
              in.syncMetaData();
            }
          };
    }

    void run() throws Exception {
      openWriter();
      threads.add(this::commit);
      threads.add(this::snapshot);
      threads.add(this::syncOwnFiles);
      threads.add(this::syncFilesOfTheIndex);
      threads.run(this::cut);
      writer.close();
      directory.close();
    }

    private void at(Step step, String file) throws IOException {
      threads.step();
      folderSyncs += step == Step.SYNC_FOLDER ? 1 : 0;
      boolean sync = step == Step.END_OF_SYNC || step == Step.END_OF_SYNC_FOLDER;
      if (sync && Thread.currentThread() == failing && !disk.mayLose(Machine::isACommit)) {
        syncsToFailure--;
        if (syncsToFailure == 0) {
          throw new IOException("the disk cannot sync " + file);
        }
      }
    }

    /**
     * Looks whether the folder was synced more often than Lucene asks for.
     *
     * @param more how often it may be
     */
    void countSyncs(int more) {
      int most = folderSyncsAsked.get() + heldFilesSynced + more;
      if (folderSyncs > most) {
        broken.put(name, folderSyncs + " syncs of the folder, not " + most);
      }
    }

    /** After that, to fail a sync would be a gap of Lucene's own. */
    private static boolean isACommit(Change change) {
      return change.step() == Step.RENAME && change.name().startsWith("segments");
    }

    /** Looks at all that a power cut may leave now, unless an earlier one left the same. */
    private void cut() {
      leaves("nothing unsynced", change -> false);
      leaves("all", change -> true);
      leaves("renames", change -> change.step() == Step.RENAME);
      leaves("no creations", change -> change.step() != Step.CREATE);
      steps++;
      if (steps % STEPS_A_GUESS == 0) {
        leaves("some", new Guess());
      }
    }

    /** Any renames and creations; deletions in their order, which Lucene's own commits need. */
    private final class Guess implements Predicate<Change> {

      private boolean deletes = true;

      @Override
      public boolean test(Change change) {
        boolean survives = random.nextBoolean();
        if (change.step() != Step.DELETE) {
          return survives;
        }
        deletes &= survives;
        return deletes;
      }
    }

    private void leaves(String what, Predicate<Change> survives) {
      Map<String, byte[]> files = disk.afterPowerCut(survives);
      Map<String, byte[]> filled = new TreeMap<>(files);
      filled.values().removeIf(bytes -> bytes.length == 0); // as good as not there
      if (!seen.add(filled)) {
        return;
      }
      cuts++;
      try (Directory left = new ByteBuffersDirectory()) {
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
          try (IndexOutput output = left.createOutput(file.getKey(), IOContext.DEFAULT)) {
            output.writeBytes(file.getValue(), file.getValue().length);
          }
        }
        long last = committed < 0 && !DirectoryReader.indexExists(left) ? -1 : INDEX.check(left);
        if (last < committed || last > started) {
          throw new AssertionError(last + " is none of " + committed + " to " + started);
        }
      } catch (AssertionError | IOException | RuntimeException e) {
        broken.putIfAbsent(name + ", batch " + started, what + " survived: " + e.getMessage());
      }
    }

    /** One writer after another commits, in one phase or two, gives up, flushes and merges. */
    private void commit() throws IOException {
      for (int round = 0; round < ROUNDS; round++) {
        switch (random.nextInt(7)) {
          case 0 -> {
            write();
            DirectoryReader.open(writer).close(); // to files
          }
          case 1 -> {
            write();
            writer.prepareCommit();
            giveUp();
          }
          case 2 -> {
            long batch = write();
            writer.prepareCommit();
            write();
            DirectoryReader.open(writer).close();
            finish(batch);
          }
          case 3 -> writer.forceMerge(1);
          case 4 -> {
            long batch = write();
            failing = Thread.currentThread();
            syncsToFailure = 1 + random.nextInt(8);
            try {
              finish(batch);
            } catch (IOException e) {
              failing = null;
              finish(batch);
            }
            failing = null;
          }
          default -> finish(write());
        }
      }
    }

    private long batch = -1;

    private long write() throws IOException {
      batch++;
      INDEX.write(writer, batch);
      return batch;
    }

    private void finish(long last) throws IOException {
      tries++;
      started = last;
      writer.commit();
      committed = last;
      commits++;
    }

    private void giveUp() throws IOException {
      aWriter.lock();
      try {
        writer.rollback();
        openWriter();
      } finally {
        aWriter.unlock();
      }
    }

    private void openWriter() throws IOException {
      policy =
          new PersistentSnapshotDeletionPolicy(new KeepOnlyLastCommitDeletionPolicy(), directory);
      writer =
          new IndexWriter(
              directory,
              new IndexWriterConfig()
                  .setIndexDeletionPolicy(policy)
                  .setMergeScheduler(new SerialMergeScheduler()));
      batch = CrashIndex.lastBatch(writer);
    }

    /** Takes a backup of a snapshot. */
    private void snapshot() throws IOException {
      for (int round = 0; round < ROUNDS_OF_OTHERS; round++) {
        threads.step();
        aWriter.lock();
        try (Directory backup = new ByteBuffersDirectory()) {
          if (committed >= 0) {
            IndexCommit snapshot = policy.snapshot();
            for (String file : snapshot.getFileNames()) {
              backup.copyFrom(directory, file, file, IOContext.DEFAULT);
              threads.step();
            }
            policy.release(snapshot);
            writer.deleteUnusedFiles();
            INDEX.check(backup);
          }
        } finally {
          aWriter.unlock();
        }
      }
    }

    /** What an application keeps beside its index. */
    private void syncOwnFiles() throws IOException {
      for (int round = 0; round < ROUNDS_OF_OTHERS; round++) {
        String file = "own_" + round;
        try (IndexOutput output = directory.createOutput(file, IOContext.DEFAULT)) {
          output.writeString(file);
        }
        directory.sync(List.of(file));
        switch (random.nextInt(3)) {
          case 0 -> directory.syncMetaData();
          case 1 -> directory.rename(file, file + "_renamed");
          default -> directory.deleteFile(file);
        }
      }
    }

    /** As a tool that wants to be sure of what it sees; files that go away are none of its. */
    private void syncFilesOfTheIndex() throws IOException {
      for (int round = 0; round < ROUNDS_OF_OTHERS; round++) {
        threads.step();
        List<String> files = new ArrayList<>(List.of(directory.listAll()));
        files.removeIf(file -> !file.startsWith("_"));
        if (!files.isEmpty()) {
          String file = files.get(random.nextInt(files.size()));
          heldFilesSynced += List.of(disk.listAll()).contains(file) ? 0 : 1;
          try {
            directory.sync(List.of(file));
          } catch (IOException e) {
            // deleted
          }
        }
      }
    }
  }
}
