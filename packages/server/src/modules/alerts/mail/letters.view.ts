import { escapeHtml } from '../../../http/reference/html.ts'
import { formatSeconds } from '../../../lib/dates.ts'
import { isBigintText } from '../../../lib/input/ids.ts'
import { oneLine } from '../../../lib/mail-addresses.ts'
import { formatMoney } from '../../../lib/money.ts'
import type { AddressOf } from '../../../lib/own-addresses.ts'
import { ruleOf, runbookPathOf } from '../core/kinds.rules.ts'
import type { Alert } from '../core/types.ts'
import { forecastOf, publicPartOf, roundRate } from './mail.rules.ts'
import type { Letter, Notice } from './mail.types.ts'

export type LetterContext = {
  readonly account: string
  readonly name: string
  /** Amount that leaves the wallet in a day. undefined: there is no trade. */
  readonly perDay: bigint | undefined
  /** Number of earlier notices of the same kind that this letter covers too. */
  readonly earlier: number
}

const SUBJECT_LENGTH_MAX = 150
const TEXT_LENGTH_MAX = 1_000

/** Writes the letter. Throws for a notice whose data does not fit its kind. */
export function letterOf(notice: Notice, context: LetterContext): Letter {
  switch (notice.kind) {
    case 'balance.low':
      return balanceLow(notice.data, context)
    case 'deposit':
      return deposit(notice.data, context)
    case 'deposit.refused':
      return depositRefused(notice.data, context)
    case 'delivery.failed':
      return deliveryFailed(notice, context)
    case 'endpoint.paused':
      return endpointPaused(notice, context)
    case 'case':
      return caseUpdate(notice, context)
  }
}

type Data = Notice['data']

function balanceLow(data: Data, context: LetterContext): Letter {
  const [balance, threshold] = [amountIn(data, 'balance'), amountIn(data, 'threshold')]
  const { perDay } = context
  return letter(context, {
    subject: `Balance below ${ringgit(threshold)}: ${ringgit(balance)} left`,
    happened: `The balance of ${whose(context)} fell below ${ringgit(threshold)}.`,
    facts: [
      ['Balance', ringgit(balance)],
      ['Threshold', ringgit(threshold)],
      ['Time', timeIn(data)],
      ...(perDay === undefined ? [] : [forecastFact(balance, perDay)]),
    ],
    earlier: (times) => `It also fell below it ${times} within the hour before.`,
    todo: 'Top up to keep selling: a payment that costs more than the balance is refused.',
  })
}

function forecastFact(balance: bigint, perDay: bigint): Fact {
  return [
    'Lasts',
    `${forecastOf(balance, perDay)} at the present rate of ${ringgit(roundRate(perDay))} a day`,
  ]
}

function deposit(data: Data, context: LetterContext): Letter {
  const [amount, balance] = [amountIn(data, 'amount'), amountIn(data, 'balance')]
  return letter(context, {
    subject: `Deposit of ${ringgit(amount)} received`,
    happened: `A deposit was added to the balance of ${whose(context)}.`,
    facts: [
      ['Amount', ringgit(amount)],
      ['Balance', ringgit(balance)],
      ['Time', timeIn(data)],
      ['Statement entry', textIn(data, 'entry')],
    ],
    earlier: (times) =>
      `Deposits were also received ${times} within the hour before; the statement lists them all.`,
    todo: 'Nothing needs to be done.',
  })
}

function depositRefused(data: Data, context: LetterContext): Letter {
  const amount = ringgit(amountIn(data, 'amount'))
  return letter(context, {
    subject: `Deposit request of ${amount} refused`,
    happened: `A transfer that ${whose(context)} reported was not added to the balance.`,
    facts: [
      ['Amount', amount],
      ['Bank reference', textIn(data, 'reference')],
      ['Reason', textIn(data, 'reason')],
      ['Deposit request', textIn(data, 'id')],
      ['Time', timeIn(data)],
    ],
    earlier: (times) => `Deposit requests were also refused ${times} within the hour before.`,
    todo: 'Compare the reason with your bank statement, and report the transfer again when that mends it.',
  })
}

const STREAM_NAMES: Readonly<Record<string, string>> = {
  callback: 'Transaction callbacks',
  catalog: 'Catalog webhooks',
  balance: 'Balance webhooks',
}

function streamIn(data: Data): string {
  return STREAM_NAMES[textIn(data, 'stream')] ?? 'Webhooks'
}

function deliveryFailed(notice: Notice, context: LetterContext): Letter {
  const { data } = notice
  return letter(context, {
    subject: `${streamIn(data)} cannot be delivered`,
    happened: `${streamIn(data)} of ${whose(context)} cannot be delivered to your server.`,
    facts: [...endpointFacts(data), ['Time', timeIn(data, notice.createdAt)]],
    earlier: () => '',
    todo:
      'Check that your server answers with a 2xx status. Deliveries that failed stay in the delivery log and can be ' +
      'replayed. While they go on failing, this mail comes at most once a day.',
  })
}

