import type { Rule } from '../../../lib/input/fields.ts'
import { textRule } from '../../../lib/input/fields.ts'

const ISO = /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?(Z|[+-]\d\d:\d\d)$/
const MINUTE_MICROS = 60_000_000n

/** Rule for an instant of the ledger. */
export const INSTANT: Rule<bigint> = textRule({
  message: 'must be an ISO 8601 instant with its zone, such as 2026-07-30T23:59:59+08:00',
  schema: { pattern: ISO.source },
  parse: parseInstant,
})

/**
 * Returns the microseconds since 1970 of an ISO 8601 instant with a zone. The ledger's times have microseconds; a Date
 * has not. Returns undefined for any other text.
 */
export function parseInstant(text: string): bigint | undefined {
  const match = ISO.exec(text)
  if (match === null) return undefined
  const [, day = '', hours = '', minutes = '', seconds = '00', fraction = '', zone = ''] = match
  const local = `${day}T${hours}:${minutes}:${seconds}.000Z`
  const date = new Date(local)
  // A date that does not exist is refused, and not moved to one that does.
  if (Number.isNaN(date.getTime()) || date.toISOString() !== local) return undefined
  const offset = offsetMinutes(zone)
  if (offset === undefined) return undefined
  const micros = BigInt(date.getTime()) * 1_000n + BigInt(fraction.padEnd(6, '0'))
  return micros - BigInt(offset) * MINUTE_MICROS
}

function offsetMinutes(zone: string): number | undefined {
  if (zone === 'Z') return 0
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(4, 6))
  if (hours > 14 || minutes > 59) return undefined
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes)
}

/** Formats an instant in UTC with all six decimals. `parseInstant` reads this format. */
export function formatInstant(micros: bigint): string {
  const inSecond = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n
  const whole = new Date(Number((micros - inSecond) / 1_000n)).toISOString()
  return `${whole.slice(0, 19)}.${String(inSecond).padStart(6, '0')}Z`
}
