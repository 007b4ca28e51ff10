import type { Environment } from '../../../config.ts'
import type { Database, Tx } from '../../../db/database.ts'
import { distinctAddresses } from '../../../lib/mail-addresses.ts'
import { findResellerWithId } from '../../accounts/public.sql.ts'
import type { Reseller } from '../../accounts/types.ts'
import { findDailyTrade } from '../../wallet/statement/trade.service.ts'
import { raiseAlert } from '../core/service.ts'
import type { MailLanguage } from '../words/types.ts'
import { letterOf } from './letters.view.ts'
import { insertMails } from './mail.sql.ts'
import type { Letter, MailKind, Notice, NoticeKind } from './mail.types.ts'
import { NOTICE_KINDS } from './mail.types.ts'
import {
  addToTally,
  deleteNotices,
  hasDueNotices,
  holdNotices,
  insertNotice,
  lockHeld,
  lockNoticeMails,
  lockNotices,
  openTally,
} from './notices.sql.ts'
import { findMailLanguage, listRecipients, REGISTERED } from './preferences.service.ts'

const KIND_OF: Readonly<Record<NoticeKind, MailKind>> = {
  'balance.low': 'balance.low',
  deposit: 'deposit',
  'deposit.refused': 'deposit',
  'delivery.failed': 'delivery',
  'endpoint.paused': 'delivery',
  case: 'case',
  schedule: 'schedule',
}

const BATCH = 200
/**
 * Limit of letters of a kind in an hour, each about one notice. Later notices wait, and are then combined in a letter
 * that gives their number.
 */
const LETTERS_PER_HOUR_MAX = 20
const HOUR_SECONDS = 3_600
const HELD_MAX = 10_000
/** Limit of copies to addresses that an account names in its cases. They are not verified as its own. */
const COPIES_PER_DAY_MAX = 500
const DAY_SECONDS = 86_400
const COPIES = 'copies'

export type NoticeSettings = { readonly database: Database; readonly environment: Environment }

/** Queues a notice to the members of a reseller, in the commit of what it is about. */
export function tellMembers(
  tx: Tx,
  notice: Pick<Notice, 'resellerId' | 'kind' | 'data'> & { readonly at: Date },
): Promise<void> {
  return insertNotice(tx, notice)
}

/** Turns the oldest notices into mails and deletes them, in one commit. Returns the number of notices handled. */
export async function makeMails({ database, environment }: NoticeSettings): Promise<number> {
  if (!(await hasDueNotices(database, NOTICE_KINDS))) return 0
  return database.transaction(async (tx) => {
    if (!(await lockNoticeMails(tx))) return 0
    const notices = await lockNotices(tx, NOTICE_KINDS, BATCH)
    const used: bigint[] = []
    for (const alike of groupBy(notices, ({ resellerId, kind }) => [String(resellerId), kind])) {
      const [first] = alike
      const reseller = await findResellerWithId(tx, first.resellerId)
      const done = isMailed(reseller, first.kind, environment)
        ? await makeMailsOf(tx, reseller, alike)
        : alike
      used.push(...done.map(({ id }) => id))
    }
    await deleteNotices(tx, used)
    return notices.length
  })
}

function isMailed(
  reseller: Reseller | undefined,
  kind: NoticeKind,
  environment: Environment,
): reseller is Reseller {
  if (reseller === undefined) return false
  // Staging only simulates the handling of cases.
  if (environment === 'staging') return kind !== 'case'
  // A demo reseller can be in production when its database was seeded for staging.
  return !reseller.demo
}

type Some = readonly [Notice, ...Notice[]]

/** Groups the notices by key, in the order in which they came. */
function groupBy(notices: readonly Notice[], keyOf: (notice: Notice) => readonly unknown[]): Some[] {
  const groups = new Map<string, [Notice, ...Notice[]]>()
  for (const notice of notices) {
    const key = JSON.stringify(keyOf(notice))
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [notice])
    else group.push(notice)
  }
  return [...groups.values()]
}

