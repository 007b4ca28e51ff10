import { randomUUID } from 'node:crypto'
import type { Database, Queryable } from '../../../db/database.ts'
import type { LeaseClock } from '../../../db/lease-clock.ts'
import { claimLeased } from '../../../db/leases.ts'
import type { Vault } from '../../../db/vault.ts'
import type { WorkedThrough } from '../../../lib/batches.ts'
import { workThrough } from '../../../lib/batches.ts'
import { invalidFields, RequestError } from '../../../lib/errors.ts'
import type { Failpoint } from '../../../lib/failpoints.ts'
import { LIST_LIMIT, readFields } from '../../../lib/input/fields.ts'
import { ADDRESS_LENGTH_MAX, isMailAddress, oneLine } from '../../../lib/mail-addresses.ts'
import { findResellerWithId } from '../../accounts/public.sql.ts'
import type { Alerts } from '../core/service.ts'
import { testLetter } from './letters.view.ts'
import { retryAfterMs, USEFUL_DAYS } from './mail.rules.ts'
import {
  claimMails,
  countWaiting,
  deleteFinished,
  dropMails,
  finishMail,
  insertSentMail,
  listMailRows,
  postponeMail,
  releaseMail,
} from './mail.sql.ts'
import type { ClaimedMail, Mail, MailStatus, MailTransport, SendResult } from './mail.types.ts'
import { MAIL_STATUSES } from './mail.types.ts'
import { openMail } from './outbox.service.ts'

export type Mailing = {
  readonly database: Database
  readonly vault: Vault
  /** undefined: there is no way to send mails, so they wait. */
  readonly transport: MailTransport | undefined
  readonly alerts: Pick<Alerts, 'raise' | 'clear'>
  /** Time for which a node has claimed a mail. The attempt ends well before. */
  readonly leaseMs: number
  readonly leaseClock: LeaseClock
  readonly failpoint: Failpoint
}

/** Number of mails sent at the same time. The same number is claimed, so that none waits while its lease runs. */
const CONCURRENT = 4
/** Part of the lease for the attempt. The rest is for recording its result. */
const ATTEMPT_PART = 0.75
const ERROR_LENGTH_MAX = 300

/** Subject of alerts about the mail server, not about one address. */
const WAY_OUT = 'smtp'

/**
 * Sends the mails that are due. It ends when no mail is due, when it is stopped, or when no mail gets through: then it
 * returns 'unreachable', and the caller pauses.
 */
export async function sendDueMails(
  mailing: Mailing,
  stop: { isAsked: () => boolean; signal: AbortSignal },
): Promise<WorkedThrough<'unreachable'>> {
  const { database, transport, failpoint } = mailing
  if (transport === undefined) return 'done'
  return workThrough({
    isStopped: stop.isAsked,
    async claim() {
      const { work } = await claimLeased(mailing, CONCURRENT, (terms) => claimMails(database, terms))
      if (work.length > 0) failpoint('mail.claimed')
      return work
    },
    work: (mail) => sendClaimed(mailing, transport, mail, stop.signal),
    async conclude(results) {
      const lost = results.find((result) => result.kind === 'unreachable')
      if (!stop.signal.aborted) await reportReachability(mailing, results, lost?.reason)
      return lost === undefined ? 'done' : 'unreachable'
    },
  })
}

/**
 * Raises an alert when no mail gets through. A mail is tried for most of a day, so operators know long before it is
 * given up.
 */
async function reportReachability(
  { alerts }: Mailing,
  results: readonly SendResult[],
  lostBecause: string | undefined,
): Promise<void> {
  if (lostBecause !== undefined) {
    await alerts.raise({
      kind: 'mail_unreachable',
      subject: WAY_OUT,
      text: `No mail gets through: ${oneLine(lostBecause, ERROR_LENGTH_MAX)}`,
    })
  } else if (results.some(({ kind }) => kind === 'sent')) await alerts.clear('mail_unreachable', WAY_OUT)
}

