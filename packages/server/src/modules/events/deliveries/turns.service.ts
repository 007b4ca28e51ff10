import type { Database } from '../../../db/database.ts'
import { isOutOfReach } from '../../../db/database.ts'
import type { Vault } from '../../../db/vault.ts'
import { withFreshKeys } from '../../../db/vault.ts'
import { openSecret, signingKeyOf } from '../endpoints/secrets.service.ts'
import { messageOf } from '../messages.view.ts'
import type { EventReader, EventRef, Stream, ToldEvent } from '../types.ts'
import { attemptsMaxOf, retryMsAfter } from './attempt.rules.ts'
import type { DueDelivery, Result, TargetRow } from './deliveries.sql.ts'
import { listDue, listTargets } from './deliveries.sql.ts'
import type { LaneKey } from './lanes.sql.ts'
import type { SigningKey } from './signing.rules.ts'

/** Where a delivery goes, and how it is signed. */
export type Target = {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly isFailing: boolean
  readonly keys: readonly [SigningKey, ...SigningKey[]]
}

/** A delivery whose turn it is: to be sent, or settled without. */
export type Turn = {
  readonly delivery: DueDelivery
  /** An instant of performance.now: what it says was true then, and soon is so no longer. */
  readonly readAtMs: number
} & Todo

type Todo =
  | { readonly kind: 'send'; readonly target: Target; readonly text: string }
  | { readonly kind: 'settled'; readonly result: Result }

/** What is wanted of one lane. */
export type Wanted = LaneKey & { readonly rowsMax: number }

export type TurnReader = {
  /** What is due and not `isTaken`, of each lane at most so many, oldest first. */
  read(lanes: readonly Wanted[], isTaken: (id: string) => boolean): Promise<Turn[]>
}

type Known = { readonly row: TargetRow; readonly target: Target }

/** Receivers whose keys are kept ready. */
const KNOWN_MAX = 10_000

/**
 * Reads what is due with all that it takes to send it: a handful of statements for however many deliveries of however
 * many lanes. Where they go is read last, so that it is never older than they are.
 */
export function createTurnReader(settings: {
  database: Database
  vault: Vault
  reader: EventReader
  onProblem: (error: unknown) => void
}): TurnReader {
  const { database, vault, reader, onProblem } = settings
  const known = new Map<string, Known>()

  async function read(lanes: readonly Wanted[], isTaken: (id: string) => boolean): Promise<Turn[]> {
    const readAtMs = performance.now()
    const due = await listDue(
      database,
      lanes,
      lanes.map(({ rowsMax }) => rowsMax),
    )
    const fresh = due.filter(({ id }) => !isTaken(id))
    if (fresh.length === 0) return []
    const [events, targets] = await Promise.all([
      tell(fresh.map(({ ref }) => ref)),
      findTargets(lanesOf(fresh)),
    ])
    return fresh.map((delivery, index) => {
      try {
        return { readAtMs, delivery, ...turnOf(delivery, targets.get(laneKeyOf(delivery)), events[index]) }
      } catch (error) {
        onProblem(error)
        return { readAtMs, delivery, ...ended(delivery, 'failed', 'The event cannot be told') }
      }
    })
  }

  /** One event that cannot be read holds up no other. */
  async function tell(refs: readonly EventRef[]): Promise<readonly (ToldEvent | undefined | 'unreadable')[]> {
    try {
      return await reader.read(refs)
    } catch (error) {
      if (isOutOfReach(error)) throw error
      onProblem(error)
      if (refs.length === 1) return ['unreadable']
      const each: (ToldEvent | undefined | 'unreadable')[] = []
      for (const ref of refs) each.push(...(await tell([ref])))
      return each
    }
  }

  async function findTargets(lanes: readonly LaneKey[]): Promise<ReadonlyMap<string, TargetState>> {
    const targets = new Map<string, TargetState>()
    for (const row of await listTargets(database, lanes)) {
      const key = laneKeyOf({ resellerId: row.reseller_id, stream: row.stream })
      targets.set(key, await withFreshKeys(vault, () => stateOf(key, row)))
    }
    return targets
  }

  function stateOf(key: string, row: TargetRow): TargetState {
    if (!row.is_enabled) return { kind: 'disabled' }
    const before = known.get(key)
    const target = before !== undefined && isSame(before.row, row) ? before.target : openTarget(row)
    if (known.size >= KNOWN_MAX) known.clear()
    known.set(key, { row, target })
    return { kind: row.is_paused ? 'paused' : 'open', target }
  }

  function openTarget(row: TargetRow): Target {
    const keyOf = (sealed: Buffer) => signingKeyOf(openSecret(vault, row.reseller_id, row.stream, sealed))
    const { url, method, is_failing: isFailing, sealed_previous_secret: previous } = row
    const keys = [keyOf(row.sealed_secret), ...(previous === null ? [] : [keyOf(previous)])] as const
    return { url, method, isFailing, keys }
  }

  return { read }
}

