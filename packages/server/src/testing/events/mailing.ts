import { createReseller, createUser } from '../../modules/accounts/service.ts'
import type { Reseller, User, UserRole } from '../../modules/accounts/types.ts'
import { listMails } from '../../modules/alerts/mail/mail.service.ts'
import type { Mail, NoticeKind } from '../../modules/alerts/mail/mail.types.ts'
import { makeMails } from '../../modules/alerts/mail/notices.service.ts'
import { sequenceFacts } from '../../modules/events/outbox/sequencer.sql.ts'
import { adjust, deposit } from '../../modules/wallet/balance/service.ts'
import type { TestDatabase } from '../database.ts'
import { openTestDatabase } from '../database.ts'

/** Accounts whose wallets move, and the mails about it. */
export type MailBench = TestDatabase & {
  newReseller(email?: string): Promise<Reseller>
  newMember(reseller: Reseller, role: UserRole, email: string): Promise<User>
  /** Adds money, or takes it out if the amount is negative. */
  move(reseller: Reseller, amount: bigint): Promise<void>
  /** Inserts a notice for the members, as the service does in SQL. */
  notify(reseller: Reseller, kind: NoticeKind, data: Readonly<Record<string, unknown>>): Promise<void>
  /** Numbers the new facts and makes the mails about them. */
  tell(): Promise<void>
  /** Lists mails, oldest first. */
  mailsOf(reseller: Reseller, kind?: string): Promise<Mail[]>
}

let made = 0

export async function openMailBench(): Promise<MailBench> {
  const test = await openTestDatabase()
  const { database } = test
  const accounts = { ...test, environment: 'staging' as const }
  return {
    ...test,
    newReseller: (email = 'registered@example.com') =>
      createReseller(accounts, { name: 'Kedai Pos', email, priceLevel: 'STANDARD' }),
    newMember(reseller, role, email) {
      made += 1
      const username = `member${made}`
      return createUser(accounts, reseller.id, { username, role, email, password: 'a long password' })
    },
    async move({ id }, amount) {
      const post = amount > 0n ? deposit : adjust
      await database.transaction((tx) => post(tx, { resellerId: id, amount, remarks: 'Test' }))
    },
    async notify({ id }, kind, data) {
      await database.query(
        'insert into mail_notices (reseller_id, kind, data, created_at) values ($1, $2, $3, clock_timestamp())',
        [id, kind, JSON.stringify(data)],
      )
    },
    async tell() {
      while ((await sequenceFacts(database, 100))?.facts !== 0);
      while ((await makeMails({ database, environment: 'production' })) > 0);
    },
    async mailsOf({ id }, kind) {
      const mails = await listMails(database, { limit: 1_000 })
      return mails.filter((mail) => mail.resellerId === id && (kind ?? mail.kind) === mail.kind).reverse()
    },
  }
}
