/**
 * The OpenSearch plug-in: indexes with the store type {@code weir} have Weir below and around them.
 * An artifact of its own, made for one version of OpenSearch; nothing else uses this package. It is
 * the engine's side of {@link io.weir.engine}.
 *
 * <p>{@link io.weir.opensearch.WeirPlugin} connects the parts: {@link
 * io.weir.opensearch.WeirSettings} names all settings, {@link io.weir.opensearch.WeirStore} opens
 * the directories of shards, and {@link io.weir.opensearch.WeirEngine} runs each with an {@link
 * io.weir.engine.EngineShard} around its writer. {@link io.weir.opensearch.TransportWeirAction}
 * reads the requests of users and sends them to all nodes. {@link io.weir.opensearch.WeirTelemetry}
 * gives the meters to OpenSearch's own telemetry.
 */
package io.weir.opensearch;
