package io.weir.store;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/**
 * A compound file, of which the dictionaries of key fields are held in memory. Lucene opens a file
 * in it as a slice with the file's name, the field infos first; those two are all that is used of
 * what the file looks like inside. All other slices are those of the file itself.
 *
 * <p><b>Threads:</b> as a compound file: slices by any.
 *
 * <p>Source: Lucene 10.5.1, {@code Lucene90CompoundReader}, {@code SegmentCoreReaders}.
 */
final class ResidentCompoundInput extends ForwardingIndexInput {

  private final String segment;
  private final Set<String> keyFields;
  private final long maxSharedBytes;
  private final ResidentMemory memory;
  private final Map<String, Long> blocksBytes = new ConcurrentHashMap<>();
  private volatile KeyFiles keyFiles = KeyFiles.NONE;

  ResidentCompoundInput(
      IndexInput in,
      String segment,
      Set<String> keyFields,
      long maxSharedBytes,
      ResidentMemory memory) {
    super(in);
    this.segment = segment;
    this.keyFields = keyFields;
    this.maxSharedBytes = maxSharedBytes;
    this.memory = memory;
  }

  @Override
  public IndexInput slice(String name, long offset, long length) throws IOException {
    return slice(name, offset, length, IOContext.DEFAULT);
  }

  @Override
  public IndexInput slice(String name, long offset, long length, IOContext context)
      throws IOException {
    if (name.equals(KeyFiles.fieldInfosName(segment))) {
      learn(name, offset, length);
    } else if (isKeyFile(name, length) && !ResidentMemory.isReadOnce(context)) {
      Optional<IndexInput> resident = hold(name, offset, length, context);
      if (resident.isPresent()) {
        return resident.get();
      }
    }
    return in.slice(name, offset, length, context);
  }

  /** Lucene opens the blocks of a dictionary before their index. */
  private boolean isKeyFile(String name, long length) {
    if (!KeyFiles.mayInclude(name)) {
      return false;
    }
    String blocks = KeyFiles.blocksName(name);
    if (name.equals(blocks)) {
      blocksBytes.put(blocks, length);
    }
    return keyFiles.include(name, blocksBytes.getOrDefault(blocks, Long.MAX_VALUE));
  }

  private void learn(String name, long offset, long length) {
    try {
      byte[] fieldInfos = new byte[Math.toIntExact(length)];
      in.slice(name, offset, length).readBytes(fieldInfos, 0, fieldInfos.length);
      keyFiles = KeyFiles.of(segment, fieldInfos, keyFields, maxSharedBytes);
    } catch (IOException | RuntimeException e) {
      memory.fault(name, e);
    }
  }

  private Optional<IndexInput> hold(String name, long offset, long length, IOContext context) {
    try {
      // To be closed if it is not handed out: no need, what a slice has is the file's.
      return memory.hold(name, in.slice(name, offset, length, context));
    } catch (IOException | RuntimeException e) {
      memory.fault(name, e);
      return Optional.empty();
    }
  }
}
