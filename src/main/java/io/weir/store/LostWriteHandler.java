package io.weir.store;

import java.io.IOException;

/** Decides what becomes of a file of which the disk could not take a part. */
@FunctionalInterface
interface LostWriteHandler {

  /** Fails the write that is under way, unless the file can be refused later. */
  void lost(String name, LostWriteException loss) throws IOException;
}
