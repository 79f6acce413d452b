/**
 * One small class for each way to break the rings: {@link io.weir.architecture.RingsTest} must
 * catch every one. The packages below stand for those of the same name in {@code io.weir}.
 */
package io.weir.architecture.violations;
