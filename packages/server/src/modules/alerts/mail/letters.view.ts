import { escapeHtml } from '../../../http/reference/html.ts'
import { formatSeconds } from '../../../lib/dates.ts'
import { isBigintText } from '../../../lib/input/ids.ts'
import { oneLine } from '../../../lib/mail-addresses.ts'
import { formatMoney } from '../../../lib/money.ts'
import type { AddressOf } from '../../../lib/own-addresses.ts'
import { ruleOf, runbookPathOf } from '../core/kinds.rules.ts'
import type { Alert } from '../core/types.ts'
import { mailWords } from '../words/rules.ts'
import type { MailLanguage, MailWords } from '../words/types.ts'
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

/** Writes the letter in a language. Throws for a notice whose data does not fit its kind. */
export function letterOf(notice: Notice, context: LetterContext, language: MailLanguage = 'en'): Letter {
  const words = mailWords(language)
  switch (notice.kind) {
    case 'balance.low':
      return balanceLow(notice.data, context, words)
    case 'deposit':
      return deposit(notice.data, context, words)
    case 'deposit.refused':
      return depositRefused(notice.data, context, words)
    case 'delivery.failed':
      return ofEndpoint(notice, context, words, words.failed)
    case 'endpoint.paused':
      return ofEndpoint(notice, context, words, words.paused)
    case 'case':
      return caseUpdate(notice, context, words)
    case 'schedule':
      return scheduleUpdate(notice.data, context, words)
  }
}

type Data = Notice['data']

function balanceLow(data: Data, context: LetterContext, words: MailWords): Letter {
  const { facts, low } = words
  const amounts = [amountIn(data, 'threshold'), amountIn(data, 'balance')] as const
  const [threshold, balance] = [ringgit(amounts[0]), ringgit(amounts[1])]
  const { perDay } = context
  return letter(context, words, {
    subject: low.subject(threshold, balance),
    happened: low.happened(whose(context, words), threshold, balance),
    facts: [
      [facts.balance, balance],
      [facts.threshold, threshold],
      [facts.time, timeIn(data)],
      ...(perDay === undefined
        ? []
        : [
            [
              facts.lasts,
              words.forecast(forecastOf(amounts[1], perDay), ringgit(roundRate(perDay))),
            ] as const,
          ]),
    ],
    earlier: low.earlier,
    todo: low.todo,
  })
}

function deposit(data: Data, context: LetterContext, words: MailWords): Letter {
  const { facts, deposit: texts } = words
  const amount = ringgit(amountIn(data, 'amount'))
  return letter(context, words, {
    subject: texts.subject(amount),
    happened: texts.happened(whose(context, words), amount),
    facts: [
      [facts.amount, amount],
      [facts.balance, ringgit(amountIn(data, 'balance'))],
      [facts.time, timeIn(data)],
      [facts.entry, textIn(data, 'entry')],
    ],
    earlier: texts.earlier,
    todo: texts.todo,
  })
}

function depositRefused(data: Data, context: LetterContext, words: MailWords): Letter {
  const { facts, refused } = words
  const amount = ringgit(amountIn(data, 'amount'))
  return letter(context, words, {
    subject: refused.subject(amount),
    happened: refused.happened(whose(context, words), amount),
    facts: [
      [facts.amount, amount],
      [facts.bankReference, textIn(data, 'reference')],
      [facts.reason, textIn(data, 'reason')],
      [facts.depositRequest, textIn(data, 'id')],
      [facts.time, timeIn(data)],
    ],
    earlier: refused.earlier,
    todo: refused.todo,
  })
}

function ofEndpoint(
  { data, createdAt }: Notice,
  context: LetterContext,
  words: MailWords,
  texts: MailWords['failed'],
): Letter {
  const { facts } = words
  const stream = known(words.streams, textIn(data, 'stream')) ?? words.streams.other
  const about: Fact[] = [
    [facts.sentTo, publicPartOf(textIn(data, 'url'))],
    [facts.error, textIn(data, 'error')],
    [facts.failingSince, typeof data.since === 'string' ? time(new Date(data.since)) : ''],
  ]
  return letter(context, words, {
    subject: texts.subject(stream),
    happened: texts.happened(whose(context, words), stream),
    facts: [...about.filter(([, value]) => value !== ''), [facts.time, timeIn(data, createdAt)]],
    earlier: () => '',
    todo: texts.todo,
  })
}

function caseUpdate({ data, createdAt }: Notice, context: LetterContext, words: MailWords): Letter {
  const { facts, news } = words
  const [number, given, kind] = [textIn(data, 'number'), textIn(data, 'state'), textIn(data, 'kind')]
  const state = known(words.states, given) ?? given.replaceAll('_', ' ')
  const about: Fact[] = [
    [facts.request, known(words.kinds, kind) ?? kind],
    [facts.reference, textIn(data, 'refid')],
    [facts.state, state],
    [facts.message, textIn(data, 'message')],
    [facts.time, timeIn(data, createdAt)],
  ]
  return letter(context, words, {
    subject: news.subject(number, state),
    happened: news.happened(whose(context, words), number, state),
    facts: about.filter(([, value]) => value !== ''),
    earlier: () => '',
    todo: news.todo,
  })
}

function scheduleUpdate(data: Data, context: LetterContext, words: MailWords): Letter {
  const { facts, schedule } = words
  const reason = known(schedule.reasons, textIn(data, 'reason'))
  const file = textIn(data, 'name')
  const name = file === '' ? schedule.unnamed : schedule.named(file)
  const [lines, unpaid] = [amountIn(data, 'lines'), amountIn(data, 'unpaid')]
  const counts = [String(lines - unpaid), String(lines)] as const
  const { ran, stopped } = schedule
  return letter(context, words, {
    subject: reason === undefined ? ran.subject(name, ...counts) : stopped.subject(name, reason),
    happened:
      reason === undefined
        ? ran.happened(whose(context, words), name, ...counts)
        : stopped.happened(whose(context, words), name, reason),
    facts: [
      [facts.runOf, timeIn({ at: data.run_at })],
      [facts.lines, String(lines)],
      [facts.unpaid, String(unpaid)],
      [facts.cost, ringgit(amountIn(data, 'cost'))],
    ],
    earlier: schedule.earlier,
    todo: reason === undefined ? ran.todo : stopped.todo,
  })
}

/** Word for a value of the service; undefined for one that has none. */
function known(words: Readonly<Record<string, string>>, value: string): string | undefined {
  return Object.hasOwn(words, value) ? words[value] : undefined
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
  return `<!doctype html>\n<html><body>\n${paragraphs.join('\n')}\n</body></html>\n`
}

// ── Parts ──

type Fact = readonly [name: string, value: string]

type Parts = {
  readonly subject: string
  readonly happened: string
  readonly facts: readonly Fact[]
  readonly earlier: (times: number) => string
  readonly todo: string
}

function letter(context: LetterContext, words: MailWords, parts: Parts): Letter {
  const { account, earlier } = context
  const paragraphs = [
    parts.happened,
    parts.facts.map(([name, value]) => `${name}: ${oneLine(value, TEXT_LENGTH_MAX)}`).join('\n'),
    earlier === 0 ? '' : parts.earlier(earlier),
    parts.todo,
  ].filter((paragraph) => paragraph !== '')
  return {
    subject: oneLine(`${parts.subject} ${words.account(account)}`, SUBJECT_LENGTH_MAX),
    body: `${paragraphs.join('\n\n')}\n`,
  }
}

function whose({ name, account }: LetterContext, words: MailWords): string {
  return `${oneLine(name, 100)} ${words.account(account)}`
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
