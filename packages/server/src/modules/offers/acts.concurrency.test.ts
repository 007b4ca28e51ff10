import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TestApprovals } from '../../testing/approvals.ts'
import { newApprover, withDecisions } from '../../testing/approvals.ts'
import { seedBase } from '../../testing/catalog/catalog-store.ts'
import type { TestDatabase } from '../../testing/database.ts'
import { openTestDatabase } from '../../testing/database.ts'
import { simulatorConnection } from '../../testing/providers/http-connection.ts'
import { offerSample, offersOf, supplierWith } from '../../testing/providers/offers.ts'
import { sessionsOf } from '../../testing/sessions.ts'
import { STEADY_CLOCK } from '../../testing/steady-clock.ts'
import { perform } from '../acts/service.ts'
import { createAlerts, listAlerts } from '../alerts/core/service.ts'
import type { ApprovalOperator } from '../approvals/types.ts'
import { createAuditLog, listAudit } from '../audit/service.ts'
import type { AuditLog } from '../audit/types.ts'
import { loadCatalog } from '../catalog/store/load.service.ts'
import { createOperatorApprovals } from '../operator/approvals/service.ts'
import { askedOf } from '../operator/kit/acts.service.ts'
import { formatCost } from '../providers/connections/connections.rules.ts'
import { getConnection } from '../providers/connections/connections.service.ts'
import { listRoutes } from '../providers/connections/routing.service.ts'
import type { SupplierOffer } from '../providers/port/types.ts'
import { acceptProposals, rejectProposals, syncCatalogue } from './acts.ts'
import { watchBelowCost } from './below-cost.service.ts'
import { listProposals } from './reads.ts'
import { readDuePages, startSync } from './sync.service.ts'
import type { ProposalKind } from './types.ts'

const MAX_PERCENT = 20

let test: TestDatabase
let log: AuditLog
let approvals: TestApprovals
let asker: ApprovalOperator
let second: ApprovalOperator
const supplier = supplierWith('acme')

beforeAll(async () => {
  test = await openTestDatabase()
  log = createAuditLog(test)
  const sessions = sessionsOf(test, log)
  approvals = withDecisions(createOperatorApprovals({ log, priceChangeMaxPercent: MAX_PERCENT, sessions }))
  ;[asker, second] = [await newApprover(test, 'asker'), await newApprover(test, 'second')]
  await test.database.query("update operators set role = 'admin'")
  await seedBase(test.database)
})
afterAll(() => test.close())
beforeEach(async () => {
  const config = { ...simulatorConnection('https://supplier.example'), products: NOVA }
  await test.database.query('truncate provider_connections cascade')
  await test.database.query(
    `insert into provider_connections (code, kind, name, is_enabled, config, secret_names, version, created_at, updated_at)
     values ('acme', 'http', 'Acme', true, $1, '{"callback": "2026-01-01T00:00:00Z"}', 1, now(), now())`,
    [JSON.stringify(config)],
  )
  await test.database.query(
    `insert into provider_routes (product_code, provider, priority, weight, windows, is_enabled, updated_at)
     values ('NOVA', 'acme', 1, 100, '[]', true, now())`,
  )
})

const NOVA = { NOVA: { by_amount: { '10.00': 'N10', '30.00': 'N30' } } }
const N10 = offerSample('N10', { cost: '9.70' })
const N30 = offerSample('N30', { cost: '29.10' })

async function list(...offers: readonly SupplierOffer[]) {
  supplier.pages = offersOf(offers)
  await startSync(test.database, 'acme', 'test')
  const alerts = { raise: async () => {}, clear: async () => false }
  const settings = {
    database: test.database,
    leaseClock: STEADY_CLOCK,
    alerts,
    providerOf: () => supplier.provider,
  }
  while ((await readDuePages(settings)) > 0) {
    // The next page is due.
  }
}

async function open() {
  const filter = { provider: 'acme', kinds: null, state: 'open' as const, afterId: 0n, limit: 1_000 }
  return listProposals(test.database, filter, await loadCatalog(test.database))
}

const idsOf = async (...kinds: readonly ProposalKind[]) =>
  (await open()).filter(({ kind }) => kinds.includes(kind)).map(({ id }) => String(id))

async function accept(input: object, caller = asker) {
  const stage = { log, world: { maxPercent: MAX_PERCENT }, ask: askedOf(approvals) }
  return perform(stage, acceptProposals, {
    caller,
    input: { provider: 'acme', ...input },
    reason: 'new list',
  })
}

const products = async () =>
  ((await getConnection(test.database, 'acme')).config as { products: unknown }).products

const routes = async () =>
  (await listRoutes(test.database)).map(({ productCode, cost, windows, isEnabled }) => ({
    productCode,
    cost: formatCost(cost),
    windows: windows.length,
    isEnabled,
  }))

