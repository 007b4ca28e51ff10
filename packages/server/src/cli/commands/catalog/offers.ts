import { setTimeout as wait } from 'node:timers/promises'
import { openLeaseClock } from '../../../db/lease-clock.ts'
import { PROVIDER_CODE } from '../../../lib/input/codes.ts'
import { LIST_MAX, oneOf, readFields } from '../../../lib/input/fields.ts'
import { ID } from '../../../lib/input/ids.ts'
import { optional } from '../../../lib/input/parameters.ts'
import { createAlerts } from '../../../modules/alerts/core/service.ts'
import { loadCatalog } from '../../../modules/catalog/store/load.service.ts'
import {
  acceptProposals,
  rejectProposals,
  scheduleSync,
  syncCatalogue,
} from '../../../modules/offers/acts.ts'
import {
  ACCEPTED_VIEW,
  PROPOSAL_VIEW,
  REJECTED_VIEW,
  SCHEDULED_VIEW,
  SYNC_VIEW,
} from '../../../modules/offers/codec.ts'
import { listProposals, listSyncs } from '../../../modules/offers/reads.ts'
import { readDuePages } from '../../../modules/offers/sync.service.ts'
import type { Sync } from '../../../modules/offers/types.ts'
import { PROPOSAL_KINDS, PROPOSAL_STATES } from '../../../modules/offers/types.ts'
import { createProvider } from '../../../modules/providers/trial.service.ts'
import { REASON_OPTION } from '../../catalog-options.ts'
import type { Call, Command, Option, Output } from '../../command.ts'
import { consentOf, noteFindings, PRICE_OPTIONS } from '../../consent.ts'
import { actCommand } from '../../kit/acts.ts'
import { readLimit } from '../../options.ts'
import { formatFields, formatTable } from '../../text.ts'
import { openConnections } from '../suppliers/providers.ts'
import { supplyWorld } from '../suppliers/routes.ts'

const PROVIDER: Option = { value: 'CODE', help: "the provider's code", required: true, names: 'provider' }

// ── Readings ──

const begin = actCommand({
  name: 'catalog sync',
  summary: "read a supplier's list of offers, which becomes proposals",
  details: `The service reads it, page by page, at the speed that the supplier allows; a reading that was cut off goes on from its last
page. --wait reads along and returns at its end, also where no service runs. Nothing of the catalogue changes by it.
Exit code with --wait and --status: 0 complete, 1 it failed, or nothing was marked as gone.`,
  act: syncCatalogue,
  options: {
    provider: PROVIDER,
    wait: { help: 'read along, and return at the end' },
    status: { help: 'begin nothing; show the last reading' },
  },
  isLong: true,
  world: async (_runtime, call) => {
    const connections = await openConnections(call)
    return { providerOf: (code) => createProvider(connections, code) }
  },
  show: async (sync, call) => shownSync(call.has('wait') ? await readAlong(call, sync) : sync),
})

const syncCommand: Command = {
  ...begin,
  async run(call) {
    if (!call.has('status')) return begin.run(call)
    const { database } = await call.runtime()
    const [last] = await listSyncs(database, call.text('provider'), 1)
    if (last === undefined) return { json: { reading: null }, text: 'Its list was never read.' }
    return shownSync(last)
  },
}

function shownSync(sync: Sync): Output {
  const view = SYNC_VIEW.encode(sync)
  const isTrouble = sync.state !== 'running' && sync.trouble !== null
  return { json: { reading: view }, text: formatFields(view), code: isTrouble ? 1 : 0 }
}

const TURN_MS = 500
const LEASE_MS = 180_000

/** Reads the pages that no node of the service has taken, until the list has ended. */
async function readAlong(call: Call, begun: Sync): Promise<Sync> {
  const connections = await openConnections(call)
  const { database } = connections
  const leaseClock = await openLeaseClock({ database, leaseMs: LEASE_MS, onStep: () => {} })
  const alerts = createAlerts({ database, onRaised: () => {} })
  const providerOf = (code: string) => createProvider(connections, code)
  let shown = begun
  try {
    while (shown.state === 'running') {
      if ((await readDuePages({ database, leaseClock, alerts, providerOf })) === 0) await wait(TURN_MS)
      const [now = shown] = await listSyncs(database, begun.provider, 1)
      if (now.pages !== shown.pages)
        call.note(`${now.pages} pages, ${now.offers} offers, ${now.proposals} proposals`)
      else if (now.trouble !== null && now.trouble !== shown.trouble) call.note(now.trouble)
      shown = now
    }
  } finally {
    leaseClock.close()
  }
  return shown
}

