/**
 * The JVMs that a run starts, and the one protocol that it speaks with them: a task, lines of
 * progress, messages and commands, an answer.
 *
 * <p>Start with {@link io.weir.jvm.WorkerJvm}, which is such a JVM as the run sees it; {@link
 * io.weir.jvm.Worker} is the same one from inside.
 */
package io.weir.jvm;