describe('readings', () => {
  it('a reading is begun once, and only of a supplier that has a list', async () => {
    const providerOf = () => supplier.provider
    const stage = { log, world: { providerOf }, ask: askedOf(approvals) }
    const given = { caller: asker, input: { provider: 'acme' }, reason: 'new month' }
    const begun = await Promise.all([
      perform(stage, syncCatalogue, given),
      perform(stage, syncCatalogue, given),
    ])
    expect(begun).toMatchObject([
      { kind: 'done', result: { state: 'running', startedBy: asker.email } },
      { kind: 'done', result: { state: 'running' } },
    ])
    const { catalogue: _, ...without } = supplier.provider
    const world = { providerOf: () => without }
    await expect(perform({ ...stage, world }, syncCatalogue, given)).rejects.toMatchObject({
      code: 'no_catalogue',
    })
  })
})

describe('accepted proposals', () => {
  it('costs become the cost of the route, the dearest share of them', async () => {
    await list(N10, offerSample('N30', { cost: '28.50' }))
    const shown = await open()
    expect(shown).toMatchObject([
      {
        code: 'N10',
        products: ['NOVA'],
        margin: { level: expect.any(String), margin: 1_500n },
        marginBefore: 'no_cost',
      },
      { code: 'N30' },
    ])
    expect(await accept({ ids: await idsOf('cost_changed') })).toMatchObject({ kind: 'done' })
    expect(await routes()).toEqual([{ productCode: 'NOVA', cost: '97.00%', windows: 0, isEnabled: true }])
    expect(await open()).toEqual([])
    await list(N10, offerSample('N30', { cost: '28.50' }))
    expect(await open()).toEqual([])
  })

  it('new offers become options, products, codes and routes, which nobody buys before they have a price', async () => {
    const plan = offerSample('ES-7D', {
      brand: 'Zap',
      type: 'ESIM',
      face: null,
      cost: '12.345',
      name: 'Zap 1 GB',
    })
    const card = offerSample('GC20', { brand: 'Zap', type: 'GIFT', cost: '19.00' })
    const range = offerSample('ANY', {
      brand: 'Kita',
      face: { currency: 'MYR', min: 10_000n, max: 500_000n },
    })
    await list(N10, N30, offerSample('N50', { cost: '48.50' }), plan, card, range)
    const outcome = await accept({ kinds: ['new'] })
    expect(outcome).toMatchObject({ kind: 'done', result: { refused: [] } })
    expect(await products()).toEqual({
      NOVA: { by_amount: { '10.00': 'N10', '30.00': 'N30', '50.00': 'N50' } },
      ZAP_ESIM_PLANS: { by_subproduct: { 'ES-7D': 'ES-7D' } },
      ZAP_GIFT_CARD: { by_amount: { '20.00': 'GC20' } },
      KITA_ANY: 'ANY',
    })
    const { base, levels } = await loadCatalog(test.database)
    expect(base.options.get('NOVA')?.get('amount')?.at(-1)).toMatchObject({
      denomination: 500_000n,
      label: 'RM 50',
    })
    expect(base.options.get('ZAP_ESIM_PLANS')?.get('plan')).toMatchObject([
      { label: 'Zap 1 GB', denomination: 123_500n },
    ])
    expect([...levels.values()].flatMap(({ prices }) => [...prices.keys()])).not.toContain('KITA_ANY')
    expect(await routes()).toMatchObject([
      { productCode: 'KITA_ANY', cost: null },
      { productCode: 'NOVA', cost: '97.00%' },
      { productCode: 'ZAP_ESIM_PLANS', cost: '99.96%' },
      { productCode: 'ZAP_GIFT_CARD', cost: '95.00%' },
    ])
  })

  it('offers that are closed or gone are not ordered until they are open again', async () => {
    const active = async () =>
      (await loadCatalog(test.database)).base.options
        .get('NOVA')
        ?.get('amount')
        ?.filter(({ code, isActive }) => isActive && /^N/.test(code)).length
    await list(N10, N30)
    await list({ ...N10, isOpen: false })
    await accept({ kinds: ['closed', 'gone', 'cost_changed'] })
    expect(await products()).toEqual({
      NOVA: { by_amount: { '10.00': { code: 'N10', closed: true }, '30.00': { code: 'N30', closed: true } } },
    })
    expect(await routes()).toMatchObject([{ isEnabled: false }])
    expect(await active()).toBe(0)
    await list(N10, N30)
    await accept({ kinds: ['reopened'] })
    expect(await active()).toBe(2)
    expect(await routes()).toMatchObject([{ isEnabled: true }])
    expect(await products()).toEqual(NOVA)
  })
})

it('a list with a cost above a price raises an alert before a sale, which ends with its cause', async () => {
  const alerts = createAlerts({ database: test.database, onRaised: () => {} })
  const state = await loadCatalog(test.database)
  const watch = () => watchBelowCost({ database: test.database, alerts, catalog: { state: () => state } })
  const raised = async () =>
    (await listAlerts(test.database, { limit: 10, withCleared: false })).map(({ text }) => text)
  await list(offerSample('N10', { cost: '9.90' }), N30)
  await watch()
  expect(await raised()).toEqual([
    expect.stringMatching(/^acme: N10 costs 9.90, and \w+ pays 9.85 for NOVA$/),
  ])
  await list(N10, N30)
  await watch()
  expect(await raised()).toEqual([])
})

