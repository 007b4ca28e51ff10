import { isDeepStrictEqual } from 'node:util'
import type { Database, Queryable, Tx } from '../../../db/database.ts'
import type { Vault } from '../../../db/vault.ts'
import { withFreshKeys } from '../../../db/vault.ts'
import { RequestError } from '../../../lib/errors.ts'
import { PROVIDER_CODE } from '../../../lib/input/codes.ts'
import { readFields } from '../../../lib/input/fields.ts'
import { noSuchName } from '../../../lib/input/nearest.ts'
import type { Amount } from '../../../lib/money.ts'
import { SIMULATOR_CODE } from '../simulator/service.ts'
import {
  checkConfig,
  checkSecrets,
  connectionLimits,
  mergeSecrets,
  PROVIDER_NAME,
  readLimits,
  refuseProblems,
} from './connections.rules.ts'
import type { ConnectionRow } from './connections.sql.ts'
import {
  announceVersion,
  CONNECTIONS_MAX,
  deleteConnection,
  deleteRoutes,
  findConnectionRow,
  hasTooManyConnections,
  insertConnection,
  listConnectionRows,
  readAgeMs,
  takeVersion,
  updateConnection,
} from './connections.sql.ts'
import type { ConfigProblem, Connection, ConnectorKind, Secrets } from './connections.types.ts'
import { refuseFallingToAny } from './routing.service.ts'

export type Connections = {
  readonly database: Database
  readonly vault: Vault
  readonly kinds: ReadonlyMap<string, ConnectorKind>
}

export type NewConnection = {
  readonly code: string
  readonly kind: string
  readonly name: string
  readonly config: unknown
  readonly secrets?: unknown
  readonly limits?: unknown
  readonly floatAlert?: Amount | null
  readonly isEnabled?: boolean
}

/** A field that is left out stays as it is; secrets are replaced by name. */
export type ConnectionChange = Partial<Omit<NewConnection, 'code' | 'kind'>> & {
  readonly forgottenSecrets?: readonly string[]
  /** Confirms that it is still the same account at the same supplier, however it is called from now on. */
  readonly isSameSupplier?: boolean
}

/** Counts payments and voids that only the provider can decide, and has not decided. */
export type CountUnfinished = (tx: Tx, provider: string) => Promise<number>

/** Checks everything and saves all of it or nothing. Throws 400 with the path of every mistake. */
export async function addConnection(settings: Connections, input: NewConnection): Promise<Connection> {
  const { code, name } = readFields({ code: PROVIDER_CODE, name: PROVIDER_NAME }, input)
  // Staging's provider of every product has this code, and so have recorded payments.
  if (code === SIMULATOR_CODE) throw taken(code)
  const secrets = readSecrets(input.secrets ?? {})
  refuseProblems(problemsOf(settings, input.kind, input.config, secrets, input.limits ?? {}))
  return settings.database.transaction(async (tx) => {
    const version = await takeVersion(tx)
    const isNew = await insertConnection(tx, {
      code,
      kind: input.kind,
      name,
      is_enabled: input.isEnabled ?? true,
      config: input.config,
      sealed_secrets: sealSecrets(settings.vault, code, secrets),
      secret_names: stamped(Object.keys(secrets)),
      limits: connectionLimits(readLimits(input.limits ?? {}).limits),
      float_alert: input.floatAlert ?? null,
      version,
      account_version: version,
    })
    if (!isNew) throw taken(code)
    if (await hasTooManyConnections(tx)) throw tooMany()
    await announceVersion(tx)
    return toConnection(await getRow(tx, code))
  })
}

function tooMany(): RequestError {
  return new RequestError({
    status: 409,
    code: 'limit_reached',
    publicText: `There are ${CONNECTIONS_MAX} providers. Remove some first.`,
  })
}

/**
 * Refuses another supplier or account under the same code while orders are unfinished. A new supplier does not know
 * the orders of the old one: its answer would prove that they were never executed.
 */
