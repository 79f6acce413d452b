/**
 * The settings of an arm. {@link io.weir.stress.setting.ArmSetting} is the table: one entry a
 * setting, with its key, how its values are written, its default and its help; {@link
 * io.weir.stress.setting.ArmRule} is what settings require of each other. {@link
 * io.weir.stress.setting.ArmSettings} holds the values of one arm.
 *
 * <p>To add a setting, write its entry, and read it where it acts. The command line, its help, the
 * files of a run and the task of a worker take it from the table.
 */
package io.weir.stress.setting;