async function sendClaimed(
  mailing: Mailing,
  transport: MailTransport,
  mail: ClaimedMail,
  stopped: AbortSignal,
): Promise<SendResult> {
  const deadline = AbortSignal.timeout(Math.floor(mailing.leaseMs * ATTEMPT_PART))
  const result: SendResult = isMailAddress(mail.recipient)
    ? await transport.send(await openMail(mailing.vault, mail), AbortSignal.any([deadline, stopped]))
    : { kind: 'refused', reason: 'the address is not one' }
  if (result.kind === 'sent') mailing.failpoint('mail.sent')
  if (result.kind !== 'sent' && result.kind !== 'refused' && stopped.aborted) {
    await releaseMail(mailing.database, mail)
  } else await conclude(mailing, mail, result)
  return result
}

async function conclude(mailing: Mailing, mail: ClaimedMail, result: SendResult): Promise<void> {
  const { database, alerts } = mailing
  if (result.kind === 'sent') {
    await finishMail(database, mail, 'sent', '')
    return
  }
  const reason = oneLine(result.reason, ERROR_LENGTH_MAX)
  const afterMs = result.kind === 'refused' ? undefined : retryAfterMs(mail.attempts)
  if (afterMs !== undefined) {
    await postponeMail(database, mail, afterMs, reason)
    return
  }
  if (!(await finishMail(database, mail, 'failed', reason))) return
  await alerts.raise({
    kind: 'mail_given_up',
    // There is one alert for each account, however many failing addresses it has named.
    subject: result.kind === 'unreachable' ? WAY_OUT : await ownerOf(mailing, mail),
    text: `Mail ${mail.id} (${mail.kind}) to ${oneLine(mail.recipient, ADDRESS_LENGTH_MAX)} was given up after ${mail.attempts} attempts: ${reason}`,
  })
}

/** Name of the owner as people know it. */
async function ownerOf({ database }: Mailing, { resellerId }: ClaimedMail): Promise<string> {
  if (resellerId === null) return 'operators'
  return (await findResellerWithId(database, resellerId))?.account ?? ''
}

const KEPT_DAYS = 30
const DELETED_AT_ONCE_MAX = 1_000

/** Raises an alert for mails that cannot be sent without a server, and deletes old ones, in small steps. */
export async function tidyMails({ database, transport, alerts }: Mailing): Promise<void> {
  await dropMails(database)
  await deleteFinished(database, KEPT_DAYS, DELETED_AT_ONCE_MAX)
  const waiting = transport === undefined ? await countWaiting(database) : 0
  if (transport !== undefined) await alerts.clear('mail_not_configured', WAY_OUT)
  else if (waiting > 0) {
    await alerts.raise({
      kind: 'mail_not_configured',
      subject: WAY_OUT,
      text: `${waiting} mails wait: set WARUNG_SMTP_URL. They are dropped when they are ${USEFUL_DAYS} days old.`,
    })
  }
}

// ── Reads for operators and for the mailbox ──

const LIMIT_RULES = { limit: LIST_LIMIT }

/** Lists the newest first. */
export function listMails(
  connection: Queryable,
  page: { limit: number; status?: string | undefined },
): Promise<Mail[]> {
  const { limit } = readFields(LIMIT_RULES, page)
  const status = MAIL_STATUSES.find((each) => each === page.status)
  if (page.status !== undefined && status === undefined) {
    throw invalidFields({ status: [`must be one of ${MAIL_STATUSES.join(', ')}`] })
  }
  return listMailRows(connection, { limit, status: status satisfies MailStatus | undefined })
}

const TEST_DEADLINE_MS = 30_000

/** Sends one mail at once, outside the queue, and returns the result. */
export async function sendTestMail(
  database: Database,
  transport: MailTransport | undefined,
  recipient: string,
): Promise<SendResult> {
  if (!isMailAddress(recipient)) throw invalidFields({ to: ['must be an e-mail address'] })
  if (transport === undefined) {
    throw new RequestError({
      status: 409,
      code: 'mail_not_configured',
      publicText: 'Nothing was sent: there is no mail server. Set WARUNG_SMTP_URL.',
    })
  }
  const createdAt = new Date()
  const letter = testLetter(createdAt)
  const mail = { ...letter, recipient, key: randomUUID(), createdAt }
  const result = await transport.send(mail, AbortSignal.timeout(TEST_DEADLINE_MS))
  if (result.kind === 'sent') {
    await insertSentMail(database, { ...letter, recipient, kind: 'test', resellerId: null })
  }
  return result
}