export async function changeConnection(
  settings: Connections & { readonly countUnfinished: CountUnfinished },
  code: string,
  change: ConnectionChange,
): Promise<Connection> {
  const name = change.name === undefined ? undefined : readFields({ name: PROVIDER_NAME }, change).name
  const given = readSecrets(change.secrets ?? {})
  return settings.database.transaction(async (tx) => {
    const version = await takeVersion(tx)
    const row = await getRow(tx, code)
    const forgotten = new Set(change.forgottenSecrets)
    const secretsBefore = await openSecrets(settings.vault, row)
    const secrets = without(mergeSecrets(secretsBefore, given), forgotten)
    const config = change.config ?? row.config
    const limits = change.limits ?? row.limits
    const problems = problemsOf(settings, row.kind, config, secrets, limits)
    // A supplier must be stopped, and its secrets changed, whatever was allowed when it was connected.
    const isConfigUnchanged = isDeepStrictEqual(config, row.config)
    refuseProblems(isConfigUnchanged ? problems.filter(({ isOutdated }) => isOutdated !== true) : problems)
    const isConnectionUnchanged = isConfigUnchanged && isDeepStrictEqual(secrets, { ...secretsBefore })
    if (!isConnectionUnchanged && change.isSameSupplier !== true) {
      refuseWhileUnfinished(code, await settings.countUnfinished(tx, code))
    }
    await updateConnection(tx, {
      ...row,
      name: name ?? row.name,
      is_enabled: change.isEnabled ?? row.is_enabled,
      config,
      sealed_secrets: sealSecrets(settings.vault, code, secrets),
      secret_names: without({ ...row.secret_names, ...stamped(Object.keys(given)) }, forgotten),
      limits: connectionLimits(readLimits(limits).limits),
      float_alert: change.floatAlert === undefined ? row.float_alert : change.floatAlert,
      version,
      account_version:
        isConnectionUnchanged || change.isSameSupplier === true ? row.account_version : version,
    })
    await announceVersion(tx)
    return toConnection(await getRow(tx, code))
  })
}

function refuseWhileUnfinished(code: string, unfinished: number): void {
  if (unfinished === 0) return
  throw conflict(
    `${code} has ${unfinished} unfinished payment(s) or void(s), about which another supplier or account would be asked. ` +
      'Connect that one under another code and lead the routes to it. Where it is the same account at the same ' +
      'supplier, as with a new password, say so with --same-supplier.',
  )
}

/** Enables or disables a provider. A disabled one takes no new orders; its present orders are still queried. */
export async function enableConnection(
  { database }: Pick<Connections, 'database'>,
  code: string,
  isEnabled: boolean,
): Promise<Connection> {
  return database.transaction(async (tx) => {
    const version = await takeVersion(tx)
    const row = await getRow(tx, code)
    if (row.is_enabled === isEnabled) return toConnection(row)
    await updateConnection(tx, { ...row, is_enabled: isEnabled, version })
    await announceVersion(tx)
    return toConnection(await getRow(tx, code))
  })
}

/** Time after which every node has heard of a change; until then a node may still send it an order. */
const HEARD_AFTER_MS = 10_000

/**
 * Removes a connection with its routes. It must have been disabled for a while and have no unfinished payment, because
 * it could not be queried any more.
 */
export async function removeConnection(
  settings: Pick<Connections, 'database'> & {
    countUnfinished: CountUnfinished
    heardAfterMs?: number
    /** Allows products that have no other route to be sold through `*` from now on. */
    isToAny?: boolean
  },
  code: string,
): Promise<void> {
  await settings.database.transaction(async (tx) => {
    await takeVersion(tx)
    const row = await getRow(tx, code)
    if (row.is_enabled) throw conflict(`${code} is enabled: disable it first.`)
    if ((await readAgeMs(tx, code)) < (settings.heardAfterMs ?? HEARD_AFTER_MS)) {
      throw conflict(
        `${code} was disabled a moment ago, and a node may still use it. Nothing was changed; try again soon.`,
      )
    }
    const unfinished = await settings.countUnfinished(tx, code)
    if (unfinished > 0)
      throw conflict(`${code} has ${unfinished} unfinished payment(s) or void(s), which name it.`)
    await refuseFallingToAny(tx, { provider: code, productCode: null, isToAny: settings.isToAny })
    await deleteRoutes(tx, code, null)
    await deleteConnection(tx, code)
    await announceVersion(tx)
  })
}

/** Connections of a group, and the vault that opens its secrets. */
export type ConnectionsSide = { readonly connection: Queryable; readonly vault: Vault }

/**
 * Seals the secrets of another group's connections for this one. A secret that is here already stays as it is sealed.
 */
