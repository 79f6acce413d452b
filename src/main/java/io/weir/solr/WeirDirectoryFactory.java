package io.weir.solr;

import io.weir.store.DirectoryPlan;
import io.weir.store.ResidentKeys;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.LockFactory;
import org.apache.lucene.store.NRTCachingDirectory;
import org.apache.solr.common.util.NamedList;
import org.apache.solr.core.StandardDirectoryFactory;

/**
 * Opens the directory of a core with the layers of Weir, below the cache that Solr's default has:
 *
 * <pre>{@code
 * <directoryFactory name="DirectoryFactory" class="io.weir.solr.WeirDirectoryFactory"/>
 * }</pre>
 *
 * <p>It takes the arguments of {@code solr.NRTCachingDirectoryFactory}, {@code maxMergeSizeMB} and
 * {@code maxCachedMB}, and {@code keys}: the fields that updates look documents up by, separated by
 * commas; by default {@code id,_root_}.
 *
 * <p>Solr finds a directory by its identity. So the layers are put together here, where Solr
 * creates the directory, and nothing wraps it later.
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> Solr creates one for each core, and closes the
 * directories through it. <b>Failure:</b> if a layer cannot be created, the core opens without
 * Weir's layers; that is logged.
 */
public final class WeirDirectoryFactory extends StandardDirectoryFactory {

  private static final System.Logger LOGGER = System.getLogger(WeirNode.class.getPackageName());

  // What solr.NRTCachingDirectoryFactory has by default.
  private static final double MAX_MERGE_SIZE_MB = 4;
  private static final double MAX_CACHED_MB = 48;

  private volatile double maxMergeSizeMb = MAX_MERGE_SIZE_MB;
  private volatile double maxCachedMb = MAX_CACHED_MB;
  private volatile ResidentKeys keys = ResidentKeys.of("id", "_root_");

  /** For Solr, which calls {@link #init} next. */
  public WeirDirectoryFactory() {}

  @Override
  public void init(NamedList<?> args) {
    super.init(args);
    maxMergeSizeMb = positive(args, "maxMergeSizeMB", MAX_MERGE_SIZE_MB);
    maxCachedMb = positive(args, "maxCachedMB", MAX_CACHED_MB);
    if (args.get("keys") instanceof String names) {
      keys = ResidentKeys.of(names.strip().split("\\s*,\\s*"));
    }
  }

  /** The fields whose dictionaries are held in memory. */
  ResidentKeys keys() {
    return keys;
  }

  // Solr 9 calls the first, Solr 10 the second; so neither can have an annotation, or call its
  // superclass.

  protected Directory create(String path, LockFactory locks, DirContext context)
      throws IOException {
    return open(path, locks);
  }

  protected Directory create(String path, LockFactory locks) throws IOException {
    return open(path, locks);
  }

  private Directory open(String path, LockFactory locks) throws IOException {
    return new NRTCachingDirectory(
        withLayers(FSDirectory.open(Path.of(path), locks)), maxMergeSizeMb, maxCachedMb);
  }

  private Directory withLayers(FSDirectory files) {
    try {
      return DirectoryPlan.recommended(WeirNode.get().budget()).withKeys(keys).over(files);
    } catch (RuntimeException | LinkageError e) {
      LOGGER.log(Level.WARNING, files + " works without Weir's components", e);
      return files;
    }
  }

  private static double positive(NamedList<?> args, String name, double otherwise) {
    Object value = args.get(name);
    if (value == null) {
      return otherwise;
    }
    double number = Double.parseDouble(value.toString());
    if (!(number > 0)) {
      throw new IllegalArgumentException(name + " must be greater than 0 MB: " + value);
    }
    return number;
  }
}
