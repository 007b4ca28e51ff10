import { isStatusPath, textAt, textOfValue, valueAt, valuesAt } from '../language/paths.rules.ts'
import type {
  Decision,
  OpenWord,
  OptionsResponse,
  Path,
  ResponseReading,
  Values,
  Verdict,
} from '../language/types.ts'
import { isCrowded, partOf } from './lists.rules.ts'
import { moneyAt } from './money.rules.ts'

// Rules that read the meaning of a supplier's JSON.

/** Returns a supplier's message for people, in one line. `discreet` shortens it after looking for secrets. */
export function messageAt(json: unknown, paths: readonly Path[]): string | undefined {
  const found = paths.flatMap((path) => valuesAt(json, path))
  const lines = found.map((value) =>
    textOfValue(value)
      ?.replace(/[\p{C}\s]+/gu, ' ')
      .trim(),
  )
  return lines.find((words) => words !== undefined && words !== '')
}

// ── Outcomes ──

/** Value of an answer that the tables do not know, and the path at which it stands. */
export type UnmappedWord = { readonly path: string; readonly value: string }

export type Decided<Name extends string> =
  | { readonly kind: 'decided'; readonly verdict: Verdict<Name> }
  /** No path leads to a value. */
  | { readonly kind: 'silent' }
  /** The value is not in the table. */
  | { readonly kind: 'unmapped'; readonly word: UnmappedWord }
  /** The value is in the table, and decides nothing. */
  | { readonly kind: 'open'; readonly reason: string }
  /** Several elements have values that mean different things. */
  | { readonly kind: 'mixed' }

/** Decides an outcome. `status` is the value of the path `$status`. */
export function decide<Name extends string>(
  decision: Decision<Name>,
  json: unknown,
  status: number | null = null,
): Decided<Name> {
  for (const path of decision.paths) {
    const values = isStatusPath(path) ? [status].filter((each) => each !== null) : valuesAt(json, path)
    if (values.length > 0) return decideAmong(decision, path, values, json, status)
  }
  const isPresent = decision.present?.some((path) => valuesAt(json, path).some(isText)) ?? false
  return isPresent ? { kind: 'decided', verdict: PRESENT as Verdict<Name> } : { kind: 'silent' }
}

/** Only operations that can succeed are read by what is present. */
const PRESENT: Verdict = { outcome: 'succeeded', code: null, reason: null }

function isText(value: unknown): boolean {
  return (textOfValue(value)?.trim() ?? '') !== ''
}

function decideAmong<Name extends string>(
  { table }: Decision<Name>,
  path: Path,
  values: readonly unknown[],
  json: unknown,
  status: number | null,
): Decided<Name> {
  const texts = [...new Set(values.map((value) => textOfValue(value) ?? typeof value))]
  const known = texts.filter((text) => table.has(text))
  const word = { path: path.join('.'), value: texts[0] ?? '' }
  if (known.length === 0) return { kind: 'unmapped', word }
  const found = known.map((text) => decideEntry(table.get(text), { ...word, value: text }, json, status))
  const [first = { kind: 'unmapped', word }] = found
  return found.every((each) => isSameMeaning(each, first)) ? first : { kind: 'mixed' }
}

function decideEntry<Name extends string>(
  entry: Verdict<Name> | Decision<Name> | OpenWord | undefined,
  word: UnmappedWord,
  json: unknown,
  status: number | null,
): Decided<Name> {
  if (entry === undefined) return { kind: 'unmapped', word }
  if ('outcome' in entry) return { kind: 'decided', verdict: { ...entry, word: word.value } }
  if ('leavesOpen' in entry) {
    return {
      kind: 'open',
      reason: entry.reason ?? `the supplier's "${showable(word.value)}" decides nothing`,
    }
  }
  const further = decide(entry, json, status)
  if (further.kind !== 'silent' && further.kind !== 'unmapped') return further
  // The outer value is known, so even a missing inner value may be taken as `otherwise`.
  if (entry.otherwise !== null) {
    const { value } = further.kind === 'unmapped' ? further.word : word
    return { kind: 'decided', verdict: { ...entry.otherwise, word: showable(value) } }
  }
  return further.kind === 'unmapped' ? further : { kind: 'unmapped', word }
}

function isSameMeaning(one: Decided<string>, other: Decided<string>): boolean {
  if (one.kind !== 'decided' || other.kind !== 'decided') return one.kind === other.kind
  return one.verdict.outcome === other.verdict.outcome && one.verdict.code === other.verdict.code
}

/** A whole answer, read as far as possible. */
export type Answer = {
  readonly status: number
  /** Parsed body; undefined when it is not JSON. */
  readonly json: unknown
}

export type Judged<Name extends string> =
  /** `json` is the part of the answer that is about the question's subject. */
  { readonly kind: 'decided'; readonly verdict: Verdict<Name>; readonly json: unknown } | Undecided

/** `unmapped` has the word that no table knows, and the part of the answer in which it stands. */
export type Undecided = {
  readonly kind: 'undecided'
  readonly reason: string
  readonly isAmbiguous?: true
  readonly unmapped?: UnmappedWord & { readonly json: unknown }
}

/** Outcomes that contradict a 4xx status. */
const NEEDS_SUCCESS = new Set(['succeeded', 'reversed', 'approved', 'found'])

/** Outcomes of an order that was never taken, whose answer therefore need not name it. */
const ABSENCE_OF_ORDER = 'not_acted'
/** Outcome of a question about an order that the supplier does not have. */
const ABSENCE_IN_QUESTION = 'not_found'

