import type { CryptoKey, JWK } from 'jose'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK } from 'jose'
import type { Database, Tx } from '../../db/database.ts'
import type { Vault } from '../../db/vault.ts'
import { withFreshKeys } from '../../db/vault.ts'
import { assert } from '../../lib/errors.ts'
import {
  ALGORITHM,
  KEY_RETIREMENT_SECONDS,
  KEYS_AGE_FOR_SIGNING_MAX_MS,
  KEYS_POLL_MS,
  KEYS_RELOAD_INTERVAL_MS,
} from './tokens.rules.ts'
import type { TokenKeyRow } from './tokens.sql.ts'
import { insertTokenKey, listTokenKeys, lockTokenKeys, retireSigningKey } from './tokens.sql.ts'
import type { PublishedKeys } from './tokens.types.ts'

export type SigningKey = { readonly kid: string; readonly key: CryptoKey }

/** Keys that sign and verify tokens: rows in the database, and this node's view of them. */
export type TokenKeys = {
  /** Key to sign with now. Reads the database first when the view is too old to be sure. */
  getSigningKey(): Promise<SigningKey>
  /** Reads the database again for an unknown key, at most once a second for all callers together. */
  findPublicKey(kid: string): Promise<CryptoKey | undefined>
  /** Tells whether the key may still verify, as far as this node knows. */
  has(kid: string): boolean
  published(): PublishedKeys
  /** Signs with a new key from now on. `record` writes in the same commit. */
  rotate(): Promise<{ kid: string }>
  close(): Promise<void>
}

type View = {
  readonly verifying: ReadonlyMap<string, { readonly jwk: JWK; readonly key: CryptoKey }>
  readonly signing: SigningKey
  /** Monotonic time from before the database was read. */
  readonly asOfMs: number
}

export type TokenKeysOptions = {
  database: Database
  vault: Vault
  /** Called when reading the database failed. The node continues with the keys it has. */
  onPollError: (error: unknown) => void
}

export async function openTokenKeys(options: TokenKeysOptions): Promise<TokenKeys> {
  const { database, vault } = options
  await createFirstKey(database, vault)
  let view = await readView(database, vault, undefined)
  let coming: Promise<void> | undefined
  let lastLookMs = Number.NEGATIVE_INFINITY

  async function reload(): Promise<void> {
    const fresh = await readView(database, vault, view)
    if (fresh.asOfMs > view.asOfMs) view = fresh
  }

  /** Reads the database after this call. All callers that come before the read starts share it. */
  function reloadInTurn(): Promise<void> {
    coming ??= (async () => {
      await pause(lastLookMs + KEYS_RELOAD_INTERVAL_MS - performance.now())
      coming = undefined
      lastLookMs = performance.now()
      await reload()
    })()
    return coming
  }

  const poll = setInterval(() => void reload().catch(options.onPollError), KEYS_POLL_MS)
  poll.unref()

  return {
    async getSigningKey() {
      if (performance.now() - view.asOfMs > KEYS_AGE_FOR_SIGNING_MAX_MS) await reload()
      return view.signing
    },
    async findPublicKey(kid) {
      if (!view.verifying.has(kid)) await reloadInTurn()
      return view.verifying.get(kid)?.key
    },
    has: (kid) => view.verifying.has(kid),
    published: () => ({ keys: [...view.verifying.values()].map(({ jwk }) => jwk) }),
    async rotate() {
      const { after } = await database.transaction((tx) => rotateSigningKey(tx, vault))
      await reload()
      return after
    },
    async close() {
      clearInterval(poll)
      await coming?.catch(() => {})
    },
  }
}

type KeyName = { readonly kid: string }

/** Signs with a new key from now on. The one before is kept until what it signed has expired. */
export async function rotateSigningKey(
  tx: Tx,
  vault: Vault,
): Promise<{ readonly before: KeyName | null; readonly after: KeyName }> {
  const key = await generateKey(vault)
  await lockTokenKeys(tx)
  const present = (await listTokenKeys(tx)).find(({ signs }) => signs)
  await retireSigningKey(tx, KEY_RETIREMENT_SECONDS)
  await insertTokenKey(tx, key)
  return { before: present === undefined ? null : { kid: present.kid }, after: { kid: key.kid } }
}

/** Creates the first key. Nodes that start at once on an empty database agree on one. */
async function createFirstKey(database: Database, vault: Vault): Promise<void> {
  const hasSigningKey = async (connection: Database | Tx) =>
    (await listTokenKeys(connection)).some((row) => row.signs)
  if (await hasSigningKey(database)) return
  const key = await generateKey(vault)
  await database.transaction(async (tx) => {
    await lockTokenKeys(tx)
    if (!(await hasSigningKey(tx))) await insertTokenKey(tx, key)
  })
}

async function generateKey(vault: Vault) {
  const pair = await generateKeyPair(ALGORITHM, { extractable: true })
  const bare = await exportJWK(pair.publicKey)
  const kid = await calculateJwkThumbprint(bare)
  const privateJwk = Buffer.from(JSON.stringify(await exportJWK(pair.privateKey)), 'utf8')
  return {
    kid,
    publicJwk: { ...bare, kid, alg: ALGORITHM, use: 'sig' },
    sealedPrivateJwk: vault.seal(contextOf(kid), privateJwk),
  }
}

/** Reads the keys. A key never changes under its id, so known ones are not imported again. */
async function readView(database: Database, vault: Vault, known: View | undefined): Promise<View> {
  const asOfMs = performance.now()
  const rows = await listTokenKeys(database)
  const verifying = new Map<string, { jwk: JWK; key: CryptoKey }>()
  for (const { kid, public_jwk: jwk } of rows) {
    verifying.set(kid, known?.verifying.get(kid) ?? { jwk, key: await importKey(jwk) })
  }
  const row = rows.find((candidate) => candidate.signs)
  assert(row !== undefined, 'one token key signs')
  const signing =
    known?.signing.kid === row.kid ? known.signing : { kid: row.kid, key: await openPrivateKey(vault, row) }
  return { verifying, signing, asOfMs }
}

async function openPrivateKey(vault: Vault, row: TokenKeyRow): Promise<CryptoKey> {
  const opened = await withFreshKeys(vault, () => vault.open(contextOf(row.kid), row.sealed_private_jwk))
  return importKey(JSON.parse(opened.toString('utf8')) as JWK)
}

async function importKey(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, ALGORITHM)
  assert(!(key instanceof Uint8Array), 'token keys are asymmetric')
  return key
}

function contextOf(kid: string): string {
  return `token_key:${kid}`
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)))
}
