package io.weir.cache;

import java.util.Optional;

/**
 * Where the builders of sets take memory; other sets may be evicted for it.
 *
 * <p><b>Threads:</b> any.
 */
interface Space {

  /** Memory of any contents; empty if there is too little. */
  Optional<Extent> take(int bytes);

  /** Frees what was taken and is in no set. */
  void free(Extent extent);
}
