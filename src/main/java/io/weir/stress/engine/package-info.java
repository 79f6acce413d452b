/**
 * The stress run on a search engine. {@link io.weir.stress.engine.EngineArm} is one arm, {@link
 * io.weir.stress.engine.EngineBuild} makes the index that arms start from, and both get at it by an
 * {@link io.weir.stress.engine.EngineAccess}: a server that they start ({@link
 * io.weir.stress.engine.EngineServer}), or a cluster that runs. The run is that of {@code
 * stress.arm}, over a target of its own: each operation is a call of the engine's public interface.
 *
 * <p>Engines differ behind two interfaces: {@link io.weir.stress.engine.SearchEngine}, how a server
 * is put together and started, and {@code EngineIndex}, the calls. What begins with {@code Rest} is
 * for OpenSearch and Elasticsearch, what begins with {@code Solr} for Solr; the rest knows neither.
 */
package io.weir.stress.engine;
