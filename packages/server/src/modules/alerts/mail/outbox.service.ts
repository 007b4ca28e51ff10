import { randomUUID } from 'node:crypto'
import type { Tx } from '../../../db/database.ts'
import type { Vault } from '../../../db/vault.ts'
import { withFreshKeys } from '../../../db/vault.ts'
import { insertSealedMail } from './mail.sql.ts'
import type { Mail, NewMail } from './mail.types.ts'

const contextOf = (key: string) => `mail:${key}`

/**
 * Queues a mail that carries a secret, such as a token. It is sent if and when the transaction commits. Its body is
 * sealed, so that a reader of the database, or of a copy, cannot read it.
 */
export function queueSecretMail(tx: Tx, vault: Vault, mail: NewMail): Promise<void> {
  const key = randomUUID()
  return insertSealedMail(tx, mail, { key, body: vault.seal(contextOf(key), Buffer.from(mail.body, 'utf8')) })
}

/** Opens the body of a sealed mail, to send it. */
export async function openMail<T extends Mail>(vault: Vault, mail: T): Promise<T> {
  const { sealedBody, key } = mail
  if (sealedBody === null) return mail
  return withFreshKeys(vault, () => ({
    ...mail,
    body: vault.open(contextOf(key), sealedBody).toString('utf8'),
  }))
}
