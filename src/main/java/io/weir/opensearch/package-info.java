/**
 * The OpenSearch plug-in: indexes with the store type {@code weir} have Weir below and around them.
 * An artifact of its own, made for one version of OpenSearch; nothing else uses this package.
 *
 * <p>{@link io.weir.opensearch.WeirPlugin} connects the parts: {@link
 * io.weir.opensearch.WeirSettings} names all settings, {@link io.weir.opensearch.WeirNode} has what
 * the shards of a node share, {@link io.weir.opensearch.WeirStore} opens their directories, and
 * {@link io.weir.opensearch.WeirEngine} runs each with a {@link io.weir.opensearch.WeirShard}
 * around its writer. {@link io.weir.opensearch.WeirAction} is what a user can request over REST;
 * {@link io.weir.opensearch.RestWeirAction} reads it, {@link
 * io.weir.opensearch.TransportWeirAction} sends it to all nodes.
 */
package io.weir.opensearch;
