/**
 * The stress run on a search engine. {@link io.weir.stress.engine.EngineArmRun} is one arm, {@link
 * io.weir.stress.engine.EngineBuild} makes the index that arms start from, and both get at it by an
 * {@link io.weir.stress.engine.EngineAccess}: a server that they start ({@link
 * io.weir.stress.engine.EngineServer}), or a cluster that runs. The load, the phases and the
 * records are those of {@code stress.arm}; only what an operation does is different, a call of the
 * engine's REST interface.
 */
package io.weir.stress.engine;
