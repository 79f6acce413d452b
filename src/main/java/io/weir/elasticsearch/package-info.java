/**
 * The Elasticsearch plug-in: indexes with {@code index.weir.enabled: true} have Weir below and
 * around them. An artifact of its own, made for one version of Elasticsearch; nothing else uses
 * this package. It is the engine's side of {@link io.weir.engine}.
 *
 * <p>{@link io.weir.elasticsearch.WeirPlugin} connects the parts: {@link
 * io.weir.elasticsearch.WeirSettings} names all settings, and {@link
 * io.weir.elasticsearch.WeirEngine} runs each shard with an {@link io.weir.engine.EngineShard} in
 * its writer's configuration. {@link io.weir.elasticsearch.TransportWeirAction} reads the requests
 * of users and sends them to all nodes. {@link io.weir.elasticsearch.TransportMetricsAction} shows
 * the meters of one node.
 */
package io.weir.elasticsearch;
