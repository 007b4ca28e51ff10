import { createHash } from 'node:crypto'
import { affectedBy, affectedByLevelSwitch, affectedFor, affectedInAll } from './affected.rules.ts'
import { eventsBetween } from './changes.rules.ts'
import type { Affected, AffectedByScope, CatalogEvent } from './changes.types.ts'
import { describe } from './changes.view.ts'
import type { LevelView } from './compile.rules.ts'
import { compileLevel, compileSnapshot } from './compile.rules.ts'
import { restrictBase, restrictView } from './restrict.rules.ts'
import { getLevel, NO_OWN_VIEW } from './state.rules.ts'
import type { CatalogState, OwnView, Touched } from './store.types.ts'
import type { Snapshot } from './types.ts'

/** An account as it stood on the two sides of a change. */
export type AccountAt = {
  readonly id: bigint
  readonly levelBefore: string
  readonly levelAfter: string
}

/** What one account is to be told: equal `key`s have equal events. */
export type Telling = { readonly key: string; readonly events: () => Generator<CatalogEvent> }

export type Expansion = {
  /** undefined: the change does not concern the account. */
  tell(account: AccountAt): Telling | undefined
}

export type StateChange = {
  readonly before: CatalogState
  readonly after: CatalogState
  readonly touched: Touched
}

/** Looks at one change from every account's side. */
export function openExpansion({ before, after, touched }: StateChange): Expansion {
  const scopes = affectedBy(touched, before, after)
  const inAll = affectedInAll(scopes)
  const was = openSide(before, inAll)
  const is = openSide(after, inAll)
  return { tell: (account) => tellOf({ was, is, scopes }, account) }
}

/** Looks at an account that moved from one level to another in a catalogue that stayed. */
export function openSwitch(state: CatalogState): Expansion {
  const everyone = affectedByLevelSwitch(state, state)
  const side = openSide(state, everyone)
  const scopes = { everyone, levels: new Map(), accounts: new Map() }
  return { tell: (account) => tellOf({ was: side, is: side, scopes }, account) }
}

type Both = { readonly was: SideView; readonly is: SideView; readonly scopes: AffectedByScope }

function tellOf({ was, is, scopes }: Both, account: AccountAt): Telling | undefined {
  const affected = affectedFor(scopes, { id: account.id, levelCode: account.levelAfter })
  if (affected === undefined) return undefined
  const ownBefore = restrictView(was.ownOf(account.id), affected)
  const ownAfter = restrictView(is.ownOf(account.id), affected)
  return {
    key: keyOf(account, ownBefore, ownAfter),
    events: () =>
      eventsBetween(
        describe(was.compile(account.levelBefore, ownBefore)),
        describe(is.compile(account.levelAfter, ownAfter)),
        affected,
      ),
  }
}

/** Where these are equal, so is what was touched of the accounts' own, and what they are looked at for. */
function keyOf({ levelBefore, levelAfter }: AccountAt, before: OwnView, after: OwnView): string {
  const content = [levelBefore, levelAfter, plain(before), plain(after)]
  const text = JSON.stringify(content, (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : value,
  )
  return createHash('sha256').update(text).digest('base64url')
}

function plain({ allowedProducts, deniedProducts, overlay }: OwnView): unknown {
  return [[...allowedProducts].sort(), [...deniedProducts].sort(), overlay]
}

// ── One side of a change ──

type SideView = {
  ownOf(resellerId: bigint): OwnView
  compile(levelCode: string, own: OwnView): Snapshot
}

function openSide(state: CatalogState, affected: Affected): SideView {
  const base = restrictBase(state.base, affected)
  const levels = new Map<string, LevelView>()
  // No two of these snapshots are ever compared by their fingerprints.
  const versions = { base: '', level: '' }
  const levelOf = (code: string): LevelView => {
    const level = levels.get(code) ?? compileLevel(base, getLevel(state, code), versions)
    levels.set(code, level)
    return level
  }
  return {
    ownOf: (resellerId) => state.views.get(resellerId) ?? NO_OWN_VIEW,
    compile: (levelCode, own) => compileSnapshot(levelOf(levelCode), { levelCode, ...own }),
  }
}
