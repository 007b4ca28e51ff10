import type { Values } from './command.ts'
import { text } from './command.ts'
import type { Io } from './io.ts'
import { UsageError } from './io.ts'

const HOUR_MS = 3_600_000
const ZONE_HOURS = 8
/** Progress is shown after so many items. */
const PROGRESS_EVERY = 5_000

/** Returns the day in GMT+8, which the service counts by. */
export function dayOf(ms: number): string {
  return new Date(ms + ZONE_HOURS * HOUR_MS).toISOString().slice(0, 10)
}

export function range(given: string | undefined): string {
  return given ?? dayOf(Date.now())
}

export function lastDays(days: number): string {
  const now = Date.now()
  return `${dayOf(now - (days - 1) * 24 * HOUR_MS)} - ${dayOf(now)}`
}

export function numberOf(values: Values, name: string): number | undefined {
  const given = text(values, name)
  if (given === undefined) return undefined
  if (!/^\d+$/.test(given)) throw new UsageError(`--${name} is a whole number, not ${given}.`)
  return Number(given)
}

export function limitOf(values: Values, usual: number): number {
  const limit = numberOf(values, 'limit') ?? usual
  if (limit < 1) throw new UsageError('--limit is 1 or more.')
  return limit
}

/** Reads items until there are enough. A long walk shows its progress. A part of a list is never taken for the whole. */
export async function takeUpTo<T>(
  io: Pick<Io, 'note' | 'signal'>,
  items: AsyncIterable<T>,
  limit: number,
  isWanted: (item: T) => boolean = () => true,
): Promise<T[]> {
  const found: T[] = []
  let looked = 0
  for await (const item of items) {
    looked += 1
    if (looked % PROGRESS_EVERY === 0) io.note(`… ${looked} looked at\n`)
    if (isWanted(item)) found.push(item)
    if (found.length >= limit) break
    if (io.signal.aborted) throw new Error('Interrupted: the list was not read to its end.')
  }
  return found
}
