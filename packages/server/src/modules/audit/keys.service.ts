import { randomBytes } from 'node:crypto'
import type { Database, Queryable } from '../../db/database.ts'
import type { Vault } from '../../db/vault.ts'
import { withFreshKeys } from '../../db/vault.ts'
import { CHAIN_START, sealHead } from './rules.ts'
import { findSealedKey, hasRecords, insertSealedKey, openHead } from './sql.ts'

const KEY_BYTES = 32
const KEY_CONTEXT = 'audit_chain'

/** Opens the key of the log's chain. The key is made with the log's head, once, before the first row is written. */
export async function openAuditKey(database: Database, vault: Vault): Promise<Buffer> {
  const sealed = (await findSealedKey(database)) ?? (await makeKey(database, vault))
  return unseal(vault, sealed)
}

/** Finds the key; undefined: no row was ever written, or the key is gone. Throws when it cannot be unsealed. */
export async function findAuditKey(connection: Queryable, vault: Vault): Promise<Buffer | undefined> {
  const sealed = await findSealedKey(connection)
  return sealed === undefined ? undefined : unseal(vault, sealed)
}

function makeKey(database: Database, vault: Vault): Promise<Buffer> {
  return database.transaction(async (tx) => {
    // A second key would make every row of the first one look forged.
    if (await hasRecords(tx)) throw new Error('the key of the audit log is gone, and its rows are there')
    await insertSealedKey(tx, vault.seal(KEY_CONTEXT, randomBytes(KEY_BYTES)))
    const sealed = await findSealedKey(tx)
    if (sealed === undefined) throw new Error('a key that was just written is not there')
    // A key without a head means, from here on, that the head was removed.
    await openHead(tx, CHAIN_START, sealHead(await unseal(vault, sealed), 0n, CHAIN_START))
    return sealed
  })
}

function unseal(vault: Vault, sealed: Buffer): Promise<Buffer> {
  return withFreshKeys(vault, () => vault.open(KEY_CONTEXT, sealed))
}
