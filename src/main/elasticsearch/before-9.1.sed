# What tools/package changes in the source, to compile it for versions of Elasticsearch before 9.1.
# Handlers of actions were generic.
s/Collection<ActionHandler> /Collection<ActionHandler<? extends org.elasticsearch.action.ActionRequest, ? extends org.elasticsearch.action.ActionResponse>> /
s/new ActionHandler(/new ActionHandler<>(/g
# A request was a class, and had no abstract class of that name.
s/AbstractTransportRequest/TransportRequest/g
# A merge scheduler counted no metrics.
/^import .*[.]MergeMetrics;$/d
/ pool,$/{
N
s/ pool,\n *MergeMetrics metrics) {/ pool) {/
}
/^ *MergeMetrics metrics,$/d
/^ *metrics,$/d
s/, metrics)/)/
