package io.weir.stress.arm;

import io.weir.stress.arm.load.Reopens;
import io.weir.stress.arm.load.Searches;
import io.weir.stress.arm.load.Updater;
import io.weir.stress.arm.meters.Sampler;
import java.util.OptionalDouble;

/**
 * What the load of an arm runs against: an index of Lucene in this JVM, or one in an engine. What
 * only one of them can measure is a meter of its own.
 *
 * <p><b>Threads:</b> {@link #refresh}, {@link #update} and {@link #commit} from one each, {@link
 * #search} from any, {@link #merge} from a thread of its own. <b>Failure:</b> an exception of an
 * operation ends the arm.
 */
public interface Target
    extends Reopens.Refresher, Updater.Sink, Searches.Search, LargeMerge.Merger, Sampler.Source {

  /** How many updates one call is to do. */
  int updatesAtOnce();

  /** Makes durable what was written before. */
  void commit() throws Exception;

  /** The share of the large merge that is done; empty where it is unknown. */
  OptionalDouble mergeShare();

  /** What its merges have done so far, for people; empty where it is unknown. */
  String progress();

  /**
   * Whether a request to stop ends operations in their middle, so that their failures after it say
   * nothing.
   */
  default boolean hangsUp() {
    return false;
  }
}
