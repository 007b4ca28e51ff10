import { canonicalJson } from './stored.rules.ts'
import type { Difference, Offer, Place, Proposal, ProposalKind } from './types.ts'

// Differences between what our catalogue follows and what a supplier lists, and the proposals that they become.

/** Members whose changes are proposals of their own; a change of any other member is `changed`. */
const OWN_KINDS: readonly (keyof Offer)[] = ['cost', 'open', 'hours']

/**
 * Lists how an offer differs from what we follow. `known` null: nothing of ours is bought by it; `seen` null: the list
 * has it no more. Applied one after the other in any order, the differences turn `known` into `seen`.
 */
export function differencesOf(known: Offer | null, seen: Offer | null): Difference[] {
  if (known === null) return seen === null ? [] : [{ kind: 'new', before: null, after: seen }]
  if (seen === null) return [{ kind: 'gone', before: known, after: null }]
  const names = [...new Set([...namesOf(known), ...namesOf(seen)])].filter(
    (name) => canonicalJson(known[name]) !== canonicalJson(seen[name]),
  )
  const found: Difference[] = []
  const add = (kind: ProposalKind, members: readonly (keyof Offer)[]) =>
    found.push({ kind, before: partOf(known, members), after: partOf(seen, members) })
  if (names.includes('cost')) add('cost_changed', ['cost'])
  if (names.includes('open')) add(seen.open ? 'reopened' : 'closed', ['open'])
  if (names.includes('hours')) add('hours_changed', ['hours'])
  const rest = names.filter((name) => !OWN_KINDS.includes(name))
  if (rest.length > 0) add('changed', rest)
  return found
}

/** Returns what we follow once a difference is accepted. */
export function applied(
  known: Offer | null,
  { kind, after }: Pick<Difference, 'kind' | 'after'>,
): Offer | null {
  if (kind === 'gone') return null
  if (kind === 'new') return after as Offer
  return known === null ? null : { ...known, ...after }
}

/**
 * Offer as our catalogue follows it when somebody has mapped its code by hand: cost and hours are not known to be
 * followed, so they are proposed. It is followed as open, unless every code of it says that it is closed.
 */
export function followedByHand(seen: Offer, places: readonly Place[]): Offer {
  return { ...seen, cost: null, hours: null, open: !places.every(({ isClosed }) => isClosed === true) }
}

function namesOf(offer: Offer): (keyof Offer)[] {
  return Object.keys(offer) as (keyof Offer)[]
}

function partOf(offer: Offer, names: readonly (keyof Offer)[]): Partial<Offer> {
  return Object.fromEntries(names.map((name) => [name, offer[name]]))
}

// ── Proposals ──

/** Latest proposal of each kind for one offer. */
export type Latest = Pick<Proposal, 'id' | 'kind' | 'before' | 'after' | 'state'>

export type Plan = {
  readonly superseded: readonly bigint[]
  readonly made: readonly Difference[]
}

/**
 * Decides what becomes of an offer's proposals. An open one that says the same stays, and what a person rejected is not
 * proposed again until the supplier says something else. Rejected as new, or kept although it is gone: such a decision
 * holds until that state ends, whatever else changes.
 */
export function planProposals(wanted: readonly Difference[], latest: readonly Latest[]): Plan {
  const isWanted = (each: Latest) => wanted.some(({ kind }) => kind === each.kind)
  return {
    superseded: latest
      .filter((each) =>
        each.state === 'open'
          ? !wanted.some((other) => isSame(each, other))
          : isDecidedForGood(each) && !isWanted(each),
      )
      .map(({ id }) => id),
    made: wanted.filter((each) => {
      const last = latest.find(({ kind }) => kind === each.kind)
      if (last === undefined || last.state === 'accepted' || last.state === 'superseded') return true
      return !isDecidedForGood(last) && !isSame(last, each)
    }),
  }
}

function isDecidedForGood({ state, kind }: Latest): boolean {
  return state === 'rejected' && (kind === 'new' || kind === 'gone')
}

function isSame(a: Pick<Difference, 'kind' | 'before' | 'after'>, b: Difference): boolean {
  return a.kind === b.kind && canonicalJson([a.before, a.after]) === canonicalJson([b.before, b.after])
}
