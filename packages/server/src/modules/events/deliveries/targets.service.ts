import type { Database } from '../../../db/database.ts'
import type { Vault } from '../../../db/vault.ts'
import { withFreshKeys } from '../../../db/vault.ts'
import { openSecret, signingKeyOf } from '../endpoints/secrets.service.ts'
import type { TargetRow } from './deliveries.sql.ts'
import { listTargets } from './deliveries.sql.ts'
import type { LaneKey, Target } from './deliveries.types.ts'
import { laneKeyOf } from './lane.rules.ts'

export type TargetState =
  | { readonly kind: 'open' | 'paused'; readonly target: Target }
  | { readonly kind: 'disabled' }

export type Targets = {
  /** Reads the present targets of lanes, by the key of the lane. A lane without an endpoint is not in the map. */
  find(lanes: readonly LaneKey[]): Promise<ReadonlyMap<string, TargetState>>
}

type Known = { readonly row: TargetRow; readonly target: Target }

/** Receivers whose signing keys are kept in memory. */
const KNOWN_MAX = 10_000

/** Reads endpoints each time, but opens their secrets only when they have changed: opening costs more than reading. */
export function createTargets(database: Database, vault: Vault): Targets {
  const known = new Map<string, Known>()

  function stateOf(key: string, row: TargetRow): TargetState {
    if (!row.is_enabled) return { kind: 'disabled' }
    const before = known.get(key)
    const target = before !== undefined && isSame(before.row, row) ? before.target : openTarget(vault, row)
    if (known.size >= KNOWN_MAX) known.clear()
    known.set(key, { row, target })
    return { kind: row.is_paused ? 'paused' : 'open', target }
  }

  return {
    async find(lanes) {
      const states = new Map<string, TargetState>()
      for (const row of await listTargets(database, lanes)) {
        const key = laneKeyOf({ resellerId: row.reseller_id, stream: row.stream })
        states.set(key, await withFreshKeys(vault, () => stateOf(key, row)))
      }
      return states
    },
  }
}

function openTarget(vault: Vault, row: TargetRow): Target {
  const keyOf = (sealed: Buffer) => signingKeyOf(openSecret(vault, row.reseller_id, row.stream, sealed))
  const { url, method, is_failing: isFailing, sealed_previous_secret: previous } = row
  const keys = [keyOf(row.sealed_secret), ...(previous === null ? [] : [keyOf(previous)])] as const
  return { url, method, isFailing, keys }
}

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
