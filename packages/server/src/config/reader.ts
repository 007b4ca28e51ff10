import { readText } from '../lib/input/fields.ts'
import type { SettingName, SettingValue } from './settings.ts'
import { SETTINGS } from './settings.ts'

export type Env = Readonly<Record<string, string | undefined>>

/** Name of a setting, and the problem with its value. */
export type SettingProblem = readonly [name: string, text: string]

/** Reads one setting by its declaration. It records a problem, and returns the default, when the value is wrong. */
export type ReadSetting = <N extends SettingName>(name: N) => SettingValue<N>

export function readerOf(env: Env, problems: SettingProblem[]): ReadSetting {
  return <N extends SettingName>(name: N) => {
    const { rule, usual } = SETTINGS[name]
    const text = env[name]
    const value = present(text) ? readText<unknown>(rule, text) : usual
    if (value === undefined && present(text)) problems.push([name, rule.messageAbout?.(text) ?? rule.message])
    return (value ?? usual) as SettingValue<N>
  }
}

/** Tells whether a setting is given. A blank one counts as left out. */
export function present(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== ''
}
