package io.weir.solr;

import io.weir.engine.NodeCap.Schedule;
import io.weir.rate.BudgetOptions.Counting;
import io.weir.rate.Rate;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.apache.solr.common.SolrException;
import org.apache.solr.common.SolrException.ErrorCode;
import org.apache.solr.handler.RequestHandlerBase;
import org.apache.solr.request.SolrQueryRequest;
import org.apache.solr.response.SolrQueryResponse;
import org.apache.solr.security.AuthorizationContext;

/**
 * Answers {@code /weir} of a core: the figures of the core and of its node. {@code ?action=cancel}
 * cancels the optimise of the core, {@code ?max_bytes_per_sec=40mb} sets the cap of the node,
 * {@code ?schedule=09:00-17:00+10mb} the hours with another one, and {@code ?count_reads=true}
 * makes the cap hold what merges read as well.
 *
 * <p><b>Threads:</b> any. <b>Failure:</b> a wrong parameter is refused by name, with status 400.
 */
final class WeirHandler extends RequestHandlerBase {

  static final String PATH = "/weir";

  private static final String ACTION = "action";
  private static final String CANCEL = "cancel";
  private static final String CAP = "max_bytes_per_sec";
  private static final String SCHEDULE = "schedule";
  private static final String COUNT_READS = "count_reads";

  private final WeirCore core;
  private final WeirNode node;

  WeirHandler(WeirCore core, WeirNode node) {
    this.core = core;
    this.node = node;
  }

  @Override
  public void handleRequestBody(SolrQueryRequest request, SolrQueryResponse response)
      throws Exception {
    response.setHttpCaching(false);
    String action = request.getParams().get(ACTION);
    if (action != null && !action.equals(CANCEL)) {
      throw new SolrException(
          ErrorCode.BAD_REQUEST, ACTION + " must be " + CANCEL + ", or absent: " + action);
    }
    Optional<Rate> cap = parameter(request, CAP, WeirSettings::cap);
    Optional<Boolean> countsReads = parameter(request, COUNT_READS, WeirSettings::flag);
    Optional<Schedule> schedule = parameter(request, SCHEDULE, WeirSettings::schedule);
    cap.ifPresent(node.cap()::setCap);
    schedule.ifPresent(node.cap()::setSchedule);
    countsReads.map(Counting::ofReads).ifPresent(node.budget()::setCounting);
    if (action != null) {
      response.add("cancelled", core.cancelForcedMerges());
    }
    response.add("node", node.figures());
    response.add("core", core.figures());
  }

  private static <T> Optional<T> parameter(
      SolrQueryRequest request, String name, BiFunction<String, String, T> parser) {
    try {
      return Optional.ofNullable(request.getParams().get(name)).map(t -> parser.apply(name, t));
    } catch (IllegalArgumentException e) {
      throw new SolrException(ErrorCode.BAD_REQUEST, e.getMessage(), e);
    }
  }

  @Override
  public String getDescription() {
    return "The figures of Weir";
  }

  /** A change needs more than a look. */
  @Override
  public Name getPermissionName(AuthorizationContext request) {
    return Stream.of(ACTION, CAP, SCHEDULE, COUNT_READS)
            .allMatch(p -> request.getParams().get(p) == null)
        ? Name.METRICS_READ_PERM
        : Name.CORE_EDIT_PERM;
  }
}
