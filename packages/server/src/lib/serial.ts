import { unavailable } from './errors.ts'

/** Runs `work` when it is its turn, and not at all when nobody waits for what comes of it by then. */
export type Serial = <T>(work: () => Promise<T>, isAwaited?: () => boolean) => Promise<T>

/**
 * One after the other, at most `waitingMax` in line, the rest is told to come back. For work that is long and would
 * wait for a lock anyway: whoever waits here holds no connection meanwhile, which payments need.
 */
export function createSerial(waitingMax: number): Serial {
  let last: Promise<unknown> = Promise.resolve()
  let inLine = 0
  return async (work, isAwaited = () => true) => {
    if (inLine > waitingMax)
      throw unavailable('busy', 'too many changes of the catalogue wait for their turn')
    inLine += 1
    const mine = last.then(() => {
      if (isAwaited()) return work()
      throw unavailable('too_late', 'nobody waits for this change of the catalogue any longer')
    })
    last = mine.catch(() => {})
    try {
      return await mine
    } finally {
      inLine -= 1
    }
  }
}
