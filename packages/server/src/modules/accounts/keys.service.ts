import { randomBytes } from 'node:crypto'
import type { Queryable, Tx } from '../../db/database.ts'
import { invalidFields } from '../../lib/errors.ts'
import { LIST_MAX, readFields } from '../../lib/input/fields.ts'
import {
  countLiveApiKeys,
  deleteNetworks,
  endApiKey,
  findApiKeyById,
  findApiKeyByKey,
  insertApiKey,
  listApiKeyRows,
  listNetworkRows,
  putNetwork,
  readGroupOfKeys,
  revokeKeysMadeBy,
  updateKey,
} from './keys.sql.ts'
import {
  conflict,
  generateKey,
  LIVE_KEYS_MAX,
  limitReached,
  listOutside,
  NETWORKS_MAX,
  NEW_KEY_RULES,
  normalizeNetwork,
  notFound,
  ROTATION_RULES,
  readLabel,
  readNetworks,
  refuseRotation,
  secretContext,
} from './rules.ts'
import type { Accounts } from './service.ts'
import { changeReseller } from './service.ts'
import type { AllowedNetwork, ApiKey, KeyPurpose, NewApiKey } from './types.ts'
import { SCOPES } from './types.ts'

const SECRET_BYTES = 32

// ── API keys ──

/** Bounds of a key as they are given: what is left out stays as it is, or is none. null takes a bound away. */
export type GivenPurpose = {
  readonly [Name in Exclude<keyof KeyPurpose, 'endsAt' | 'networks'>]?: KeyPurpose[Name] | undefined
} & {
  readonly expiresAt?: KeyPurpose['endsAt'] | undefined
  readonly ipAllowlist?: KeyPurpose['networks'] | undefined
}

/** A key has every scope where none is given. */
export type NewKey = GivenPurpose & {
  label?: string | undefined
  /** Makes a key that cannot sign: requests with it are answered `hmac_not_configured`. */
  withoutSecret?: boolean | undefined
  /** User of the reseller who makes it; left out: the machine. */
  createdBy?: bigint | null | undefined
}

/** Creates a key. The signing secret is shown once, in this answer, and nowhere else. */
export async function createApiKey(
  accounts: Accounts,
  resellerId: bigint,
  { label = '', scopes = SCOPES, withoutSecret = false, createdBy = null, ...given }: NewKey = {},
): Promise<NewApiKey> {
  const values = readFields(NEW_KEY_RULES, { label, scopes, withoutSecret })
  const purpose = withGiven({ ...NO_BOUNDS, scopes: values.scopes }, given)
  return changeReseller(accounts, resellerId, async (tx) => {
    await refuseForeignNetworks(tx, resellerId, purpose)
    const key = await addKey(tx, accounts, {
      ...purpose,
      label: values.label,
      withoutSecret: values.withoutSecret,
      resellerId,
      purposeId: null,
      replaces: null,
      createdBy,
    })
    refusePastEnd(key)
    await refuseTooManyKeys(tx, resellerId)
    return key
  })
}

const NO_BOUNDS = {
  products: null,
  maxAmount: null,
  dailyCap: null,
  monthlyCap: null,
  endsAt: null,
  networks: null,
  note: '',
} as const

/** Returns the bounds with those that are given in the place of what they were. */
export function withGiven<P extends KeyPurpose>(
  purpose: P,
  { expiresAt: endsAt, ipAllowlist: networks, ...others }: GivenPurpose,
): P {
  const given = Object.entries({ ...others, endsAt, networks }).filter(([, value]) => value !== undefined)
  return { ...purpose, ...Object.fromEntries(given) }
}

/** Changes the name and the bounds of a key. A revoked one cannot be changed; one that has expired can live again. */
export async function changeApiKey(
  accounts: Accounts,
  resellerId: bigint,
  keyId: bigint,
  { label, ...given }: GivenPurpose & { readonly label?: string | undefined },
): Promise<ApiKey> {
  return changeReseller(accounts, resellerId, async (tx) => {
    const before = await getApiKeyById(tx, resellerId, keyId)
    if (before.state === 'revoked') throw conflict('key_not_active', 'This API key was revoked.')
    const wanted = withGiven(before, given)
    if (wanted.networks !== before.networks) await refuseForeignNetworks(tx, resellerId, wanted)
    await updateKey(tx, { ...wanted, label: label === undefined ? before.label : readLabel(label) })
    const after = await getApiKeyById(tx, resellerId, keyId)
    if (given.expiresAt !== undefined) refusePastEnd(after)
    await refuseTooManyKeys(tx, resellerId)
    return after
  })
}

function refusePastEnd({ state }: ApiKey): void {
  if (state === 'expired') throw invalidFields({ expires_at: ['must be in the future'] })
}

async function refuseForeignNetworks(tx: Tx, resellerId: bigint, { networks }: KeyPurpose): Promise<void> {
  if (networks === null) return
  const own = (await listNetworkRows(tx, resellerId, NETWORKS_MAX)).map(({ network }) => network)
  const outside = own.length === 0 ? [] : listOutside(networks, own)
  if (outside.length === 0) return
  throw invalidFields({ ip_allowlist: [`${outside.join(', ')}: not on the account's own allowlist`] })
}

