import type { Database } from '../../../db/database.ts'
import { isOutOfReach } from '../../../db/database.ts'
import type { Vault } from '../../../db/vault.ts'
import { messageOf } from '../messages/messages.view.ts'
import { STREAM_TRAITS } from '../streams.rules.ts'
import type { EventReader, EventRef, LoadedEvent } from '../types.ts'
import { attemptsMaxOf, retryMsAfter } from './attempt.rules.ts'
import { listDue } from './deliveries.sql.ts'
import type { DueDelivery, LaneKey, ReadyDelivery, Result, Target, Todo } from './deliveries.types.ts'
import { laneKeyOf } from './lane.rules.ts'
import type { TargetState } from './targets.service.ts'
import { createTargets } from './targets.service.ts'

/** Rows that are wanted of one lane. */
export type Wanted = LaneKey & { readonly rowsMax: number }

export type DueReader = {
  /**
   * Reads what is due in the lanes and not `isTaken`, at most `rowsMax` of each lane, oldest first. Nothing is read of a
   * lane whose receiver takes nothing: see `Read.closed`.
   */
  read(lanes: readonly Wanted[], isTaken: (id: string) => boolean): Promise<Read>
}

export type Read = {
  readonly ready: readonly ReadyDelivery[]
  /** Lanes whose receiver is removed, disabled or paused, and in which something is due that is not to be sent. */
  readonly closed: readonly LaneKey[]
}

/**
 * Reads due deliveries with all that is needed to send them. The number of statements does not depend on the number of
 * deliveries or lanes. Targets are read after the deliveries, and events after them, so that they are never older.
 */
export function createDueReader(settings: {
  database: Database
  vault: Vault
  reader: EventReader
  onProblem: (error: unknown) => void
}): DueReader {
  const { database, vault, reader, onProblem } = settings
  const targets = createTargets(database, vault)

  async function read(lanes: readonly Wanted[], isTaken: (id: string) => boolean): Promise<Read> {
    const readAtMs = performance.now()
    const due = await listDue(
      database,
      lanes,
      lanes.map(({ rowsMax }) => rowsMax),
    )
    const fresh = due.filter(({ id }) => !isTaken(id))
    if (fresh.length === 0) return { ready: [], closed: [] }
    const states = await targets.find(lanesOf(fresh))
    const open = fresh.flatMap((delivery) => {
      const target = targetOf(delivery, states.get(laneKeyOf(delivery)))
      return target === undefined ? [] : [{ delivery, target }]
    })
    const events = await load(open.map(({ delivery }) => delivery.ref))
    const ready = open.map(({ delivery, target }, index) => {
      try {
        return { readAtMs, delivery, ...todoOf(delivery, target, events[index]) }
      } catch (error) {
        onProblem(error)
        return { readAtMs, delivery, ...ended(delivery, 'failed', 'The event cannot be told') }
      }
    })
    const kept = new Set(open.map(({ delivery }) => delivery))
    return { ready, closed: lanesOf(fresh.filter((delivery) => !kept.has(delivery))) }
  }

  /**
   * Reads the events one by one when they cannot be read together: one bad event must not hold up the others. An event
   * is given up when it cannot be read twice: a database that goes away may fail once with any error.
   */
  async function load(refs: readonly EventRef[]): Promise<readonly Loaded[]> {
    if (refs.length === 0) return []
    try {
      return await reader.read(refs)
    } catch (error) {
      if (isOutOfReach(error)) throw error
      onProblem(error)
      const each: Loaded[] = []
      for (const ref of refs) each.push(await loadAlone(ref))
      return each
    }
  }

  async function loadAlone(ref: EventRef): Promise<Loaded> {
    try {
      const [event] = await reader.read([ref])
      return event
    } catch (error) {
      if (isOutOfReach(error)) throw error
      onProblem(error)
      return 'unreadable'
    }
  }

  return { read }
}

/** Undefined: the record of the event is no longer kept. */
type Loaded = LoadedEvent | undefined | 'unreadable'

/** Finds where a delivery goes; undefined: its receiver is closed to it. end_deliveries judges by the same rules. */
function targetOf(delivery: DueDelivery, state: TargetState | undefined): Target | undefined {
  if (state === undefined || state.kind === 'disabled') return undefined
  return state.kind === 'open' || isTest(delivery) ? state.target : undefined
}

/** Decides whether a delivery is sent, or ends without a request. */
function todoOf(delivery: DueDelivery, target: Target, event: Loaded): Todo {
  if (event === 'unreadable') return ended(delivery, 'failed', 'The event cannot be read')
  if (event === undefined) return ended(delivery, 'failed', 'The event is no longer kept')
  // A replay is the owner's request for this very event, so it is sent although a later state exists.
  const { sendsLatestStateOnly } = STREAM_TRAITS[delivery.stream]
  if (sendsLatestStateOnly && event.isSuperseded && !delivery.isReplay) {
    return ended(delivery, 'superseded', '')
  }
  return { kind: 'send', target, text: messageOf(delivery.stream, target.method, event).text }
}

function ended(delivery: DueDelivery, outcome: 'failed' | 'superseded', error: string): Todo {
  return { kind: 'settled', result: resultOf(delivery, { outcome, error, attempt: undefined }) }
}

export function isTest({ ref }: DueDelivery): boolean {
  return ref.source === 'test'
}

export function resultOf(
  delivery: DueDelivery,
  { outcome, error, attempt }: Pick<Result, 'outcome' | 'error' | 'attempt'>,
): Result {
  const { stream, attemptsMade } = delivery
  return {
    delivery,
    outcome,
    attemptsMax: attemptsMaxOf(stream, isTest(delivery)),
    retryMs: retryMsAfter(stream, attemptsMade + 1),
    isTest: isTest(delivery),
    error,
    attempt,
  }
}

function lanesOf(deliveries: readonly DueDelivery[]): LaneKey[] {
  const lanes = new Map<string, LaneKey>()
  for (const { resellerId, stream } of deliveries) {
    lanes.set(laneKeyOf({ resellerId, stream }), { resellerId, stream })
  }
  return [...lanes.values()]
}
