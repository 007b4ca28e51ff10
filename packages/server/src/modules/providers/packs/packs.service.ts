import type { Queryable, Tx } from '../../../db/database.ts'
import { RequestError } from '../../../lib/errors.ts'
import { isSame } from '../../../lib/input/same.ts'
import { refuseProblems } from '../connections/connections.rules.ts'
import type { ConnectionChange } from '../connections/connections.service.ts'
import { getConnection } from '../connections/connections.service.ts'
import type { Connection } from '../connections/connections.types.ts'
import { isObject } from '../language/reading.rules.ts'
import { getPack } from './library.service.ts'
import type { Difference } from './merge.rules.ts'
import { mergeConfigs } from './merge.rules.ts'
import { addressesIn } from './pack.rules.ts'
import type { PackRow } from './packs.sql.ts'
import { findPackRow, putPackRow } from './packs.sql.ts'
import { fillSettings, problemsOfSecrets, writeSettings } from './settings.rules.ts'
import type { Pack, Settings } from './types.ts'

/** Connection that a pack makes: its configuration, and what is remembered of the pack. */
export type Made = { readonly config: unknown; readonly pack: Omit<PackRow, 'provider'> }

export type Wanted = {
  readonly pack: string
  readonly settings: Settings
  readonly secrets?: unknown
  readonly products?: unknown
}

/**
 * Makes a configuration of a pack. Throws 400 with every mistake in the settings and every secret that is missing, 404
 * without such a pack.
 */
export async function makeConfig({ pack: id, settings, secrets, products }: Wanted): Promise<Made> {
  const pack = await getPack(id)
  const { problems } = fillSettings(pack.manifest.settings, settings)
  const given = isObject(secrets) ? secrets : {}
  refuseProblems([...problems, ...problemsOfSecrets(pack.manifest.secrets, given)])
  const made = write(pack, settings)
  return { ...made, config: withProducts(made.config, products) }
}

function write({ id, manifest, template }: Pack, given: Settings): Made {
  const { settings, problems } = fillSettings(manifest.settings, given)
  refuseProblems(problems)
  const config = writeSettings(template, manifest.settings, settings)
  return { config, pack: { pack: id, version: manifest.version, settings: given, made: config } }
}

/** Adds products to those of the pack; an amount's code goes beside those of other amounts. */
function withProducts(config: unknown, products: unknown): unknown {
  if (!isObject(config) || products === undefined) return config
  return {
    ...config,
    products:
      isObject(config.products) && isObject(products) ? { ...config.products, ...products } : products,
  }
}

export function rememberPack(tx: Tx, provider: string, pack: Made['pack']): Promise<void> {
  return putPackRow(tx, { provider, ...pack })
}

/** The pack that a connection was made of; undefined where it was made without one. */
export async function findPackOf(
  connection: Queryable,
  provider: string,
): Promise<Pick<PackRow, 'pack' | 'version' | 'settings'> | undefined> {
  const row = await findPackRow(connection, provider)
  return row && { pack: row.pack, version: row.version, settings: row.settings }
}

// ── Upgrades ──

export type Upgrade = {
  readonly provider: string
  readonly pack: string
  readonly from: number
  readonly to: number
  /** Sentence of the pack about its version. */
  readonly says: string
  readonly differences: readonly Difference[]
}

export type PlannedUpgrade = {
  readonly upgrade: Upgrade
  readonly change: ConnectionChange
  readonly made: Made['pack']
}

/** Compares a connection with the pack as this version of the service has it, with settings that replace earlier ones. */
export async function planUpgrade(
  connection: Queryable,
  provider: string,
  settings: Settings = {},
): Promise<PlannedUpgrade> {
  const present = await getConnection(connection, provider)
  const row = await findPackRow(connection, provider)
  if (row === undefined) throw notOfPack(provider)
  const pack = await getPack(row.pack)
  const made = write(pack, { ...row.settings, ...settings })
  const { config, differences } = mergeConfigs(present.config, row.made, made.config)
  const upgrade = {
    provider,
    pack: row.pack,
    from: row.version,
    to: pack.manifest.version,
    says: pack.manifest.upgrade,
    differences,
  }
  return { upgrade, made: made.pack, change: { config, isSameSupplier: isSameAddress(present, config) } }
}

/** The same account is asked as before where every address is: an upgrade changes no secret. */
function isSameAddress({ config: before }: Connection, after: unknown): boolean {
  return isSame(addressesIn(before), addressesIn(after))
}

function notOfPack(provider: string): RequestError {
  const publicText = `${provider} was not made of a pack: its configuration is changed by warungd provider update.`
  return new RequestError({ status: 409, code: 'conflict', publicText })
}

/** The pack that a connection was made of, with the settings that it was given. Answers 409 where there is none. */
export async function getPackOf(
  connection: Queryable,
  provider: string,
): Promise<{ readonly pack: Pack; readonly settings: Settings; readonly version: number }> {
  const row = await findPackRow(connection, provider)
  if (row === undefined) throw notOfPack(provider)
  return { pack: await getPack(row.pack), settings: row.settings, version: row.version }
}