type TargetState =
  | { readonly kind: 'open' | 'paused'; readonly target: Target }
  | { readonly kind: 'disabled' }

function isSame(a: TargetRow, b: TargetRow): boolean {
  const isSamePrevious =
    a.sealed_previous_secret === null || b.sealed_previous_secret === null
      ? a.sealed_previous_secret === b.sealed_previous_secret
      : a.sealed_previous_secret.equals(b.sealed_previous_secret)
  return (
    a.url === b.url &&
    a.method === b.method &&
    a.is_failing === b.is_failing &&
    a.sealed_secret.equals(b.sealed_secret) &&
    isSamePrevious
  )
}

function turnOf(
  delivery: DueDelivery,
  state: TargetState | undefined,
  told: ToldEvent | undefined | 'unreadable',
): Todo {
  if (state === undefined) return ended(delivery, 'failed', 'The endpoint was removed')
  if (state.kind === 'disabled') return ended(delivery, 'failed', 'The endpoint is disabled')
  if (state.kind === 'paused' && !isTest(delivery)) {
    return ended(delivery, 'failed', 'The endpoint is paused')
  }
  if (told === 'unreadable') return ended(delivery, 'failed', 'The event cannot be read')
  if (told === undefined) return ended(delivery, 'failed', 'The event is no longer kept')
  // Whoever asks for a replay wants that very event.
  if (delivery.stream === 'callback' && told.isSuperseded && !delivery.isReplay) {
    return ended(delivery, 'superseded', '')
  }
  const { target } = state
  return { kind: 'send', target, text: messageOf(delivery.stream, target.method, told).text }
}

function ended(delivery: DueDelivery, outcome: 'failed' | 'superseded', error: string): Todo {
  return { kind: 'settled', result: resultOf(delivery, { outcome, error, attempt: undefined }) }
}

export function isTest({ ref }: DueDelivery): boolean {
  return ref.source === 'test'
}

export function resultOf(delivery: DueDelivery, what: Pick<Result, 'outcome' | 'error' | 'attempt'>): Result {
  const { stream, attemptsMade } = delivery
  return {
    delivery,
    attemptsMax: attemptsMaxOf(stream, isTest(delivery)),
    retryMs: retryMsAfter(stream, attemptsMade + 1),
    isTest: isTest(delivery),
    ...what,
  }
}

export function laneKeyOf({ resellerId, stream }: { resellerId: bigint; stream: Stream }): string {
  return `${resellerId} ${stream}`
}

function lanesOf(deliveries: readonly DueDelivery[]): LaneKey[] {
  const lanes = new Map<string, LaneKey>()
  for (const { resellerId, stream } of deliveries) {
    lanes.set(laneKeyOf({ resellerId, stream }), { resellerId, stream })
  }
  return [...lanes.values()]
}
