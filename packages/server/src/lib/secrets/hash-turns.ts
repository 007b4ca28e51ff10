import { neighbourhoodOf, networkOf } from '../addresses.ts'
import { unavailable } from '../errors.ts'

/** Groups of those who ask for a hash. None of them makes another one wait for long. */
const LANES = ['operator', 'member', 'stranger'] as const
type Lane = (typeof LANES)[number]

/** Somebody who asks for a hash, as far as it is proven before the hash. */
export type Asker = {
  readonly lane: Lane
  /** Names of the shares, from the largest group to the one who asks: each name of a group has the same share. */
  readonly shares: readonly [group: string, one: string]
}

/** A command, a job or the demo: nobody on the network makes it ask. */
export const MACHINE: Asker = { lane: 'operator', shares: ['machine', 'machine'] }

/** Somebody at a place from which nobody has signed in with this name. */
export function strangerAt(address: string): Asker {
  return { lane: 'stranger', shares: [neighbourhoodOf(address), networkOf(address)] }
}

/** A person whose session or browser was proven; for an operator the account is empty. */
export function personOf(kind: 'member' | 'operator', account: string, name: string): Asker {
  return { lane: kind, shares: [kind === 'operator' ? name : account, name] }
}

export type HashLimits = {
  /** Limit of hashes at once, and of those of strangers among them. */
  readonly atOnceMax: number
  readonly strangersAtOnceMax: number
  /** Factor of the duration of a stranger's hash for which the next stranger waits. */
  readonly strangersRest: number
  /** Limits of waiting hashes: of one who asks, and of a lane. */
  readonly waitingOfOneMax: number
  readonly waitingMax: number
  /** Longest wait. */
  readonly waitMs: number
}

export type HashTurns = {
  /** Runs the work in its turn. It throws 503 when too many wait already, or no turn comes in time. */
  take<T>(asker: Asker, work: () => Promise<T>): Promise<T>
  /**
   * Throws the same 503 at once if there is no place to wait now. It takes none: it spares those who would be refused
   * the work that comes before their hash.
   */
  admit(asker: Asker): void
}

type Waiting = {
  readonly shares: Asker['shares']
  readonly begin: () => void
  readonly refuse: () => void
}

type Queue = { underWay: number; resting: number; readonly waiting: Waiting[]; readonly served: Rounds }

/**
 * Shares out turns. A free place goes to the lane that has the fewest under way, and among equals to the one that waits
 * longest for its turn; in a lane the groups take turns, and in a group its members. So many requests of one network
 * delay the next request of another network by one turn, and no person who is known by more than that.
 */
