import { randomBytes } from 'node:crypto'
import type { Database, Queryable } from '../../../db/database.ts'
import type { Vault } from '../../../db/vault.ts'
import { withFreshKeys } from '../../../db/vault.ts'
import type { HmacKey } from '../../../lib/secrets/hmac.ts'
import { createHmacKey } from '../../../lib/secrets/hmac.ts'
import { listResellers } from '../../accounts/service.ts'
import { findSealedKey, hasHashes, insertSealedKey, listHeads } from './chain.sql.ts'

const KEY_BYTES = 32
const KEY_CONTEXT = 'ledger_chain'
const PAGE = 1_000

/** Returns the key of the chain. It is made once, before the first entry is chained. */
export async function openChainKey(database: Database, vault: Vault): Promise<HmacKey> {
  const sealed = (await findSealedKey(database)) ?? (await makeKey(database, vault))
  return unseal(vault, sealed)
}

/**
 * Finds the key of the chain; undefined: no entry was ever chained here, or the key is gone. Throws if it cannot be
 * opened.
 */
export async function findChainKey(connection: Queryable, vault: Vault): Promise<HmacKey | undefined> {
  const sealed = await findSealedKey(connection)
  return sealed === undefined ? undefined : unseal(vault, sealed)
}

async function makeKey(database: Database, vault: Vault): Promise<Buffer> {
  return database.transaction(async (tx) => {
    // A second key would make every hash of the first one look forged. Another node may have made the key first: a key
    // is committed before its first hash, so a reader that sees a hash also sees the key.
    if (await hasHashes(tx)) {
      const made = await findSealedKey(tx)
      if (made === undefined) throw new Error('the key of the ledger chain is gone, and its hashes are there')
      return made
    }
    await insertSealedKey(tx, vault.seal(KEY_CONTEXT, randomBytes(KEY_BYTES)))
    const sealed = await findSealedKey(tx)
    if (sealed === undefined) throw new Error('a key that was just written is not there')
    return sealed
  })
}

async function unseal(vault: Vault, sealed: Buffer): Promise<HmacKey> {
  return createHmacKey(await withFreshKeys(vault, () => vault.open(KEY_CONTEXT, sealed)))
}

export type AccountHead = {
  readonly account: string
  readonly sequence: bigint
  readonly hash: Buffer
  readonly chainedAt: Date
}

/** Lists the heads of all wallets by account, to be kept where users who can write this database cannot write. */
export async function listAccountHeads(database: Database): Promise<AccountHead[]> {
  const heads: AccountHead[] = []
  let after = 0n
  for (;;) {
    const resellers = await listResellers(database, { after, limit: PAGE })
    const page = await listHeads(
      database,
      resellers.map((reseller) => reseller.id),
    )
    for (const { id, account } of resellers) {
      const head = page.get(id)
      if (head === undefined || head.sequence === 0n) continue
      heads.push({ account, sequence: head.sequence, hash: head.hash, chainedAt: head.chainedAt })
    }
    const last = resellers.at(-1)
    if (last === undefined || resellers.length < PAGE) return heads
    after = last.id
  }
}