/** Replaces a key by a new key and secret, at once or after a grace period in which both work. */
export async function rotateApiKey(
  accounts: Accounts,
  resellerId: bigint,
  keyId: bigint,
  input: { graceSeconds: number; createdBy?: bigint | undefined },
): Promise<NewApiKey> {
  const { graceSeconds } = readFields(ROTATION_RULES, input)
  return changeReseller(accounts, resellerId, async (tx) => {
    const old = await getApiKeyById(tx, resellerId, keyId)
    refuseRotation(old.state)
    await endApiKey(tx, resellerId, keyId, graceSeconds)
    const key = await addKey(tx, accounts, {
      ...old,
      withoutSecret: false,
      replaces: keyId,
      createdBy: input.createdBy ?? null,
    })
    await refuseTooManyKeys(tx, resellerId)
    return key
  })
}

/** Revokes a key at once. Revoking it again changes nothing. */
export async function revokeApiKey(accounts: Accounts, resellerId: bigint, keyId: bigint): Promise<ApiKey> {
  return changeReseller(accounts, resellerId, async (tx) => {
    await getApiKeyById(tx, resellerId, keyId)
    return endApiKey(tx, resellerId, keyId, 0)
  })
}

/** Revokes at once the keys that these users made since then. Returns the number of keys. */
export function revokeKeysOf(
  accounts: Accounts,
  resellerId: bigint,
  made: { readonly userIds: readonly bigint[]; readonly since: Date },
): Promise<number> {
  return changeReseller(accounts, resellerId, (tx) => revokeKeysMadeBy(tx, resellerId, made))
}

export async function getApiKey(connection: Queryable, resellerId: bigint, key: string): Promise<ApiKey> {
  const found = await findApiKeyByKey(connection, resellerId, key)
  if (found === undefined) throw notFound('API key')
  return found
}

/** Lists the newest first, ended keys included. */
export function listApiKeys(connection: Queryable, resellerId: bigint): Promise<ApiKey[]> {
  return listApiKeyRows(connection, resellerId, LIST_MAX)
}

export async function getApiKeyById(connection: Queryable, resellerId: bigint, id: bigint): Promise<ApiKey> {
  const key = await findApiKeyById(connection, resellerId, id)
  if (key === undefined) throw notFound('API key')
  return key
}

type KeyToAdd = KeyPurpose & {
  resellerId: bigint
  label: string
  withoutSecret: boolean
  purposeId: bigint | null
  replaces: bigint | null
  createdBy: bigint | null
}

async function addKey(tx: Tx, accounts: Accounts, wanted: KeyToAdd): Promise<NewApiKey> {
  const { withoutSecret, ...values } = wanted
  const key = generateKey(accounts.environment, await readGroupOfKeys(tx))
  const secret = withoutSecret ? null : randomBytes(SECRET_BYTES)
  const sealedSecret = secret && accounts.vault.seal(secretContext(key), secret)
  const stored = await insertApiKey(tx, { ...values, key, sealedSecret })
  return { ...stored, signingSecret: secret?.toString('base64') ?? null }
}

/** Counts after the change, so that a rotation without grace works even at the limit. */
async function refuseTooManyKeys(tx: Tx, resellerId: bigint): Promise<void> {
  if ((await countLiveApiKeys(tx, resellerId)) > LIVE_KEYS_MAX) {
    throw limitReached(`A reseller has at most ${LIVE_KEYS_MAX} API keys that work.`)
  }
}

// ── IP allowlist ──

/** Adds each network, or gives an existing one the new label. Every address may call while the list is empty. */
export async function allowNetworks(
  accounts: Accounts,
  resellerId: bigint,
  input: { networks: readonly string[]; label?: string | undefined },
): Promise<AllowedNetwork[]> {
  const networks = readNetworks(input.networks)
  const label = readLabel(input.label ?? '')
  return changeReseller(accounts, resellerId, async (tx) => {
    for (const network of networks) await putNetwork(tx, resellerId, network, label)
    const all = await listNetworkRows(tx, resellerId, NETWORKS_MAX + 1)
    if (all.length > NETWORKS_MAX) throw limitReached(`An allowlist has at most ${NETWORKS_MAX} entries.`)
    return all
  })
}

export async function disallowNetwork(
  accounts: Accounts,
  resellerId: bigint,
  value: string,
): Promise<AllowedNetwork[]> {
  const network = normalizeNetwork(value)
  return changeReseller(accounts, resellerId, async (tx) => {
    const removed = network === undefined ? 0 : await deleteNetworks(tx, resellerId, network)
    if (removed === 0) throw notFound('allowlist entry')
    return listNetworkRows(tx, resellerId, NETWORKS_MAX)
  })
}

/** Empties the list, so that every address may call again. Returns the number of deleted entries. */
export async function clearAllowlist(accounts: Accounts, resellerId: bigint): Promise<number> {
  return changeReseller(accounts, resellerId, (tx) => deleteNetworks(tx, resellerId, null))
}

export function listAllowlist(connection: Queryable, resellerId: bigint): Promise<AllowedNetwork[]> {
  return listNetworkRows(connection, resellerId, NETWORKS_MAX)
}
