import { unavailable } from './errors.ts'

/** Runs `work` when it is its turn, and not at all when its result is no longer awaited by then. */
export type Serial = <T>(work: () => Promise<T>, isAwaited?: () => boolean) => Promise<T>

/**
 * Runs work one after the other. At most `waitingMax` wait in line; further callers are told to come back. It is for
 * long work that would wait for a lock anyway: work that waits here holds no connection, which payments need.
 */
export function createSerial(waitingMax: number): Serial {
  let last: Promise<unknown> = Promise.resolve()
  let inLine = 0
  return async (work, isAwaited = () => true) => {
    if (inLine > waitingMax) throw unavailable('busy', 'too many wait for their turn')
    inLine += 1
    const mine = last.then(() => {
      if (isAwaited()) return work()
      throw unavailable('too_late', 'nobody waits for the result any longer')
    })
    last = mine.catch(() => {})
    try {
      return await mine
    } finally {
      inLine -= 1
    }
  }
}
