import { isSame } from '../../../lib/input/same.ts'
import type { ConfigProblem } from '../connections/connections.types.ts'
import type { HttpConfig } from '../http/config.rules.ts'
import { parseHttpConfig } from '../http/config.rules.ts'
import { isObject } from '../language/reading.rules.ts'
import { manifest as readManifest } from './manifest.rules.ts'
import { fillSettings, settingsIn, writeSettings } from './settings.rules.ts'
import type { Claim, Manifest, Pack, PackReading, Settings } from './types.ts'

/** Reads a pack and finds every mistake in it at once, by file and place. */
export function readPack(id: string, given: { manifest: unknown; connection: unknown }): PackReading {
  const problems: ConfigProblem[] = []
  const manifest = readManifest(given.manifest, { path: 'pack.json', problems, secretNames: new Set() })
  if (problems.length > 0) return { ok: false, problems }
  const template = given.connection
  const found = [...problemsOfSettings(manifest, template), ...problemsOfConfig(manifest, template)]
  return found.length > 0 ? { ok: false, problems: found } : { ok: true, pack: { id, manifest, template } }
}

/** Values that make a configuration whole: those given, else the usual ones, else the examples. */
export function exampleSettings({ settings }: Manifest, given: Settings = {}): Settings {
  const examples = Object.entries(settings).map(([name, { usual, example }]) => [
    name,
    usual ?? example ?? '',
  ])
  return { ...Object.fromEntries(examples), ...given }
}

/** Settings that lead to a server of the answer book: every other address keeps its path there. */
export function settingsAt(manifest: Manifest, origin: string): Settings {
  const given = Object.entries(exampleSettings(manifest)).map(([name, value]) => {
    if (name === 'base_url') return [name, origin]
    return [name, name.endsWith('_url') ? `${origin}${new URL(value).pathname}` : value]
  })
  return Object.fromEntries(given)
}

/** Every address in a configuration. */
export function addressesIn(config: unknown): readonly unknown[] {
  if (!isObject(config)) return []
  return [config.base_url, isObject(config.auth) ? config.auth.token_url : undefined]
}

/** Tells whether a connection leads to the supplier's test address, which is another than that of real orders. */
export function isAtTestAddress({ manifest, template }: Pack, settings: Settings, config: unknown): boolean {
  const { testMode } = manifest
  const at = (given: Settings) => addressesIn(writeSettings(template, manifest.settings, given))
  const usual = exampleSettings(manifest)
  const test = at({ ...usual, ...settings, ...testMode.settings })
  const live = at({ ...usual, ...settings, ...pick(usual, Object.keys(testMode.settings)) })
  return isSame(addressesIn(config), test) && !isSame(test, live)
}

function pick(settings: Settings, names: readonly string[]): Settings {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => names.includes(name)))
}

function problemsOfSettings({ settings, testMode }: Manifest, template: unknown): ConfigProblem[] {
  const used = settingsIn(template)
  const unknown = [...used].filter((name) => !Object.hasOwn(settings, name))
  const unused = Object.keys(settings).filter((name) => !used.has(name))
  const examples = exampleSettings({ settings } as Manifest)
  return [
    ...unknown.map((name) => ({
      path: 'connection.json',
      message: `\${${name}} is no setting of pack.json`,
    })),
    ...unused.map((name) => ({
      path: `pack.json.settings.${name}`,
      message: 'stands nowhere in connection.json',
    })),
    ...fillSettings(settings, examples).problems,
    ...fillSettings(settings, { ...examples, ...testMode.settings }).problems,
  ]
}

function problemsOfConfig(manifest: Manifest, template: unknown): ConfigProblem[] {
  const config = writeSettings(template, manifest.settings, exampleSettings(manifest))
  const reading = parseHttpConfig(config, Object.keys(manifest.secrets))
  const problems = reading.ok ? reading.outdated : reading.problems
  const unused = Object.keys(manifest.secrets).filter((name) => !namesSecret(template, name))
  return [
    ...problems.map(({ path, message }) => ({ path: `connection.json.${path}`, message })),
    ...unused.map((name) => ({ path: `pack.json.secrets.${name}`, message: 'is used nowhere' })),
    ...(reading.ok ? problemsOfClaims(manifest, reading.config) : []),
  ]
}

function namesSecret(value: unknown, name: string): boolean {
  if (Array.isArray(value)) return value.some((item) => namesSecret(item, name))
  if (!isObject(value)) return false
  return value.secret === name || Object.values(value).some((member) => namesSecret(member, name))
}

/** A fact that is not known decides nothing: the connection never repeats an order on it, and takes no answer as a proof. */
function problemsOfClaims({ claims }: Manifest, config: HttpConfig): ConfigProblem[] {
  const problems: ConfigProblem[] = []
  const complain = (path: string, message: string) =>
    problems.push({ path: `connection.json.${path}`, message })
  if (!isTrue(claims.repeated_reference_acts_once) && config.repeatsReference) {
    complain('repeats_reference', 'must be false: it is not known that a repeated reference acts once')
  }
  if (!isTrue(claims.not_found_proves) && config.notFoundProvesAfterMs !== null) {
    complain(
      'not_found_proves_after_ms',
      'must be left out: it is not known that "not found" proves anything',
    )
  }
  return problems
}

function isTrue({ state, value }: Claim): boolean {
  return state === 'documented' && value === true
}
