import type { Environment } from '../../config.ts'
import type { Database, Tx } from '../../db/database.ts'
import { findResellerWithId } from '../accounts/service.ts'
import { findDailyTrade } from '../wallet/trade.service.ts'
import { letterOf } from './letters.view.ts'
import { distinctAddresses } from './mail.rules.ts'
import { insertMails } from './mail.sql.ts'
import type { MailKind, Notice, NoticeKind } from './mail.types.ts'
import { NOTICE_KINDS } from './mail.types.ts'
import { deleteNotices, lockNotices } from './notices.sql.ts'
import { listRecipients } from './preferences.service.ts'
import { raiseAlert } from './service.ts'

const KIND_OF: Readonly<Record<NoticeKind, MailKind>> = {
  'balance.low': 'balance.low',
  deposit: 'deposit',
  'delivery.failed': 'delivery',
  'endpoint.paused': 'delivery',
  case: 'case',
}

const BATCH = 200
/** Each is a mail of its own, until so many about the same wait together: then the latest speaks for all. */
const TOGETHER_FROM = 20

export type NoticeSettings = { readonly database: Database; readonly environment: Environment }

/** Turns the oldest notices into mails and removes them, in one commit. Returns how many notices there were. */
export function makeMails({ database, environment }: NoticeSettings): Promise<number> {
  return database.transaction(async (tx) => {
    const notices = await lockNotices(tx, NOTICE_KINDS, BATCH)
    if (notices.length === 0) return 0
    for (const alike of groupAlike(notices)) {
      if (alike.length < TOGETHER_FROM) for (const each of alike) await makeMail(tx, environment, [each])
      else await makeMail(tx, environment, alike)
    }
    await deleteNotices(
      tx,
      notices.map(({ id }) => id),
    )
    return notices.length
  })
}

/** About the same thing of the same account, oldest first. */
function groupAlike(notices: readonly Notice[]): Notice[][] {
  const groups = new Map<string, Notice[]>()
  for (const notice of notices) {
    const { resellerId, kind, data } = notice
    const key = JSON.stringify([String(resellerId), kind, data.threshold, data.stream, data.number])
    groups.set(key, [...(groups.get(key) ?? []), notice])
  }
  return [...groups.values()]
}

async function makeMail(tx: Tx, environment: Environment, alike: readonly Notice[]): Promise<void> {
  const notice = alike.at(-1)
  const reseller = notice && (await findResellerWithId(tx, notice.resellerId))
  // A database that was seeded for staging and later serves production.
  if (notice === undefined || reseller === undefined || (reseller.demo && environment === 'production'))
    return
  const { account, name } = reseller
  const kind = KIND_OF[notice.kind]
  const perDay = kind === 'balance.low' ? await findTrade(tx, notice) : undefined
  let letter: ReturnType<typeof letterOf>
  try {
    letter = letterOf(notice, { account, name, perDay, earlier: alike.length - 1 })
  } catch (error) {
    // One that nobody can read must not hold up all that come after it.
    const text = `A notice of kind ${notice.kind} could not be read: ${(error as Error).message}`
    await raiseAlert(tx, { kind: 'mail_notice_unreadable', subject: account, text, severity: 'warning' })
    return
  }
  const recipients = distinctAddresses([...(await listRecipients(tx, reseller, kind)), ...copiedTo(notice)])
  await insertMails(
    tx,
    recipients.map((recipient) => ({ ...letter, resellerId: reseller.id, kind: notice.kind, recipient })),
  )
}

const COPIES_MAX = 21

/** Whoever opened a case names who else is told of it. */
function copiedTo({ kind, data }: Notice): string[] {
  const copied: readonly unknown[] = kind === 'case' && Array.isArray(data.cc) ? data.cc : []
  return copied.slice(0, COPIES_MAX).filter((each) => typeof each === 'string')
}

function findTrade(tx: Tx, { resellerId, data, createdAt }: Notice): Promise<bigint | undefined> {
  const at = typeof data.at === 'string' ? new Date(data.at) : createdAt
  return findDailyTrade(tx, resellerId, Number.isNaN(at.getTime()) ? createdAt : at)
}
