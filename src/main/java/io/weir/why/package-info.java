/**
 * Why refreshes are slow in a JVM or a cluster that has nothing of Weir in it.
 *
 * <p>{@link io.weir.why.Watch} looks at a {@link io.weir.why.Source} for a while. A JVM on this
 * machine is a {@link io.weir.why.JvmSource}: {@link io.weir.why.AttachedJvm} gives its stacks,
 * {@link io.weir.why.KernelWatch} reads the kernel. A {@link io.weir.why.ClusterSource} asks the
 * nodes of an engine by its {@link io.weir.why.ClusterApi}, and {@link io.weir.why.NodeWatch} holds
 * what one of them says. {@link io.weir.why.StackWatch} names what stacks do by the rules of the
 * library.
 *
 * <p>What they saw is one {@link io.weir.why.Observation}: facts with values. {@link
 * io.weir.why.Rules} are data that turn facts into an {@link io.weir.why.Answer}; {@link
 * io.weir.why.WhyReport} says it as text, JSON and HTML.
 */
package io.weir.why;
