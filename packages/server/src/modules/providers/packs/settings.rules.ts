import type { ConfigProblem } from '../connections/connections.types.ts'
import { isObject } from '../language/reading.rules.ts'
import type { PackSecret, Setting, Settings } from './types.ts'

// Settings of a pack: `${name}` in the texts of its configuration.

const PLACE = /\$\{([^{}]*)\}/g
const WHOLE_PLACE = /^\$\{([^{}]*)\}$/
const VALUE_MAX = 500
/** Control characters, and everything that a template or another setting would be written with. */
const UNUSABLE = /[\p{Cc}\p{Cf}]|\$\{|\{\{|\}\}/u
const NUMBER = /^-?\d{1,15}(\.\d{1,6})?$/

type Declared = Readonly<Record<string, Setting>>

/** Returns the value of every setting: the given one, or the usual one; and what is wrong with those given. */
export function fillSettings(
  declared: Declared,
  given: Settings,
): { readonly settings: Settings; readonly problems: readonly ConfigProblem[] } {
  const unknown = Object.keys(given)
    .filter((name) => !Object.hasOwn(declared, name))
    .map((name) => {
      const known = Object.keys(declared).join(', ')
      return { path: `settings.${name.slice(0, 50)}`, message: `is not known; there are ${known}` }
    })
  const filled = Object.entries(declared).map(([name, setting]) => {
    const value = Object.hasOwn(given, name) ? given[name] : (setting.usual ?? undefined)
    return { name, value: value ?? '', message: messageAbout(setting, value) }
  })
  return {
    settings: Object.fromEntries(filled.map(({ name, value }) => [name, value])),
    problems: [
      ...unknown,
      ...filled.flatMap(({ name, message }) =>
        message === undefined ? [] : [{ path: `settings.${name}`, message }],
      ),
    ],
  }
}

function messageAbout({ type, label, help }: Setting, value: string | undefined): string | undefined {
  if (value === undefined || value === '') return mustBeGiven({ label, help })
  if (value.length > VALUE_MAX) return `must have at most ${VALUE_MAX} characters`
  if (UNUSABLE.test(value)) return 'must be plain text without {{, }} and ${'
  if (type === 'boolean' && value !== 'true' && value !== 'false') return 'must be true or false'
  if (type === 'number' && !NUMBER.test(value)) return 'must be a number'
  return undefined
}

function mustBeGiven({ label, help }: PackSecret): string {
  return `must be given: ${label}. ${help}`
}

/** Returns which secrets are missing or unknown, by their names alone. */
export function problemsOfSecrets(
  declared: Readonly<Record<string, PackSecret>>,
  given: Readonly<Record<string, unknown>>,
): ConfigProblem[] {
  const known = Object.keys(declared).join(', ')
  const missing = Object.entries(declared).filter(([name]) => !Object.hasOwn(given, name))
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(declared, name))
  return [
    ...missing.map(([name, secret]) => ({ path: `secrets.${name}`, message: mustBeGiven(secret) })),
    ...unknown.map((name) => ({
      path: `secrets.${name.slice(0, 50)}`,
      message: `is not known; there are ${known}`,
    })),
  ]
}

/**
 * Writes the settings into every text of the configuration. A text that is one setting of another type than text
 * becomes that value. `settings` has a value for every declared one.
 */
export function writeSettings(template: unknown, declared: Declared, settings: Settings): unknown {
  if (typeof template === 'string') return writeText(template, declared, settings)
  if (Array.isArray(template)) return template.map((item) => writeSettings(item, declared, settings))
  if (!isObject(template)) return template
  return Object.fromEntries(
    Object.entries(template).map(([name, member]) => [name, writeSettings(member, declared, settings)]),
  )
}

function writeText(text: string, declared: Declared, settings: Settings): unknown {
  const whole = WHOLE_PLACE.exec(text)?.[1]
  const type = whole === undefined || !Object.hasOwn(declared, whole) ? 'text' : declared[whole]?.type
  if (whole !== undefined && type === 'boolean') return settings[whole] === 'true'
  if (whole !== undefined && type === 'number') return Number(settings[whole])
  return text.replace(PLACE, (place, name: string) =>
    Object.hasOwn(settings, name) ? (settings[name] ?? '') : place,
  )
}

/** Lists the names of settings in a configuration, and the places that name none. */
export function settingsIn(template: unknown): ReadonlySet<string> {
  const names = new Set<string>()
  visit(template, (text) => {
    for (const [, name = ''] of text.matchAll(PLACE)) names.add(name)
  })
  return names
}

function visit(value: unknown, see: (text: string) => void): void {
  if (typeof value === 'string') see(value)
  else if (Array.isArray(value)) for (const item of value) visit(item, see)
  else if (isObject(value)) for (const member of Object.values(value)) visit(member, see)
}
