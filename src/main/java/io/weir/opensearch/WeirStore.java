package io.weir.opensearch;

import io.weir.engine.EngineNode;
import io.weir.store.ResidentKeys;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.LockFactory;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.IndexModule;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.mapper.IdFieldMapper;
import org.opensearch.index.shard.ShardPath;
import org.opensearch.index.store.FsDirectoryFactory;
import org.opensearch.plugins.IndexStorePlugin.DirectoryFactory;

/**
 * The store type {@code weir}: the engine's default directory, with the layers of Weir above it.
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> the engine closes the directories.
 */
final class WeirStore implements DirectoryFactory {

  /** The documents' keys, which updates and deletes look up. */
  static final ResidentKeys KEYS = ResidentKeys.of(IdFieldMapper.NAME);

  private final EngineFiles files = new EngineFiles();
  private final EngineNode node;

  WeirStore(EngineNode node) {
    this.node = node;
  }

  @Override
  public Directory newDirectory(IndexSettings settings, ShardPath path) throws IOException {
    return withLayers(files.newDirectory(withDefaultType(settings), path));
  }

  @Override
  public Directory newFSDirectory(Path location, LockFactory locks, IndexSettings settings)
      throws IOException {
    return withLayers(files.newFSDirectory(location, locks, withDefaultType(settings)));
  }

  /** The engine's own directories; before 3.3 one of the two methods was for subclasses only. */
  private static final class EngineFiles extends FsDirectoryFactory {

    @Override
    public Directory newFSDirectory(Path location, LockFactory locks, IndexSettings settings)
        throws IOException {
      return super.newFSDirectory(location, locks, settings);
    }
  }

  /** The engine's default directory maps most files and reads the others: all of them unchanged. */
  private Directory withLayers(Directory directory) {
    return Privileged.call(() -> node.directory(directory));
  }

  /**
   * The engine's factory refuses a type that it does not know. The settings are taken from the
   * metadata, because those of {@code IndexSettings} include secure ones, which cannot be copied.
   */
  private static IndexSettings withDefaultType(IndexSettings settings) {
    IndexMetadata metadata = settings.getIndexMetadata();
    Settings rewritten =
        Settings.builder()
            .put(metadata.getSettings())
            .put(
                IndexModule.INDEX_STORE_TYPE_SETTING.getKey(), IndexModule.Type.FS.getSettingsKey())
            .build();
    return new IndexSettings(
        IndexMetadata.builder(metadata).settings(rewritten).build(), settings.getNodeSettings());
  }
}
