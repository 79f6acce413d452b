/**
 * What an arm can be told to do. {@link io.weir.stress.setting.ArmSettings} holds the settings of
 * one arm.
 */
package io.weir.stress.setting;
