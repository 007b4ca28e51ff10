import { ApiProblem } from '../api/errors.ts'
import type { Translated } from '../text/language.ts'
import { UI } from './messages.ts'

export type UiText = Translated<(typeof UI)['en']>

/** Sentences about an error: what happened, which fields are wrong, what to do. */
export function problemText(error: unknown, text: UiText): string {
  if (!(error instanceof ApiProblem)) return String(error)
  const parts = [sentenceOf(error, text)]
  if (VAGUE.has(error.message)) parts.push(...fieldTexts(error, text))
  if (error.status === 403 && error.message === '') parts.push(text.forbidden)
  if (error.retryAfterSeconds !== undefined) parts.push(text.waitSeconds(error.retryAfterSeconds))
  return parts.join(' ')
}

/** Says whether a failed change may have been done; nothing where the text of the error says it already. */
export function effectText(error: unknown, text: UiText): string {
  if (error instanceof ApiProblem && error.isUncertain) return text.notKnown
  return /nothing was changed/i.test(problemText(error, text)) && text.notDone === UI.en.notDone
    ? ''
    : text.notDone
}

/** Statuses of 4xx that pass: the same request may succeed later. */
const PASSING = new Set([408, 409, 425, 429])

/** Tells whether the same read can succeed when it is tried again. */
export function isWorthRetrying(error: unknown): boolean {
  if (!(error instanceof ApiProblem)) return true
  return error.status < 400 || error.status >= 500 || PASSING.has(error.status)
}

function sentenceOf({ status, message, code }: ApiProblem, text: UiText): string {
  if (status === 0) return text.noAnswer
  if (message === '') return code
  const known = SENTENCES.find((name) => message.startsWith(UI.en.sentences[name]))
  if (known === undefined) return message
  return text.sentences[known] + message.slice(UI.en.sentences[known].length)
}

const SENTENCES = Object.keys(UI.en.sentences) as (keyof UiText['sentences'])[]

/** Sentences that say nothing without the fields. Any other says itself what is wrong. */
const VAGUE = new Set<string>(['', UI.en.sentences.invalid, UI.en.sentences.cannotBeBought])
const FIELDS_MAX = 5

/** One sentence for each field; a complaint that is no sentence follows the field's name. */
function fieldTexts({ fields }: ApiProblem, text: UiText): string[] {
  return Object.entries(fields)
    .filter(([, [complaint]]) => complaint !== undefined)
    .slice(0, FIELDS_MAX)
    .map(([name, [complaint = '']]) => {
      const isSentence = /^\p{Lu}/u.test(complaint)
      if (isSentence) return complaint
      const label = Object.hasOwn(text.fields, name) ? text.fields[name as keyof UiText['fields']] : name
      return `${label}: ${complaintText(complaint, text)}.`
    })
}

function complaintText(complaint: string, { complaints }: UiText): string {
  if (/^must not (lie|be) before (from|the first day)$/.test(complaint)) return complaints.beforeFirst
  const days = /^must (?:be|lie) at most (\d+) days (?:from the first|before to)$/.exec(complaint)?.[1]
  if (days !== undefined) return complaints.tooManyDays(days)
  if (complaint === 'must not be in the future') return complaints.future
  if (complaint === 'must not be empty') return complaints.empty
  return complaint
}
