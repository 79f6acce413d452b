/**
 * Why refreshes are slow in a JVM that has nothing of Weir in it.
 *
 * <p>{@link io.weir.why.Watch} looks at the process for a while: {@link io.weir.why.AttachedJvm}
 * gives its stacks, {@link io.weir.why.StackWatch} names what they do by the rules of the library,
 * {@link io.weir.why.KernelWatch} reads the kernel. What they saw is one {@link
 * io.weir.why.Observation}: facts with values. {@link io.weir.why.Rules} are data that turn facts
 * into an {@link io.weir.why.Answer}; {@link io.weir.why.WhyReport} says it as text, JSON and HTML.
 */
package io.weir.why;
