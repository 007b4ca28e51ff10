import type { Queryable } from '../../db/database.ts'
import type { CatalogState } from '../catalog/model/store.types.ts'
import { getConnection } from '../providers/connections/connections.service.ts'
import { readRates } from '../rates/service.ts'
import { adopt } from './adopt.rules.ts'
import { marginAt } from './margins.rules.ts'
import { placesOf, withCode } from './places.rules.ts'
import { openShelf } from './shelf.rules.ts'
import type { OfferRow, ProposalFilter } from './sql.ts'
import { listOffers, listProposalRows, listSchedules, listSyncRows } from './sql.ts'
import type { Offer, Place, Proposal, Scheduled, ShownProposal, Sync } from './types.ts'

/** Lists readings, the latest first; `provider` null: of all. */
export function listSyncs(connection: Queryable, provider: string | null, limit: number): Promise<Sync[]> {
  return listSyncRows(connection, provider, limit)
}

/** Returns how often each provider's list is read by itself. */
export async function listScheduled(connection: Queryable): Promise<Scheduled[]> {
  return (await listSchedules(connection)).map((schedule) => ({ provider: schedule.provider, schedule }))
}

/** Lists proposals, the oldest first, with the margins that the offers have and would have. */
export async function listProposals(
  connection: Queryable,
  filter: ProposalFilter,
  catalog: Pick<CatalogState, 'base' | 'levels'>,
): Promise<ShownProposal[]> {
  const proposals = await listProposalRows(connection, filter)
  const rates = await readRates(connection)
  const shown: ShownProposal[] = []
  for (const provider of new Set(proposals.map((each) => each.provider))) {
    const own = proposals.filter((each) => each.provider === provider)
    const { config } = await getConnection(connection, provider)
    const codes = own.map(({ code }) => code)
    const rows = new Map((await listOffers(connection, provider, codes)).map((row) => [row.code, row]))
    const shop = { shelf: openShelf(catalog.base), levels: catalog.levels, rates }
    let present = config
    for (const proposal of own) {
      const home = homeOf(shop, present, proposal)
      present = home.config
      shown.push(beside(shop, proposal, home, rows.get(proposal.code)))
    }
  }
  return shown.sort((a, b) => (a.id < b.id ? -1 : 1))
}

type Shop = Parameters<typeof marginAt>[0] & { readonly shelf: ReturnType<typeof openShelf> }
type Home = { readonly config: unknown; readonly places: readonly Place[]; readonly trouble: string | null }

/** Returns where an offer is sold, or where a new one would be, beside those before it. */
function homeOf({ shelf, rates }: Shop, config: unknown, { kind, state, code, after }: Proposal): Home {
  const places = placesOf(config).get(code) ?? []
  if (kind !== 'new' || state !== 'open' || places.length > 0) return { config, places, trouble: null }
  const offer = after as Offer
  const adopted = adopt({ shelf, config, rates, offer })
  if ('refusal' in adopted) return { config, places: [], trouble: adopted.refusal }
  const { values } = offer
  return {
    config: withCode(config, adopted.place, { code, values }) ?? config,
    places: [adopted.place],
    trouble: null,
  }
}

function beside(
  shop: Shop,
  proposal: Proposal,
  { places, trouble }: Home,
  row: OfferRow | undefined,
): ShownProposal {
  const { before, after, code } = proposal
  const known = row?.known ?? null
  const now = { ...known, ...row?.seen, ...after } as Offer
  const margin = marginAt(shop, places, now, after?.cost !== undefined ? after.cost : (now.cost ?? null))
  return {
    ...proposal,
    name: now.name ?? code,
    products: [...new Set(places.map(({ product }) => product))],
    marginBefore: marginAt(
      shop,
      places,
      known,
      before?.cost !== undefined ? before.cost : (known?.cost ?? null),
    ),
    margin,
    trouble: trouble ?? (margin === 'no_rate' ? 'there is no rate of its currency' : null),
  }
}