describe('decisions', () => {
  const LOSS = offerSample('N10', { cost: '9.90' })

  it('a decision that loses money is asked of a second person, who approves exactly what was shown', async () => {
    await list(LOSS, N30)
    const outcome = await accept({ kinds: ['cost_changed'] })
    if (outcome.kind !== 'asked') throw new Error('one operator alone took a loss')
    expect(outcome.asked).toMatchObject({ kind: 'offers_accept', target: { kind: 'provider', id: 'acme' } })
    expect(await routes()).toMatchObject([{ cost: null }])
    await approvals.approve(second, outcome.asked.id, 'agreed with them')
    expect(await routes()).toMatchObject([{ cost: '99.00%' }])
    expect(await open()).toEqual([])
  })

  it('a decision is not carried out when the supplier says something else by then', async () => {
    await list(LOSS, N30)
    const outcome = await accept({ kinds: ['cost_changed'] })
    if (outcome.kind !== 'asked') throw new Error('one operator alone took a loss')
    const ids = await idsOf('cost_changed')
    await list(offerSample('N10', { cost: '9.95' }), N30)
    await expect(approvals.approve(second, outcome.asked.id, 'yes')).rejects.toMatchObject({
      code: 'proposal_changed',
    })
    await expect(accept({ ids })).rejects.toMatchObject({ status: 409, code: 'proposal_changed' })
    expect(await routes()).toMatchObject([{ cost: null }])
  })

  it('a decision of two operators at once is made once, and leaves one line', async () => {
    await list(N10, N30, offerSample('N60', { cost: '58.20' }))
    const input = { ids: (await open()).map(({ id }) => String(id)) }
    const outcomes = await Promise.all([accept(input), accept(input, second), accept(input)])
    const counts = outcomes.map((each) => (each.kind === 'done' ? each.result.accepted.length : -1))
    expect(counts.sort()).toEqual([0, 0, 3])
    const about = { actor: null, targetKind: null, target: 'acme', fromMs: null, untilMs: null }
    const lines = await listAudit(log, { ...about, action: 'offers.accept', beforeSequence: null, limit: 10 })
    const last = lines.filter(({ after }) => after?.includes('new N60'))
    expect(last).toHaveLength(1)
  })

  it('a cost in a currency without a rate is refused by its id, and left out by a rule', async () => {
    const usd = { amount: 20_000n, currency: 'USD' }
    await list({ ...N10, cost: usd }, N30)
    const [first, other] = await idsOf('cost_changed')
    expect(await open()).toMatchObject([{ margin: 'no_rate', trouble: expect.stringContaining('rate') }, {}])
    expect(await accept({ ids: [first, other] })).toMatchObject({
      kind: 'refused',
      error: { code: 'proposals_refused', fields: { [`ids.${first}`]: ['N10: there is no rate of USD'] } },
    })
    const done = { accepted: [{ code: 'N30' }], refused: [{ reason: 'there is no rate of USD' }] }
    expect(await accept({ kinds: ['cost_changed'] })).toMatchObject({ kind: 'done', result: done })
    expect(await open()).toMatchObject([{ code: 'N10' }])
  })

  it('a rule takes costs that rise by so much at most, and lower ones', async () => {
    await list(N10, N30)
    await accept({ kinds: ['cost_changed'] })
    await list(offerSample('N10', { cost: '9.80' }), offerSample('N30', { cost: '29.40' }))
    expect(await accept({ kinds: ['cost_changed'], cost_up_to: 1 })).toMatchObject({
      result: { accepted: [] },
    })
    await list(offerSample('N10', { cost: '9.50' }), offerSample('N30', { cost: '29.40' }))
    expect(await accept({ kinds: ['cost_changed'], cost_up_to: 1 })).toMatchObject({
      result: { accepted: [{ code: 'N10' }] },
    })
    expect(await accept({ kinds: ['cost_changed'], cost_up_to: 2 })).toMatchObject({
      result: { accepted: [{ code: 'N30' }] },
    })
  })

  it('a rejection stands until the supplier says something else', async () => {
    await list(N10, N30)
    const stage = { log, world: undefined, ask: askedOf(approvals) }
    const input = { provider: 'acme', ids: await idsOf('cost_changed') }
    const reject = () => perform(stage, rejectProposals, { caller: asker, input, reason: 'too dear' })
    expect(await reject()).toMatchObject({ kind: 'done', result: { rejected: 2 } })
    expect(await reject()).toMatchObject({ kind: 'done', result: { rejected: 0 } })
    await list(N10, N30)
    expect(await open()).toEqual([])
    await list(offerSample('N10', { cost: '9.60' }), N30)
    expect(await open()).toMatchObject([{ code: 'N10' }])
  })
})