export function createHashTurns(limits: HashLimits): HashTurns {
  const lanes = new Map<Lane, Queue>(
    LANES.map((lane) => [lane, { underWay: 0, resting: 0, waiting: [], served: createRounds() }]),
  )
  const order: Lane[] = [...LANES]

  function mayBegin(lane: Lane): boolean {
    const { underWay, resting } = queueOf(lane)
    const laneMax = lane === 'stranger' ? limits.strangersAtOnceMax : limits.atOnceMax
    return sumOf(lanes) < limits.atOnceMax && underWay + resting < laneMax
  }

  function queueOf(lane: Lane): Queue {
    return lanes.get(lane) as Queue
  }

  function enter(lane: Lane, shares: Asker['shares']): void {
    const queue = queueOf(lane)
    queue.underWay += 1
    queue.served.note(shares)
    order.push(...order.splice(order.indexOf(lane), 1))
  }

  function beginNext(): void {
    for (;;) {
      let next: Lane | undefined
      for (const lane of order) {
        if (queueOf(lane).waiting.length === 0 || !mayBegin(lane)) continue
        if (next === undefined || queueOf(lane).underWay < queueOf(next).underWay) next = lane
      }
      if (next === undefined) return
      const { waiting, served } = queueOf(next)
      const first = served.first(waiting)
      waiting.splice(waiting.indexOf(first), 1)
      enter(next, first.shares)
      first.begin()
    }
  }

  /** Throws if somebody who asks now would be refused: those of one are many, or a full lane has most of this group. */
  function admit({ lane, shares }: Asker): void {
    const { waiting } = queueOf(lane)
    const own = waiting.filter((each) => each.shares[0] === shares[0] && each.shares[1] === shares[1])
    const isLast =
      waiting.length >= limits.waitingMax && findLastOfLargest([...waiting, { shares }]) === waiting.length
    if (own.length >= limits.waitingOfOneMax || isLast) throw tooManyWait(lane)
  }

  function wait(asker: Asker): Promise<void> {
    admit(asker)
    const { lane, shares } = asker
    const { waiting } = queueOf(lane)
    return new Promise((resolve, reject) => {
      const self: Waiting = {
        shares,
        begin() {
          clearTimeout(timer)
          resolve()
        },
        refuse() {
          clearTimeout(timer)
          waiting.splice(waiting.indexOf(self), 1)
          reject(tooManyWait(lane))
        },
      }
      const timer = setTimeout(self.refuse, limits.waitMs)
      waiting.push(self)
      if (waiting.length > limits.waitingMax) waiting[findLastOfLargest(waiting)]?.refuse()
    })
  }

  function leave(lane: Lane, restMs: number): void {
    const queue = queueOf(lane)
    queue.underWay -= 1
    if (restMs > 0) {
      queue.resting += 1
      setTimeout(() => {
        queue.resting -= 1
        beginNext()
      }, restMs).unref()
    }
    beginNext()
  }

  return {
    admit,
    async take(asker, work) {
      const { lane, shares } = asker
      if (mayBegin(lane) && queueOf(lane).waiting.length === 0) enter(lane, shares)
      else await wait(asker)
      const begunMs = performance.now()
      try {
        return await work()
      } finally {
        const rest = lane === 'stranger' ? limits.strangersRest : 0
        leave(lane, (performance.now() - begunMs) * rest)
      }
    },
  }
}

function tooManyWait(lane: Lane) {
  return unavailable('busy', `too many passwords of a ${lane} wait to be hashed`)
}

function sumOf(lanes: ReadonlyMap<Lane, Queue>): number {
  let sum = 0
  for (const { underWay } of lanes.values()) sum += underWay
  return sum
}

/** Finds the newest of the largest one in the largest group. */
function findLastOfLargest(waiting: readonly Pick<Waiting, 'shares'>[]): number {
  const group = largestOf(waiting.map(({ shares }) => shares[0]))
  const inGroup = waiting.filter(({ shares }) => shares[0] === group)
  const one = largestOf(inGroup.map(({ shares }) => shares[1]))
  return waiting.findLastIndex(({ shares }) => shares[0] === group && shares[1] === one)
}

function largestOf(names: readonly string[]): string | undefined {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  let largest: string | undefined
  for (const [name, count] of counts) if (count > (counts.get(largest ?? '') ?? 0)) largest = name
  return largest
}

// ── Rounds ──

/** When each share had its last turn. */
type Rounds = {
  note(shares: Asker['shares']): void
  /** Returns the wait whose group, and in it the one who asks, had no turn for the longest time. */
  first(waiting: readonly Waiting[]): Waiting
}

/** Limit of remembered shares. A forgotten one counts as never served. */
const REMEMBERED_MAX = 1_000

function createRounds(): Rounds {
  const turns = new Map<string, number>()
  let turn = 0

  function remember(name: string): void {
    turns.delete(name)
    turns.set(name, turn)
    const oldest = turns.keys().next()
    if (turns.size > REMEMBERED_MAX && oldest.done !== true) turns.delete(oldest.value)
  }

  const groupKey = ([group]: Asker['shares']) => group
  const oneKey = ([group, one]: Asker['shares']) => `${group}\n${one}`
  const lastOf = (key: string) => turns.get(key) ?? 0

  return {
    note(shares) {
      turn += 1
      remember(groupKey(shares))
      remember(oneKey(shares))
    },
    first(waiting) {
      return waiting.reduce((first, each) => {
        const byGroup = lastOf(groupKey(each.shares)) - lastOf(groupKey(first.shares))
        const byOne = lastOf(oneKey(each.shares)) - lastOf(oneKey(first.shares))
        return byGroup < 0 || (byGroup === 0 && byOne < 0) ? each : first
      })
    },
  }
}
