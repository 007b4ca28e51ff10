import type { Queryable } from '../../db/database.ts'
import { invalidFields, RequestError, unknown } from '../../lib/errors.ts'
import { parseMoney } from '../../lib/money.ts'
import { BATCH_MAX } from './codec.ts'
import { listProposalRows, listProposalsById } from './sql.ts'
import type { Proposal, ProposalKind, ProposalState } from './types.ts'

// Which proposals an act is about: those that were shown, by their ids, or the open ones of a rule.

type Wanted = {
  readonly provider: string
  readonly ids?: readonly bigint[] | undefined
  readonly kinds?: readonly ProposalKind[] | undefined
  readonly costUpTo?: number | undefined
  readonly after?: bigint | undefined
}

export type Choice = {
  readonly proposals: readonly Proposal[]
  /** Last proposal, where the rule fits more than one act decides. */
  readonly next: bigint | null
}

/** `done`: the state of those that were decided so before. They are left out: deciding them again changes nothing. */
export async function choose(
  connection: Queryable,
  wanted: Wanted,
  done: Exclude<ProposalState, 'open'>,
): Promise<Choice> {
  const { ids, kinds } = wanted
  if ((ids === undefined) === (kinds === undefined)) {
    throw invalidFields({ ids: ['give either ids or kinds'] })
  }
  return ids === undefined ? byRule(connection, wanted) : byIds(connection, wanted.provider, ids, done)
}

async function byIds(
  connection: Queryable,
  provider: string,
  ids: readonly bigint[],
  done: ProposalState,
): Promise<Choice> {
  const found = await listProposalsById(connection, [...new Set(ids)])
  if (found.length < new Set(ids).size || found.some((each) => each.provider !== provider)) {
    throw unknown('proposal')
  }
  const stale = found.filter(({ state }) => state !== 'open' && state !== done)
  if (stale.length > 0) throw changedMeanwhile(stale)
  return { proposals: found.filter(({ state }) => state === 'open'), next: null }
}

function changedMeanwhile(stale: readonly Proposal[]): RequestError {
  const fields = stale.map(({ id, code, state }) => [`ids.${id}`, [`${code}: ${state}`]])
  return new RequestError({
    status: 409,
    code: 'proposal_changed',
    publicText:
      'The supplier says something else by now, or somebody has decided. Nothing was changed; look at the list again.',
    fields: Object.fromEntries(fields),
  })
}

async function byRule(
  connection: Queryable,
  { provider, kinds = [], costUpTo, after = 0n }: Wanted,
): Promise<Choice> {
  const proposals: Proposal[] = []
  for (let afterId = after; ; ) {
    const filter = { provider, kinds, state: 'open' as const, afterId, limit: BATCH_MAX + 1 }
    const page = await listProposalRows(connection, filter)
    proposals.push(...page.filter((each) => costUpTo === undefined || isWithin(each, costUpTo)))
    afterId = page.at(-1)?.id ?? afterId
    const chosen = proposals.slice(0, BATCH_MAX)
    if (proposals.length > BATCH_MAX) return { proposals: chosen, next: chosen.at(-1)?.id ?? null }
    if (page.length <= BATCH_MAX) return { proposals, next: null }
  }
}

/** A first cost and another currency are no rise that can be told. */
function isWithin({ kind, before, after }: Proposal, percent: number): boolean {
  if (kind !== 'cost_changed') return true
  const [was, is] = [before?.cost, after?.cost]
  if (was == null || is == null || was.currency !== is.currency) return false
  const [old, now] = [parseMoney(was.amount), parseMoney(is.amount)]
  return old !== undefined && now !== undefined && now * 100n <= old * BigInt(100 + percent)
}
