import { RequestError, unavailable } from './errors.ts'

export type TurnLimits = {
  readonly atOnceMax: number
  readonly perOwnerMax: number
  /** Of one owner; whoever comes on top is sent away. */
  readonly waitingPerOwnerMax: number
  readonly waitMs: number
  /** How many times as long as its work took an owner's place stays taken afterwards; none unless given. */
  readonly restFactor?: number
}

/** Of reads that look through much: people who look at their pages leave the database to those who pay. */
export const READ_TURNS: TurnLimits = {
  atOnceMax: 4,
  perOwnerMax: 2,
  waitingPerOwnerMax: 20,
  waitMs: 10_000,
}

/** Work that takes turns: so much at once, so much of one owner, and the rest waits for a while. */
export type Turns = {
  /**
   * 429 when too many of the owner's wait already, 503 when its turn does not come. Work for whose result nobody waits
   * any longer is not begun.
   */
  take<T>(owner: bigint, work: () => Promise<T>, isAwaited?: () => boolean): Promise<T>
  readonly underway: number
}

type Waiting = {
  readonly owner: bigint
  readonly isAwaited: () => boolean
  readonly begin: () => void
  readonly giveUp: (internalText: string) => void
}

const REST_MAX_MS = 5_000

/**
 * The next turn is the owner's who has the fewest at that moment, and among equals of whoever came first: one owner
 * with many holds nobody else up.
 */
export function createTurns(limits: TurnLimits): Turns {
  const { restFactor = 0 } = limits
  const byOwner = new Map<bigint, number>()
  const queue = new Set<Waiting>()
  let underway = 0

  const mayBegin = (owner: bigint) =>
    underway < limits.atOnceMax && (byOwner.get(owner) ?? 0) < limits.perOwnerMax

  function enter(owner: bigint): void {
    underway += 1
    byOwner.set(owner, (byOwner.get(owner) ?? 0) + 1)
  }

  function leave(owner: bigint): void {
    const left = (byOwner.get(owner) ?? 0) - 1
    underway -= 1
    if (left > 0) byOwner.set(owner, left)
    else byOwner.delete(owner)
    forget()
    for (let next = findNext(); next !== undefined; next = findNext()) next.begin()
  }

  function findNext(): Waiting | undefined {
    let next: Waiting | undefined
    for (const waiting of queue) {
      if (!mayBegin(waiting.owner)) continue
      if (next === undefined || shareOf(waiting) < shareOf(next)) next = waiting
    }
    return next
  }

  const shareOf = ({ owner }: Waiting) => byOwner.get(owner) ?? 0

  function forget(): void {
    for (const waiting of queue) if (!waiting.isAwaited()) waiting.giveUp('nobody waits for it any longer')
  }

  function wait(owner: bigint, isAwaited: () => boolean): Promise<void> {
    forget()
    const waitingOfOwner = [...queue].filter((each) => each.owner === owner).length
    if (waitingOfOwner >= limits.waitingPerOwnerMax) throw tooMany()
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        owner,
        isAwaited,
        begin() {
          clearTimeout(timer)
          queue.delete(waiting)
          enter(owner)
          resolve()
        },
        giveUp(internalText) {
          clearTimeout(timer)
          queue.delete(waiting)
          reject(unavailable('busy', internalText))
        },
      }
      const timer = setTimeout(() => waiting.giveUp(`no turn came within ${limits.waitMs} ms`), limits.waitMs)
      queue.add(waiting)
    })
  }

  return {
    async take(owner, work, isAwaited = () => true) {
      if (mayBegin(owner)) enter(owner)
      else await wait(owner, isAwaited)
      const begunMs = performance.now()
      try {
        return await work()
      } finally {
        const restMs = (performance.now() - begunMs) * restFactor
        if (restMs > 0) setTimeout(() => leave(owner), Math.min(restMs, REST_MAX_MS)).unref()
        else leave(owner)
      }
    },
    get underway() {
      return underway
    },
  }
}

function tooMany(): RequestError {
  return new RequestError({
    status: 429,
    code: 'too_many_at_once',
    publicText: 'Others of your requests are still being worked on. Try again when they are answered.',
    headers: { 'Retry-After': '1' },
  })
}
