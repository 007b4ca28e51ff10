import type { Tx } from '../../db/database.ts'
import { insertMails } from './mail.sql.ts'
import type { NewMail } from './mail.types.ts'

/** Mails that are not about a notice, sent if and when the transaction commits. */
export function queueMails(tx: Tx, mails: readonly NewMail[]): Promise<void> {
  return insertMails(tx, mails)
}