export async function resealSecrets(
  from: ConnectionsSide,
  to: ConnectionsSide,
): Promise<Record<string, string | null>> {
  const present = new Map((await listConnectionRows(to.connection)).map((row) => [row.code, row]))
  const sealed: Record<string, string | null> = {}
  for (const row of await listConnectionRows(from.connection)) {
    const secrets = await openSecrets(from.vault, row)
    const own = present.get(row.code)
    const isSame = own !== undefined && isDeepStrictEqual(await openSecrets(to.vault, own), secrets)
    const bytes = isSame ? own.sealed_secrets : sealSecrets(to.vault, row.code, secrets)
    sealed[row.code] = bytes === null ? null : `\\x${bytes.toString('hex')}`
  }
  return sealed
}

/** Lists the connections that would lead to another account than this group's connections of the same code. */
export async function listOtherAccounts(from: Queryable, to: Queryable): Promise<string[]> {
  const present = new Map((await listConnectionRows(to)).map((row) => [row.code, row.account_version]))
  return (await listConnectionRows(from))
    .filter((row) => (present.get(row.code) ?? row.account_version) !== row.account_version)
    .map(({ code }) => code)
}

/** Takes the next version for connections that are written by `write`, and tells the nodes. */
export async function asNextVersion(tx: Tx, write: () => Promise<void>): Promise<void> {
  await takeVersion(tx)
  await write()
  await announceVersion(tx)
}

export async function getConnection(connection: Queryable, code: string): Promise<Connection> {
  return toConnection(await getRow(connection, code))
}

export async function listConnections(database: Queryable): Promise<Connection[]> {
  return (await listConnectionRows(database)).map(toConnection)
}

// ── Checks ──

function problemsOf(
  { kinds }: Connections,
  kind: string,
  config: unknown,
  secrets: Secrets,
  limits: unknown,
): readonly ConfigProblem[] {
  const connector = kinds.get(kind)
  if (connector === undefined) {
    const known = [...kinds.keys()].join(', ')
    return [{ path: 'kind', message: `must be one of ${known}` }]
  }
  const general = checkConfig(config)
  return [
    ...general,
    ...(general.length > 0 ? [] : connector.check(config, secrets)),
    ...readLimits(limits).problems,
  ]
}

function readSecrets(secrets: unknown): Secrets {
  refuseProblems(checkSecrets(secrets))
  return secrets as Secrets
}

// ── Secrets ──

function sealSecrets(vault: Vault, code: string, secrets: Secrets): Buffer | null {
  if (Object.keys(secrets).length === 0) return null
  return vault.seal(contextOf(code), Buffer.from(JSON.stringify(secrets), 'utf8'))
}

/** Opens secrets, also those sealed with a data key that another process made since. */
export async function openSecrets(
  vault: Vault,
  { code, sealed_secrets: sealed }: Pick<ConnectionRow, 'code' | 'sealed_secrets'>,
): Promise<Secrets> {
  if (sealed === null) return {}
  return withFreshKeys(
    vault,
    () => JSON.parse(vault.open(contextOf(code), sealed).toString('utf8')) as Secrets,
  )
}

function contextOf(code: string): string {
  return `provider_secrets:${code}`
}

function stamped(names: readonly string[]): Record<string, string> {
  const now = new Date().toISOString()
  return Object.fromEntries(names.map((name) => [name, now]))
}

function without<T>(record: Readonly<Record<string, T>>, names: ReadonlySet<string>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.has(name)))
}

// ── Rows ──

async function getRow(connection: Queryable, code: string): Promise<ConnectionRow> {
  const row = await findConnectionRow(connection, code)
  if (row !== undefined) return row
  const codes = (await listConnectionRows(connection)).map((each) => each.code)
  throw new RequestError({ status: 404, code: 'not_found', publicText: noSuchName('provider', code, codes) })
}

function toConnection(row: ConnectionRow): Connection {
  return {
    code: row.code,
    kind: row.kind,
    name: row.name,
    isEnabled: row.is_enabled,
    config: row.config,
    secretNames: Object.fromEntries(
      Object.entries(row.secret_names).map(([name, at]) => [name, new Date(at)]),
    ),
    limits: readLimits(row.limits).limits,
    floatAlert: row.float_alert,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

function taken(code: string): RequestError {
  return conflict(`The code ${code} is taken.`)
}

function conflict(publicText: string): RequestError {
  return new RequestError({ status: 409, code: 'conflict', publicText })
}