function endpointPaused(notice: Notice, context: LetterContext): Letter {
  const { data } = notice
  return letter(context, {
    subject: `${streamIn(data)} are paused`,
    happened: `${streamIn(data)} of ${whose(context)} are paused: nothing was received for days.`,
    facts: [...endpointFacts(data), ['Time', timeIn(data, notice.createdAt)]],
    earlier: () => '',
    todo:
      'Repair your server, then send it a test event, set its URL again or switch the webhook on again: each of them ' +
      'ends the pause. Events of that time are in the delivery log and can be replayed.',
  })
}

function endpointFacts(data: Data): Fact[] {
  const facts: Fact[] = [
    ['Sent to', publicPartOf(textIn(data, 'url'))],
    ['Error', textIn(data, 'error')],
    ['Failing since', typeof data.since === 'string' ? time(new Date(data.since)) : ''],
  ]
  return facts.filter(([, value]) => value !== '')
}

function caseUpdate(notice: Notice, context: LetterContext): Letter {
  const { data } = notice
  const [number, state] = [textIn(data, 'number'), textIn(data, 'state').replaceAll('_', ' ')]
  const facts: Fact[] = [
    ['Request', textIn(data, 'kind')],
    ['Reference', textIn(data, 'refid')],
    ['State', state],
    ['Message', textIn(data, 'message')],
    ['Time', timeIn(data, notice.createdAt)],
  ]
  return letter(context, {
    subject: `Case ${number} is ${state}`,
    happened: `There is news about case ${number} of ${whose(context)}.`,
    facts: facts.filter(([, value]) => value !== ''),
    earlier: () => '',
    todo: 'Name the number of the case when you write about it.',
  })
}

const ALERTS_SHOWN_MAX = 20

/** Letter to operators about all new alerts, in one mail. */
export function alertLetter(alerts: readonly Alert[], addressOf: AddressOf): Letter {
  const lines = alerts.slice(0, ALERTS_SHOWN_MAX).map((alert) => alertLines(alert, addressOf))
  const more = alerts.length - lines.length
  const [first] = alerts
  const subject =
    alerts.length === 1 && first !== undefined
      ? `Alert: ${oneLine(first.text, SUBJECT_LENGTH_MAX)}`
      : `${alerts.length} alerts need a person`
  const body = [
    ...lines,
    ...(more > 0 ? [`And ${more} more.`] : []),
    'warungd alert list shows all open alerts. Clear an alert when its cause is mended: warungd alert clear --id NUMBER.',
  ]
  return { subject: oneLine(subject, SUBJECT_LENGTH_MAX), body: `${body.join('\n\n')}\n` }
}

function alertLines({ raisedAt, severity, kind, subject, text }: Alert, addressOf: AddressOf): string {
  const remedy = ruleOf(kind)?.remedy
  const runbook = runbookPathOf(kind)
  return [
    `${time(raisedAt)}  ${severity}: ${kind}, ${subject}`,
    oneLine(text, 500),
    ...(remedy === undefined ? [] : [`To do: ${remedy}`]),
    ...(runbook === undefined ? [] : [`Runbook: ${addressOf(runbook)}`]),
  ].join('\n')
}

export function testLetter(at: Date): Letter {
  return {
    subject: 'Test mail from Warung',
    body: `This mail was sent by the command warungd mail test.\n\nTime: ${time(at)}\n\nMail works.\n`,
  }
}

/** Same text in HTML, with its paragraphs and their lines. */
export function htmlOf(body: string): string {
  const paragraphs = body
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${escapeHtml(paragraph).replaceAll('\n', '<br>\n')}</p>`)
  return `<!doctype html>\n<html lang="en"><body>\n${paragraphs.join('\n')}\n</body></html>\n`
}

// ── Parts ──

type Fact = readonly [name: string, value: string]

type Parts = {
  readonly subject: string
  readonly happened: string
  readonly facts: readonly Fact[]
  readonly earlier: (times: string) => string
  readonly todo: string
}

function letter(context: LetterContext, parts: Parts): Letter {
  const { account, earlier } = context
  const more = earlier === 0 ? '' : parts.earlier(earlier === 1 ? 'once' : `${earlier} times`)
  const paragraphs = [
    parts.happened,
    parts.facts.map(([name, value]) => `${name}: ${oneLine(value, TEXT_LENGTH_MAX)}`).join('\n'),
    more,
    parts.todo,
  ].filter((paragraph) => paragraph !== '')
  return {
    subject: oneLine(`${parts.subject} (account ${account})`, SUBJECT_LENGTH_MAX),
    body: `${paragraphs.join('\n\n')}\n`,
  }
}

function whose({ name, account }: LetterContext): string {
  return `${oneLine(name, 100)} (account ${account})`
}

function ringgit(amount: bigint): string {
  return `MYR ${formatMoney(amount)}`
}

function time(at: Date): string {
  return `${formatSeconds(at)} GMT+8`
}

function timeIn(data: Data, otherwise?: Date): string {
  const given = typeof data.at === 'string' ? new Date(data.at) : otherwise
  if (given === undefined || Number.isNaN(given.getTime())) throw new Error('a notice has no time')
  return time(given)
}

export function amountIn(data: Data, name: string): bigint {
  const value = data[name]
  const isAmount = typeof value === 'number' ? Number.isSafeInteger(value) : isBigintText(String(value))
  if (!isAmount) throw new Error(`a notice has no amount "${name}"`)
  return BigInt(value as number | string)
}

function textIn(data: Data, name: string): string {
  const value = data[name]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
