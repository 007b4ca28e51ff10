import { ExactNumber } from '../language/numbers.rules.ts'
import { textOfValue } from '../language/paths.rules.ts'
import type { UnmappedAnswer } from '../port/types.ts'
import type { Undecided } from './mapping.rules.ts'
import { showable } from './mapping.rules.ts'
import { isRevealed } from './redaction.rules.ts'

// Rules that show an answer to a person without what is in it: its form, and the words that can be meanings.

const SAMPLE_MAX = 2_000
const DEPTH_MAX = 8
const ITEMS_MAX = 5
const MEMBERS_MAX = 50
const MASK = '…'

/** Words of letters alone: INSUFFICIENT_FUNDS. One part is a word up to this length; a voucher's code is longer. */
const WORD = /^[A-Z]{2,14}(?:[_-][A-Z]{2,14}){0,4}$/
/** Codes that are too short for an account or a PIN: 7, 104, E07. */
const SHORT_CODE = /^[A-Z]{0,2}-?\d{1,3}$/
/** Names of members; others may be an account under which data stand. */
const NAME = /^[A-Za-z_$][A-Za-z_$.-]{0,39}\d{0,2}$/
/** Members whose value is what the customer bought, or who they are, whatever it looks like. */
const DISCREET =
  /pin|card|voucher|serial|token|account|number|msisdn|phone|mobile|receipt|redemption|password|secret|key|mail|name|user|customer/i

/** Returns the word that no table knows, and the answer around it with all that is not a word masked. */
export function unmappedOf(
  { path, value, json }: NonNullable<Undecided['unmapped']>,
  operation: UnmappedAnswer['operation'],
  hidden: readonly string[],
): UnmappedAnswer {
  const word = hidden.some((secret) => isRevealed(secret, value)) ? MASK : showable(value)
  const sample = JSON.stringify(masked(json, { word, hidden }, false, DEPTH_MAX)) ?? ''
  return { operation, path, value: word, sample: cut(sample) }
}

type Masking = { readonly word: string; readonly hidden: readonly string[] }

function masked(value: unknown, masking: Masking, isDiscreet: boolean, depthLeft: number): unknown {
  if (value === null || typeof value === 'boolean') return value
  if (typeof value !== 'object' || value instanceof ExactNumber) return maskedText(value, masking, isDiscreet)
  if (depthLeft === 0) return MASK
  if (Array.isArray(value)) {
    return value.slice(0, ITEMS_MAX).map((item) => masked(item, masking, isDiscreet, depthLeft - 1))
  }
  const entries = Object.entries(value).slice(0, MEMBERS_MAX)
  return Object.fromEntries(
    entries.map(([name, member]) => [
      NAME.test(name) ? name : MASK,
      masked(member, masking, isDiscreet || DISCREET.test(name), depthLeft - 1),
    ]),
  )
}

function maskedText(value: unknown, { word, hidden }: Masking, isDiscreet: boolean): string {
  const text = textOfValue(value) ?? ''
  if (text === '') return text
  if (isDiscreet || hidden.some((secret) => secret === text || isRevealed(secret, text))) return MASK
  return text === word || WORD.test(text) || SHORT_CODE.test(text) ? text : MASK
}

/** Cuts a sample, but not within a character. */
function cut(sample: string): string {
  return sample.length <= SAMPLE_MAX
    ? sample
    : `${sample.slice(0, SAMPLE_MAX - 1).replace(/\p{Cs}/gu, '')}${MASK}`
}