/** Makes mails from notices of one account and kind. Returns those that were handled; the others are held back. */
async function makeMailsOf(tx: Tx, reseller: Reseller, notices: Some): Promise<readonly Notice[]> {
  const [{ kind }] = notices
  // The reseller gets each message of a case in full.
  if (kind === 'case') {
    for (const notice of notices) await makeMail(tx, reseller, [notice])
    return notices
  }
  const fresh = notices.filter(({ isHeld }) => !isHeld)
  const held = fresh.length < notices.length ? await lockHeld(tx, reseller.id, kind, HELD_MAX) : []
  const together = groupBy(held, ({ data }) => [data.threshold, data.stream, data.schedule])
  const letters = [...together, ...fresh.map((notice): Some => [notice])]
  const { made, endsAt } = await openTally(tx, reseller.id, kind, HOUR_SECONDS)
  const now = letters.slice(0, Math.max(0, LETTERS_PER_HOUR_MAX - made))
  await addToTally(tx, reseller.id, kind, now.length)
  for (const each of now) await makeMail(tx, reseller, each)
  const later = letters.slice(now.length).flat()
  await holdNotices(
    tx,
    later.map(({ id }) => id),
    endsAt,
  )
  return now.flat()
}

/** Makes one letter for all of them, with the content of the latest. */
async function makeMail(tx: Tx, reseller: Reseller, alike: Some): Promise<void> {
  const notice = alike.at(-1) ?? alike[0]
  const write = await letterWriter(tx, reseller, notice, alike.length - 1)
  if (write === undefined) return
  const members = await listRecipients(tx, reseller, KIND_OF[notice.kind])
  const copied = copiedTo(
    notice,
    members.map(({ address }) => address),
  )
  const language = await findMailLanguage(tx, reseller.id, REGISTERED)
  const copies = (await limitCopies(tx, reseller, copied)).map((address) => ({ address, language }))
  await insertMails(
    tx,
    [...members, ...copies].map((recipient) => ({
      ...write(recipient.language),
      resellerId: reseller.id,
      kind: notice.kind,
      recipient: recipient.address,
    })),
  )
}

/** Writes the letter in any language. undefined: the notice cannot be read. It must not stop the notices after it. */
async function letterWriter(
  tx: Tx,
  { account, name }: Reseller,
  notice: Notice,
  earlier: number,
): Promise<((language: MailLanguage) => Letter) | undefined> {
  const perDay = notice.kind === 'balance.low' ? await findTrade(tx, notice) : undefined
  try {
    const context = { account, name, perDay, earlier }
    letterOf(notice, context)
    return (language) => letterOf(notice, context, language)
  } catch (error) {
    const text = `A notice of kind ${notice.kind} could not be read: ${(error as Error).message}`
    await raiseAlert(tx, { kind: 'mail_notice_unreadable', subject: account, text })
    return undefined
  }
}

const COPIES_MAX = 20

/** Addresses that get a copy. The opener of a case names them. */
function copiedTo({ kind, data }: Notice, members: readonly string[]): string[] {
  const given: readonly unknown[] = kind === 'case' && Array.isArray(data.cc) ? data.cc : []
  const copied = given.slice(0, COPIES_MAX).filter((each) => typeof each === 'string')
  return distinctAddresses([...members, ...copied]).slice(members.length)
}

/** Takes as many copies as the account has left for the day. */
async function limitCopies(tx: Tx, { id, account }: Reseller, copies: readonly string[]): Promise<string[]> {
  if (copies.length === 0) return []
  const { made } = await openTally(tx, id, COPIES, DAY_SECONDS)
  const sent = copies.slice(0, Math.max(0, COPIES_PER_DAY_MAX - made))
  await addToTally(tx, id, COPIES, sent.length)
  if (sent.length < copies.length) {
    await raiseAlert(tx, {
      kind: 'mail_copies_limited',
      subject: account,
      text: `Account ${account} had ${COPIES_PER_DAY_MAX} copies of mails about cases sent within a day: more are not sent before it is over.`,
    })
  }
  return sent
}

function findTrade(tx: Tx, { resellerId, data, createdAt }: Notice): Promise<bigint | undefined> {
  const at = typeof data.at === 'string' ? new Date(data.at) : createdAt
  return findDailyTrade(tx, resellerId, Number.isNaN(at.getTime()) ? createdAt : at)
}
