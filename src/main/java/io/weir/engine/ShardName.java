package io.weir.engine;

import java.util.Objects;

/**
 * A shard of an index.
 *
 * @param index the name of the index
 * @param indexUuid the identity of the index; one that is deleted and created again has another
 * @param number from 0
 */
public record ShardName(String index, String indexUuid, int number) {

  /** Checks that nothing is missing. */
  public ShardName {
    Objects.requireNonNull(index, "index");
    Objects.requireNonNull(indexUuid, "indexUuid");
  }

  /** As engines write it in their logs, such as {@code [products][0]}. */
  @Override
  public String toString() {
    return "[" + index + "][" + number + "]";
  }
}
