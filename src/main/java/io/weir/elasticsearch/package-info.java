/**
 * The Elasticsearch plug-in: indexes with {@code index.weir.enabled: true} have Weir below and
 * around them. An artifact of its own, made for one version of Elasticsearch; nothing else uses
 * this package.
 *
 * <p>{@link io.weir.elasticsearch.WeirPlugin} connects the parts: {@link
 * io.weir.elasticsearch.WeirSettings} names all settings, {@link io.weir.elasticsearch.WeirNode}
 * has what the shards of a node share, and {@link io.weir.elasticsearch.WeirEngine} runs each shard
 * with a {@link io.weir.elasticsearch.WeirShard} in its writer's configuration. {@link
 * io.weir.elasticsearch.WeirAction} is what a user can request over REST; {@link
 * io.weir.elasticsearch.RestWeirAction} reads it, {@link io.weir.elasticsearch.TransportWeirAction}
 * sends it to all nodes. {@link io.weir.elasticsearch.RestMetrics} shows the meters of one node.
 */
package io.weir.elasticsearch;
