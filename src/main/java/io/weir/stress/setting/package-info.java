/**
 * The settings of an arm. {@link io.weir.stress.setting.ArmSetting} is the table: one entry a
 * setting, with its key, how its values are written, for which {@link
 * io.weir.stress.setting.ArmKind} it means something, its default and its help; {@link
 * io.weir.stress.setting.ArmRule} is what settings require of each other. {@link
 * io.weir.stress.setting.ArmSettings} holds the values of one arm.
 *
 * <p>To add a setting, write its entry, and read it where it acts. The command line, its help, the
 * files of a run, the task of a worker and the refusals of other kinds take it from the table.
 */
package io.weir.stress.setting;
