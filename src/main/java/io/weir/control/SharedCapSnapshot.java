package io.weir.control;

import io.weir.rate.Rate;

/**
 * What a {@link SharedCap} gives this process now.
 *
 * @param cap for all processes together: the lowest that one of them was given
 * @param share the rate of this process
 * @param processes how many share, this one included
 */
public record SharedCapSnapshot(Rate cap, Rate share, int processes) {}
