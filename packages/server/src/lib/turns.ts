import { RequestError, unavailable } from './errors.ts'

export type TurnLimits = {
  readonly atOnceMax: number
  readonly perOwnerMax: number
  /** Limit of one owner's waiting work; further work is refused. */
  readonly waitingPerOwnerMax: number
  readonly waitMs: number
  /** Factor of the work's duration for which its place stays taken afterwards; 0 unless given. */
  readonly restFactor?: number
}

/** Limits of reads that look through much data: readers of pages leave the database to payments. */
export const READ_TURNS: TurnLimits = {
  atOnceMax: 4,
  perOwnerMax: 2,
  waitingPerOwnerMax: 20,
  waitMs: 10_000,
}

/** Turns that limit work: a total at once, a number per owner; further work waits for a limited time. */
export type Turns = {
  /**
   * Runs the work in its turn. It throws 429 when too many of the owner's calls wait already, and 503 when its turn
   * does not come. Work whose result is no longer awaited is not begun.
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
 * Gives the next turn to the owner who has the fewest at that moment, and among equals to the first that came. An owner
 * with much work therefore delays no other owner.
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
    const findNext = () => findFewest(queue, mayBegin, byOwner)
    for (let next = findNext(); next !== undefined; next = findNext()) next.begin()
  }

  function forget(): void {
    for (const waiting of queue) if (!waiting.isAwaited()) waiting.giveUp('nobody waits for it any longer')
  }

  function wait(owner: bigint, isAwaited: () => boolean): Promise<void> {
    forget()
    const waitingOfOwner = [...queue].filter((each) => each.owner === owner).length
    if (waitingOfOwner >= limits.waitingPerOwnerMax) throw tooMany()
    return enqueue(queue, { owner, isAwaited, waitMs: limits.waitMs }, () => enter(owner))
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

/** Finds the owner's wait with the fewest turns under way; among equals the first. */
function findFewest(
  queue: ReadonlySet<Waiting>,
  mayBegin: (owner: bigint) => boolean,
  byOwner: ReadonlyMap<bigint, number>,
): Waiting | undefined {
  const shareOf = ({ owner }: Waiting) => byOwner.get(owner) ?? 0
  let next: Waiting | undefined
  for (const waiting of queue) {
    if (!mayBegin(waiting.owner)) continue
    if (next === undefined || shareOf(waiting) < shareOf(next)) next = waiting
  }
  return next
}

/** Waits in the queue. `onBegin` is called when the turn comes, before the promise resolves. */
function enqueue(
  queue: Set<Waiting>,
  { owner, isAwaited, waitMs }: Pick<Waiting, 'owner' | 'isAwaited'> & { readonly waitMs: number },
  onBegin: () => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const waiting: Waiting = {
      owner,
      isAwaited,
      begin() {
        clearTimeout(timer)
        queue.delete(waiting)
        onBegin()
        resolve()
      },
      giveUp(internalText) {
        clearTimeout(timer)
        queue.delete(waiting)
        reject(unavailable('busy', internalText))
      },
    }
    const timer = setTimeout(() => waiting.giveUp(`no turn came within ${waitMs} ms`), waitMs)
    queue.add(waiting)
  })
}

function tooMany(): RequestError {
  return new RequestError({
    status: 429,
    code: 'too_many_at_once',
    publicText: 'Other requests of yours are still under way. Try again when they are answered.',
    headers: { 'Retry-After': '1' },
  })
}
