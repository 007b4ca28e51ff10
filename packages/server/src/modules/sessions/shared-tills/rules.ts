import type { Rule } from '../../../lib/input/fields.ts'
import { parseDigits, text, textRule, wholeNumber } from '../../../lib/input/fields.ts'
import type { PersonKey } from '../people/people.types.ts'

/** Limit of the open shared tills of an account. */
export const SHARED_TILLS_MAX = 50

/**
 * Wrong PINs in a row that lock a person's PIN at one till. It is locked there alone, until an owner or a manager ends
 * the lock: a thief at one till keeps nobody from selling at another.
 */
export const WRONG_IN_A_ROW_MAX = 5
/**
 * Wrong PINs of everybody within a day that lock the PINs of a till. Right ones do not take them back, so a colleague who
 * guesses between the sales of others has few guesses, too.
 */
export const WRONG_OF_TILL_MAX = 50

const IDLE_SECONDS = { least: 30, most: 3_600 }

export const TILL_RULES = {
  name: text(1, 60),
  idleSeconds: wholeNumber(IDLE_SECONDS.least, IDLE_SECONDS.most),
}

const PIN_LENGTH = 6

/** Chosen PIN. Those that people try first are refused. */
export const NEW_PIN: Rule<string> = textRule({
  message: 'must be 6 digits that nobody guesses at once: not one digit alone, no row, no repetition',
  schema: { pattern: `^\\d{${PIN_LENGTH}}$` },
  parse: (given) => (isPinShaped(given) && !isEasy(given) ? given : undefined),
})

function isPinShaped(given: string): boolean {
  return given.length === PIN_LENGTH && parseDigits(given) !== undefined
}

/** Tells whether the PIN is among the first that somebody would try. */
function isEasy(pin: string): boolean {
  const digits = [...pin].map(Number)
  const steps = digits.slice(1).map((digit, at) => (digit - (digits[at] ?? 0) + 10) % 10)
  const isRow = new Set(steps).size === 1
  const isRepetition = pin.slice(0, 3) === pin.slice(3) || /^(\d\d)\1\1$/.test(pin)
  return isRow || isRepetition || new Set(digits).size < 3
}

/** Text that is hashed: the hash of one member proves nothing about another. */
export function pinText({ resellerId, id }: Pick<PersonKey, 'resellerId' | 'id'>, pin: string): string {
  return `${resellerId}/${id}/${pin}`
}

/** Context that binds the sealed hash to its row. */
export function pinContext({ resellerId, id }: Pick<PersonKey, 'resellerId' | 'id'>): string {
  return `member_pin:${resellerId}/${id}`
}
