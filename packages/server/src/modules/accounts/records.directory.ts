import type { Environment } from '../../config.ts'
import type { Queryable } from '../../db/database.ts'
import { inSnapshot } from '../../db/snapshots.ts'
import type { Vault } from '../../db/vault.ts'
import { UnknownDataKeyError } from '../../db/vault.ts'
import { isInNetworks, parseNetwork } from '../../lib/addresses.ts'
import type { HmacKey } from '../../lib/secrets/hmac.ts'
import { createHmacKey } from '../../lib/secrets/hmac.ts'
import type { KeyRow, NetworkRow, ResellerRow, UserRow } from './directory.sql.ts'
import { listActiveUsers, listLiveKeys, listNetworks } from './directory.sql.ts'
import { keyPrefix, secretContext } from './rules.ts'
import type { DirectoryKey, DirectoryReseller, DirectoryUser, KeyCaps } from './types.ts'

/** A key and the time at which it ends by itself, on the database's clock; Infinity when it does not. */
export type KeyEntry = { readonly key: DirectoryKey; readonly endsAtMs: number }

/** Everything the directory holds about one reseller, ready to be looked up. */
export type DirectoryRecord = {
  readonly reseller: DirectoryReseller
  readonly keys: readonly KeyEntry[]
  readonly users: ReadonlyMap<bigint, DirectoryUser>
  /** Keys whose secret could not be opened. They are left out and tried again later. */
  readonly brokenKeys: readonly string[]
}

export type RecordContext = {
  readonly vault: Vault
  readonly environment: Environment
  readonly onBroken: (key: string, whose: string, error: unknown) => void
}

type Snapshot = {
  readonly resellers: readonly ResellerRow[]
  readonly keys: readonly KeyRow[]
  readonly users: readonly UserRow[]
  readonly networks: readonly NetworkRow[]
}

/** Reads the resellers that `list` returns, with their keys, users and networks, in one snapshot. */
export function readSnapshot(
  connection: Queryable,
  list: (connection: Queryable) => Promise<ResellerRow[]>,
): Promise<Snapshot> {
  return inSnapshot(connection, async () => {
    const resellers = await list(connection)
    const ids = resellers.map((row) => row.id)
    return {
      resellers,
      keys: await listLiveKeys(connection, ids),
      users: await listActiveUsers(connection, ids),
      networks: await listNetworks(connection, ids),
    }
  })
}

export async function buildRecords(context: RecordContext, snapshot: Snapshot): Promise<DirectoryRecord[]> {
  const keys = byReseller(snapshot.keys)
  const users = byReseller(snapshot.users)
  const networks = byReseller(snapshot.networks)
  const opener = secretOpener(context.vault)
  const records: DirectoryRecord[] = []
  for (const row of snapshot.resellers) {
    const reseller = resellerOf(row, networks.get(row.id) ?? [])
    // The demo's credentials are in a file, so production knows the reseller but accepts none of its keys and users.
    const shut = row.demo && context.environment === 'production'
    records.push({
      reseller,
      users: shut ? new Map() : usersOf(reseller, users.get(row.id) ?? []),
      ...(await keysOf(context, opener, reseller, shut ? [] : (keys.get(row.id) ?? []))),
    })
  }
  return records
}

function byReseller<R extends { reseller_id: bigint }>(rows: readonly R[]): Map<bigint, R[]> {
  const groups = new Map<bigint, R[]>()
  for (const row of rows) {
    const group = groups.get(row.reseller_id)
    if (group === undefined) groups.set(row.reseller_id, [row])
    else group.push(row)
  }
  return groups
}

function resellerOf(row: ResellerRow, networks: readonly NetworkRow[]): DirectoryReseller {
  return {
    id: row.id,
    account: row.account,
    name: row.name,
    priceLevel: row.price_level,
    access: row.access,
    status: row.status,
    topupRequiresApiKey: row.topup_requires_api_key,
    duplicateWindowSeconds: row.duplicate_window_seconds,
    allowsAddress: addressCheck(networks.map((each) => each.network)),
  }
}

/** Allows every address when there is no allowlist. An entry that cannot be read allows no address. */
function addressCheck(entries: readonly string[]): (address: string) => boolean {
  if (entries.length === 0) return ANY_ADDRESS
  const networks = entries.map(parseNetwork).filter((entry) => entry !== undefined)
  return (address) => isInNetworks(address, networks)
}

const ANY_ADDRESS = () => true

function usersOf(reseller: DirectoryReseller, rows: readonly UserRow[]): Map<bigint, DirectoryUser> {
  return new Map(
    rows.map((row) => [
      row.id,
      { id: row.id, role: row.role, passwordChangedAt: row.password_changed_at, reseller },
    ]),
  )
}

async function keysOf(
  context: RecordContext,
  open: SecretOpener,
  reseller: DirectoryReseller,
  rows: readonly KeyRow[],
): Promise<Pick<DirectoryRecord, 'keys' | 'brokenKeys'>> {
  const prefix = keyPrefix(context.environment)
  const keys: KeyEntry[] = []
  const brokenKeys: string[] = []
  for (const row of rows) {
    if (!row.key.startsWith(prefix)) continue
    try {
      const secret = await open(row)
      keys.push({
        key: keyOf(row, secret, reseller),
        endsAtMs: row.expires_at_ms ?? Number.POSITIVE_INFINITY,
      })
    } catch (error) {
      brokenKeys.push(row.key)
      context.onBroken(row.key, `API key ${row.id} of account ${reseller.account}`, error)
    }
  }
  return { keys, brokenKeys }
}

function keyOf(row: KeyRow, secret: HmacKey | null, reseller: DirectoryReseller): DirectoryKey {
  return {
    id: row.id,
    key: row.key,
    purposeId: row.purpose_id,
    scopes: new Set(row.scopes),
    products: row.products === null ? undefined : new Set(row.products),
    caps: capsOf(row),
    allowsAddress: addressCheck(row.networks ?? []),
    secret,
    reseller,
  }
}

function capsOf(row: KeyRow): KeyCaps | undefined {
  const { purpose_id: purposeId, max_amount: maxAmount, daily_cap: dailyCap, monthly_cap: monthlyCap } = row
  if (maxAmount === null && dailyCap === null && monthlyCap === null) return undefined
  return { purposeId, maxAmount, dailyCap, monthlyCap }
}

type SecretOpener = (row: KeyRow) => Promise<HmacKey | null>

/** Refreshes the vault's data keys at most once per batch: a thousand secrets under one new key need one refresh. */
function secretOpener(vault: Vault): SecretOpener {
  let refreshed: Promise<void> | undefined
  return async (row) => {
    if (row.sealed_secret === null) return null
    const context = secretContext(row.key)
    try {
      return createHmacKey(vault.open(context, row.sealed_secret))
    } catch (error) {
      if (!(error instanceof UnknownDataKeyError)) throw error
      refreshed ??= vault.refresh()
      await refreshed
      return createHmacKey(vault.open(context, row.sealed_secret))
    }
  }
}
