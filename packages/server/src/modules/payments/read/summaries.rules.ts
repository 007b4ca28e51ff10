import type { IdRange } from './listing.rules.ts'

/** Digits of ids: a millisecond and 20 bits are 19 digits until the year 2245. */
const ID_DIGITS = 19
/** Fewer digits would fit too many payments to be useful. */
const BEGINNING_MIN = 6
const ID_MAX = 2n ** 63n - 1n

/** Ranges of the ids that begin with the digits; none when the text cannot be the beginning of an id. */
export function idRangesOf(beginning: string): readonly IdRange[] {
  if (!/^[1-9]\d*$/.test(beginning) || beginning.length < BEGINNING_MIN || beginning.length > ID_DIGITS) {
    return []
  }
  const scale = 10n ** BigInt(ID_DIGITS - beginning.length)
  const fromId = BigInt(beginning) * scale
  const untilId = fromId + scale
  return fromId > ID_MAX ? [] : [{ fromId, untilId: untilId > ID_MAX ? ID_MAX : untilId }]
}
