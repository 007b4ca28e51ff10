/**
 * Limit of bytes that large answers write in one turn of the event loop, all connections together. A write that the
 * system takes at once ends at once, so an answer would go on within the same turn until the connection's buffer is
 * full. Hundreds of readers that take nothing would then stop every other request for seconds.
 */
export const TURN_BYTES = 4 * 1024 * 1024

type Waiting = { readonly bytes: number; readonly go: () => void }

let leftBytes = TURN_BYTES
let isScheduled = false
let waiting: Waiting[] = []

/** Takes room for a piece. Returns undefined when there is room in this turn, and a promise of a later turn otherwise. */
export function turnFor(bytes: number): Promise<void> | undefined {
  schedule()
  if (waiting.length === 0 && leftBytes > 0) {
    leftBytes -= bytes
    return undefined
  }
  return new Promise((go) => {
    waiting.push({ bytes, go })
  })
}

function schedule(): void {
  if (isScheduled) return
  isScheduled = true
  setImmediate(begin)
}

/** Begins a turn: those who wait come first, in the order of their arrival. */
function begin(): void {
  isScheduled = false
  leftBytes = TURN_BYTES
  let served = 0
  while (served < waiting.length && leftBytes > 0) {
    const { bytes, go } = waiting[served] as Waiting
    leftBytes -= bytes
    served += 1
    go()
  }
  waiting = waiting.slice(served)
  // The next turn has its whole room again, also when nobody waits any more.
  if (served > 0) schedule()
}
