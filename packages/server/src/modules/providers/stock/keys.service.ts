import { randomBytes } from 'node:crypto'
import type { Tx } from '../../../db/database.ts'
import type { Vault } from '../../../db/vault.ts'
import { withFreshKeys } from '../../../db/vault.ts'
import { findSealedKey, hasItems, insertSealedKey } from './sql.ts'

const KEY_BYTES = 32
const KEY_CONTEXT = 'stock_fingerprints'

/** Opens the key of the fingerprints. The first load makes it, under the lock that allows one load at a time. */
export async function openFingerprintKey(tx: Tx, vault: Vault): Promise<Buffer> {
  const sealed = (await findSealedKey(tx)) ?? (await makeKey(tx, vault))
  return openWithFreshKeys(vault, KEY_CONTEXT, sealed)
}

async function makeKey(tx: Tx, vault: Vault): Promise<Buffer> {
  // Items loaded under the first key would not be recognised under a second one.
  if (await hasItems(tx)) throw new Error('the key of the stock is gone, and its items are there')
  const sealed = vault.seal(KEY_CONTEXT, randomBytes(KEY_BYTES))
  await insertSealedKey(tx, sealed)
  return sealed
}

/** Opens data, also when another process sealed it with a data key made since. */
export function openWithFreshKeys(vault: Vault, context: string, sealed: Buffer): Promise<Buffer> {
  return withFreshKeys(vault, () => vault.open(context, sealed))
}
