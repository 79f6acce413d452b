package io.weir.stress.arm;

import io.weir.stress.arm.load.Reopens;
import io.weir.stress.arm.load.Searches;
import io.weir.stress.arm.load.Updater;
import io.weir.stress.arm.meters.Sampler;
import io.weir.stress.queries.SearchQuery;
import java.util.List;
import java.util.OptionalDouble;

/**
 * What the load of an arm runs against: an index of Lucene in this JVM, or one in an engine. What
 * only one of them can measure is a meter of its own, which {@link ArmRun} is given beside it.
 *
 * <p><b>Threads:</b> {@link #refresh}, {@link #commit} and {@link #sample} from one each, {@link
 * #update} from {@link #updateThreads}, {@link #search} from any, {@link #merge} from a thread of
 * its own. <b>Ownership:</b> whoever opened it closes it, after the run. <b>Failure:</b> an
 * exception of an operation ends the arm.
 */
public interface Target
    extends Reopens.Refresher, Updater.Sink, Searches.Search, LargeMerge.Merger, Sampler.Source {

  /** Makes visible what was written before. */
  @Override
  void refresh(Reopens.Reopen reopen) throws Exception;

  /** How many updates one call of {@link #update} is to do. */
  int updatesAtOnce();

  /** How many calls of {@link #update} may be in progress. */
  int updateThreads();

  /** Writes documents. */
  @Override
  void update(List<Updater.Update> updates, long dueNanos) throws Exception;

  /** Returns how many of the {@value Searches#TOP} best documents for a query there are. */
  @Override
  int search(SearchQuery query, long dueNanos) throws Exception;

  /** Makes durable what was written before. */
  void commit() throws Exception;

  /** Does the large merge that the arm asks for, and returns when it is over. */
  @Override
  void merge() throws Exception;

  /** Adds to a sample what it can tell of this moment. */
  @Override
  void sample(Sampler.Line line);

  /** The share of the large merge that is done; empty where it is unknown. */
  OptionalDouble mergeShare();

  /** What its merges have done so far, for people; empty where it is unknown. */
  String progress();

  /**
   * Whether a request to stop ends operations in their middle, so that their failures after it say
   * nothing.
   */
  boolean hangsUp();
}