const scheduleCommand = actCommand({
  name: 'catalog schedule',
  summary: "set how often a supplier's list is read by itself",
  act: scheduleSync,
  options: {
    provider: PROVIDER,
    every: { value: 'HOURS', help: 'from one reading to the next, 1 to 720; left out: never' },
  },
  input: (call) => ({ every_hours: call.find('every') === undefined ? null : Number(call.find('every')) }),
  world: () => undefined,
  show(scheduled) {
    const view = SCHEDULED_VIEW.encode(scheduled)
    return { json: view, text: formatFields(view) }
  },
})

// ── Proposals ──

const FILTER = {
  provider: optional(PROVIDER_CODE, null),
  kind: optional(oneOf(PROPOSAL_KINDS), null),
  state: optional(oneOf(PROPOSAL_STATES), 'open' as const),
  after: optional(ID, 0n),
}

const proposalsCommand: Command = {
  name: 'catalog proposals',
  summary: "list what suppliers' lists propose, with the margin that each offer would have",
  options: {
    provider: { value: 'CODE', help: 'only those of this provider', names: 'provider' },
    kind: { value: 'KIND', help: `only ${PROPOSAL_KINDS.join(', ')}` },
    state: { value: 'STATE', help: `${PROPOSAL_STATES.join(', ')} (default open)` },
    after: { value: 'ID', help: 'those after this one' },
    limit: { value: 'NUMBER', help: `at most this many (default 100, at most ${LIST_MAX})` },
  },
  async run(call) {
    const limit = readLimit(call, 100)
    const { kind, ...filter } = readFields(FILTER, {
      provider: call.find('provider'),
      kind: call.find('kind'),
      state: call.find('state'),
      after: call.find('after'),
    })
    const { database } = await call.runtime()
    const wanted = { ...filter, limit, kinds: kind === null ? null : [kind], afterId: filter.after }
    const found = await listProposals(database, wanted, await loadCatalog(database))
    const views = found.map((proposal) => PROPOSAL_VIEW.encode(proposal))
    const rows = views.map(
      ({ id, provider, kind: what, code, name, products, margin, margin_gap: gap, trouble }) => ({
        id,
        provider,
        kind: what,
        code,
        name,
        products: products.join(' '),
        cost: margin?.cost ?? '',
        margin: margin?.margin ?? gap ?? '',
        trouble: trouble ?? '',
      }),
    )
    return { json: { proposals: views }, text: formatTable(rows, 'There are no such proposals.') }
  },
}

const acceptCommand = actCommand({
  name: 'catalog accept',
  summary: 'take proposals over, by their ids or by a rule',
  details: `New offers become products, options and codes; they are sold when they have a price. Costs become the cost of the route, the
largest share of the face value; what is closed or gone is not ordered there. Such as: --kind cost_changed --cost-up-to 3, or
--kind closed --kind gone. At most 500 at once; with --after the next ones. What would lose money on the sales of the last 30 days
is saved only with --accept-loss and the figure that is shown.`,
  act: acceptProposals,
  options: { provider: PROVIDER, ...PRICE_OPTIONS, reason: REASON_OPTION },
  consent: consentOf,
  world: supplyWorld,
  show(done, call) {
    noteFindings(call, done.comparison)
    const view = ACCEPTED_VIEW.encode(done)
    for (const { id, code, reason } of view.refused) call.note(`${id} ${code}: ${reason}`)
    return {
      json: view,
      text: formatFields({ ...view, refused: view.refused.length, routes: view.routes.join(' ') }),
    }
  },
})

const rejectCommand = actCommand({
  name: 'catalog reject',
  summary:
    'reject proposals, by their ids or by a rule: they come again when the supplier says something else',
  act: rejectProposals,
  options: { provider: PROVIDER, reason: REASON_OPTION },
  world: () => undefined,
  show(done) {
    const view = REJECTED_VIEW.encode(done)
    return { json: view, text: formatFields(view) }
  },
})

export const offerCommands: readonly Command[] = [
  syncCommand,
  scheduleCommand,
  proposalsCommand,
  acceptCommand,
  rejectCommand,
]
