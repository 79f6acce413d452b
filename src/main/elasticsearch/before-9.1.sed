# What tools/package changes in the source, to compile it for versions of Elasticsearch before 9.1.
# A request is a class there, and has no abstract class of that name.
s/AbstractTransportRequest/TransportRequest/g
# A merge scheduler counts no metrics.
/^import .*[.]MergeMetrics;$/d
/ pool,$/{
N
s/ pool,\n *MergeMetrics metrics) {/ pool) {/
}
/^ *MergeMetrics metrics,$/d
/^ *metrics,$/d
s/, metrics)/)/
