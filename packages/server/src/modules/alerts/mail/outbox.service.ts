import { randomUUID } from 'node:crypto'
import type { Tx } from '../../../db/database.ts'
import type { Vault } from '../../../db/vault.ts'
import { withFreshKeys } from '../../../db/vault.ts'
import { insertSealedMail } from './mail.sql.ts'
import type { Mail, NewMail } from './mail.types.ts'

const contextOf = (key: string) => `mail:${key}`

/**
 * A mail that carries what opens a door, sent if and when the transaction commits. Whoever reads the database, or a
 * copy of it, does not read the mail.
 */
export function queueSecretMail(tx: Tx, vault: Vault, mail: NewMail): Promise<void> {
  const key = randomUUID()
  return insertSealedMail(tx, mail, { key, body: vault.seal(contextOf(key), Buffer.from(mail.body, 'utf8')) })
}

/** The mail as it is sent. */
export async function openMail<T extends Mail>(vault: Vault, mail: T): Promise<T> {
  const { sealedBody, key } = mail
  if (sealedBody === null) return mail
  return withFreshKeys(vault, () => ({
    ...mail,
    body: vault.open(contextOf(key), sealedBody).toString('utf8'),
  }))
}
