import { createHash } from 'node:crypto'
import type { Affected, AffectedByScope, CatalogEvent } from '../model/changes.types.ts'
import type { LevelView } from '../model/compile.rules.ts'
import { compileLevel, compileSnapshot } from '../model/compile.rules.ts'
import { getLevel, NO_OWN_VIEW } from '../model/state.rules.ts'
import type { CatalogState, OwnView, Touched } from '../model/store.types.ts'
import type { BaseCatalog, Snapshot } from '../model/types.ts'
import {
  affectedAtLevel,
  affectedBy,
  affectedByLevelSwitch,
  affectedForAnyAccount,
  union,
} from './affected.rules.ts'
import type { ChunkSizes } from './chunks.rules.ts'
import { chunksOf, intersect, isNothing } from './chunks.rules.ts'
import { restrictBase, restrictView } from './restrict.rules.ts'
import { eventsBetween } from './rules.ts'
import { describe } from './view.ts'

/** Account with its levels before and after a change. */
export type AccountAt = {
  readonly id: bigint
  readonly levelBefore: string
  readonly levelAfter: string
}

/** Part of the events for an account; equal `key`s have equal events. */
export type EventPart = { readonly key: string; readonly events: () => Generator<CatalogEvent> }

export type Expansion = {
  /**
   * Returns the parts in the order in which the account gets them; empty when the change does not concern the
   * account.
   */
  partsFor(account: AccountAt): readonly EventPart[]
}

export type StateChange = {
  readonly before: CatalogState
  readonly after: CatalogState
  readonly touched: Touched
}

/** Expands one change into events for each account. */
export function openExpansion({ before, after, touched }: StateChange, sizes?: ChunkSizes): Expansion {
  return expansionOf(before, after, affectedBy(touched, before, after), sizes)
}

/** Expands a level switch of an account in an unchanged catalogue. */
export function openSwitch(state: CatalogState): Expansion {
  const everyone = affectedByLevelSwitch(state, state)
  return expansionOf(state, state, { everyone, levels: new Map(), accounts: new Map() })
}

function expansionOf(
  before: CatalogState,
  after: CatalogState,
  scopes: AffectedByScope,
  sizes?: ChunkSizes,
): Expansion {
  const chunks = chunksOf(affectedForAnyAccount(scopes), [before.base, after.base], sizes).map(
    (affected, index) => openChunk(before, after, affected, String(index)),
  )
  const atLevel = new Map<string, Affected>()
  const levelOf = (code: string): Affected => {
    const affected = atLevel.get(code) ?? affectedAtLevel(scopes, code)
    atLevel.set(code, affected)
    return affected
  }
  return {
    partsFor(account) {
      const shared = levelOf(account.levelAfter)
      const own = scopes.accounts.get(account.id)
      const affected = own === undefined ? shared : union(shared, own)
      return chunks.flatMap((chunk) => chunk.partsFor(account, affected))
    },
  }
}

// ── One chunk of what is affected ──

type Chunk = { partsFor(account: AccountAt, affected: Affected): readonly EventPart[] }

function openChunk(before: CatalogState, after: CatalogState, chunk: Affected, name: string): Chunk {
  const was = openSide(before, chunk)
  const is = before === after ? was : openSide(after, chunk)
  // Most accounts of a level have the same affected resources, and share the very object.
  const parts = new WeakMap<Affected, Affected>()
  const partOf = (affected: Affected): Affected => {
    const part = parts.get(affected) ?? intersect(affected, chunk)
    parts.set(affected, part)
    return part
  }
  return {
    partsFor(account, affected) {
      const part = partOf(affected)
      if (isNothing(part)) return []
      const { levelBefore, levelAfter } = account
      const ownBefore = restrictView(was.ownOf(account.id), part)
      const ownAfter = restrictView(is.ownOf(account.id), part)
      const events = () =>
        eventsBetween(
          describe(was.compile(levelBefore, ownBefore)),
          describe(is.compile(levelAfter, ownAfter)),
          part,
        )
      return [{ key: `${name} ${keyOf(account, ownBefore, ownAfter)}`, events }]
    },
  }
}

/**
 * Returns the key of an account. Equal keys mean that the accounts' own touched data is equal, and so are the
 * resources to compare.
 */
function keyOf({ levelBefore, levelAfter }: AccountAt, before: OwnView, after: OwnView): string {
  if (before === NO_OWN_VIEW && after === NO_OWN_VIEW) return `${levelBefore} ${levelAfter}`
  const content = [levelBefore, levelAfter, plain(before), plain(after)]
  const text = JSON.stringify(content, (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : value,
  )
  return createHash('sha256').update(text).digest('base64url')
}

function plain({ allowedProducts, deniedProducts, overlay }: OwnView): unknown {
  return [[...allowedProducts].sort(), [...deniedProducts].sort(), overlay]
}

type SideView = {
  ownOf(resellerId: bigint): OwnView
  compile(levelCode: string, own: OwnView): Snapshot
}

/** Opens one side of the change; each level is compiled when it is first needed. */
function openSide(state: CatalogState, affected: Affected): SideView {
  let base: BaseCatalog | undefined
  const levels = new Map<string, LevelView>()
  const levelOf = (code: string): LevelView => {
    const known = levels.get(code)
    if (known !== undefined) return known
    base ??= restrictBase(state.base, affected)
    // These snapshots are never compared by their fingerprints.
    const level = compileLevel(base, getLevel(state, code), { base: '', level: '' })
    levels.set(code, level)
    return level
  }
  return {
    ownOf: (resellerId) => state.views.get(resellerId) ?? NO_OWN_VIEW,
    compile: (levelCode, own) => compileSnapshot(levelOf(levelCode), { levelCode, ...own }),
  }
}