/**
 * Decides what an answer says about the question, which was written with `values`. An answer that is not whole,
 * well-formed and foreseen in the configuration says nothing. Neither does a 5xx, which a proxy that never asked the
 * supplier can send.
 */
export function judge<Name extends string>(
  response: ResponseReading<Name>,
  { status, json }: Answer,
  values: Values,
  absence: string = ABSENCE_OF_ORDER,
): Judged<Name> {
  const isSuccess = status >= 200 && status < 300
  const isRefusal = (status >= 400 && status < 500) || response.trusted.has(status)
  const isRead = response.read?.has(status) ?? true
  if (!isRead || (!isSuccess && !isRefusal)) return undecided(`the supplier answered ${status}`)
  const part = partOf(response.list, json, values)
  if (part.kind === 'unclear') return part.isAmbiguous ? ambiguous(part.reason) : undecided(part.reason)
  if (part.kind === 'absent') {
    const verdict = response.list?.absent ?? null
    if (verdict !== null && isSuccess) return { kind: 'decided', verdict, json: undefined }
    return undecided('the list in the answer has nothing of ours')
  }
  if (response.positions.some((path) => isCrowded(part.json, path))) {
    return ambiguous('the answer has several elements where one is expected')
  }
  const reference = typeof values.reference === 'string' ? values.reference : null
  return judgePart(response, status, part, { reference, absence })
}

type Subject = { readonly reference: string | null; readonly absence: string }

function judgePart<Name extends string>(
  response: ResponseReading<Name>,
  status: number,
  { kind, json }: { readonly kind: 'whole' | 'picked' | 'outside'; readonly json: unknown },
  { reference, absence }: Subject,
): Judged<Name> {
  const isSuccess = status >= 200 && status < 300
  const decided = json === undefined ? ({ kind: 'silent' } as const) : decide(response.outcome, json, status)
  // Beside its list, an answer can only say that there is no such order.
  const own = kind === 'outside' ? undefined : reference
  const named = response.reference === null ? own : textAt(json, response.reference)
  const isOurs = reference === null || named === reference
  switch (decided.kind) {
    case 'silent': {
      const verdict = response.httpStatus.get(status)
      if (verdict !== undefined) return { kind: 'decided', verdict: withStatus(verdict, status), json }
      return undecided(json === undefined ? `${status} without JSON` : `${status} without an outcome`)
    }
    case 'open':
      return undecided(decided.reason)
    case 'mixed':
      return undecided('the answer has several codes that mean different things')
    case 'unmapped': {
      const reason = `the supplier's "${showable(decided.word.value)}" is not in the table`
      return { ...undecided(reason), ...(isOurs && { unmapped: { ...decided.word, json } }) }
    }
    case 'decided': {
      const { verdict } = decided
      if (!isSuccess && NEEDS_SUCCESS.has(verdict.outcome)) {
        return undecided(`the supplier answered ${status} and ${verdict.outcome} at once`)
      }
      if (!isOurs && !(verdict.outcome === absence && named === undefined)) {
        return undecided('the answer is not about this order')
      }
      return { kind: 'decided', verdict, json }
    }
  }
}

/** Statuses that refuse the request itself: its credentials, its time or its pace. */
const REFUSED_REQUEST = new Set([401, 403, 407, 408, 425, 429])

/**
 * Decides what the answer to a question says. A supplier that refuses the question says nothing about its subject, also
 * where the body has the word for a failed order. Only a configuration that names the status decides by it.
 */
export function judgeQuestion<Name extends string>(
  response: ResponseReading<Name>,
  answer: Answer,
  values: Values,
): Judged<Name> {
  const { status, json } = answer
  if (!REFUSED_REQUEST.has(status) || response.outcome.paths.some(isStatusPath)) {
    return judge(response, answer, values, ABSENCE_IN_QUESTION)
  }
  const verdict = response.httpStatus.get(status)
  return verdict === undefined
    ? undecided(`the supplier refused the question with ${status}`)
    : { kind: 'decided', verdict: withStatus(verdict, status), json }
}

function withStatus<V extends Verdict>(verdict: V, status: number): V {
  return { ...verdict, word: `HTTP ${status}` }
}

function undecided(reason: string): Undecided {
  return { kind: 'undecided', reason }
}

function ambiguous(reason: string): Undecided {
  return { kind: 'undecided', reason, isAmbiguous: true }
}

/** Shows a short code so that it can be added to the table; a longer value, or a long number, may be anything. */
export function showable(value: string): string {
  return /^[\w .:/-]{1,40}$/.test(value) && !/\d{8}/.test(value) ? value : '…'
}

// ── Lists ──

const FEATURES_MAX = 50

/** Returns undefined when the item does not look like an option. */
export function optionOf(item: unknown, paths: OptionsResponse['option']) {
  const code = textAt(item, paths.code)
  const label = textAt(item, paths.label)
  const hasDenomination =
    paths.denomination !== null && (valueAt(item, paths.denomination.path) ?? null) !== null
  const denomination =
    paths.denomination !== null && hasDenomination ? moneyAt(item, paths.denomination) : null
  if (code === undefined || code === '' || label === undefined || denomination === undefined) return undefined
  const optional = (path: Path | null) => (path === null ? null : (textAt(item, path) ?? null))
  const features = paths.features === null ? undefined : valueAt(item, paths.features)
  return {
    code,
    label,
    description: optional(paths.description),
    accountNumber: optional(paths.accountNumber),
    denomination,
    validity: optional(paths.validity),
    features: Array.isArray(features)
      ? features.filter((each) => typeof each === 'string').slice(0, FEATURES_MAX)
      : null,
  }
}
