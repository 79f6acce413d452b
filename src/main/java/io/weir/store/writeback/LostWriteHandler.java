package io.weir.store.writeback;

import java.io.IOException;

/** Handles a file that lost a part on the way to the disk. */
@FunctionalInterface
public interface LostWriteHandler {

  /** Fails the write in progress, unless the file can be refused later. */
  void lost(String name, LostWriteException loss) throws IOException;
}
