import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TestDatabase } from '../../testing/database.ts'
import { openTestDatabase } from '../../testing/database.ts'
import { until } from '../../testing/payments/payments.ts'
import { kindsOf, scriptedKind } from '../../testing/providers/connector-kinds.ts'
import { newOrder } from '../../testing/providers/provider-bench.ts'
import { createScriptedProvider, SUCCEEDED, UNKNOWN } from '../../testing/providers/scripted-provider.ts'
import type { AmbiguousAnswer } from './ambiguous.service.ts'
import { USUAL_BREAKER } from './connections/breaker.rules.ts'
import { addConnection, changeConnection, enableConnection } from './connections/connections.service.ts'
import { setRoute } from './connections/routing.service.ts'
import type { Observation } from './connections/routing.types.ts'
import { listHealthReports } from './health/health.service.ts'
import type { OpenProviders, RegistrySettings } from './registry.service.ts'
import { openRegistry } from './registry.service.ts'

let test: TestDatabase
const kind = scriptedKind()
const kinds = kindsOf(kind)
const opened: OpenProviders[] = []

beforeAll(async () => {
  test = await openTestDatabase()
})
afterAll(() => test.close())
beforeEach(async () => {
  await test.database.query('delete from provider_routes')
  await test.database.query('delete from provider_connections')
  await test.database.query('update provider_version set version = version + 1')
  kind.made.splice(0)
})
afterEach(() => Promise.all(opened.splice(0).map((each) => each.close())))

const LONG_MS = 86_400_000

async function openNode(
  settings: Partial<RegistrySettings> = {},
): Promise<OpenProviders & { problems: string[] }> {
  const problems: string[] = []
  const providers = await openRegistry({
    database: test.openAnother(),
    vault: test.vault,
    kinds,
    fallback: undefined,
    leaseMs: 60_000,
    nowMs: Date.now,
    onProblem: (text) => problems.push(text),
    onAmbiguous: async () => {},
    shareEveryMs: LONG_MS,
    ...settings,
  })
  opened.push(providers)
  return Object.assign(providers, { problems })
}

async function connect(code: string, change: Record<string, unknown> = {}) {
  return addConnection({ ...test, kinds }, { code, kind: 'scripted', name: code, config: {}, ...change })
}

const connections = () => ({ ...test, kinds, countUnfinished: () => Promise.resolve(0) })

function route(productCode: string, provider: string, change: Record<string, unknown> = {}) {
  const usual = { priority: 1, weight: 100, cost: null, windows: [], isEnabled: true }
  return setRoute(test.database, { productCode, provider, ...usual, ...change })
}

function chosen(providers: OpenProviders, productCode: string): string {
  const choice = providers.choose({ productCode })
  return choice.kind === 'chosen' ? choice.provider.code : choice.kind
}

describe('the provider that takes an order', () => {
  const simulator = createScriptedProvider(SUCCEEDED, SUCCEEDED, { code: 'simulator' })

  it('is nobody without a route, and in staging the simulator', async () => {
    await connect('acme')
    expect(chosen(await openNode(), 'NOVA')).toBe('none')
    expect(chosen(await openNode({ fallback: simulator }), 'NOVA')).toBe('simulator')
  })

  it('is heard by every node within seconds, whichever made the change', async () => {
    const nodes = await Promise.all([openNode({ pollMs: LONG_MS }), openNode({ fallback: simulator })])
    await connect('acme')
    await route('NOVA', 'acme')
    for (const node of nodes) await until('the route is known', () => chosen(node, 'NOVA') === 'acme')
    await enableConnection(test, 'acme', false)
    for (const node of nodes) await until('it takes no orders', () => chosen(node, 'NOVA') === 'none')
    // Orders that it already has are still queried.
    for (const node of nodes) expect(node.byCode('acme')?.code).toBe('acme')
    expect(chosen(nodes[1], 'KITA')).toBe('simulator')
  })

  it('has every answer with several orders told to operators before anybody acts on it', async () => {
    const ambiguous = { kind: 'unknown', reason: 'two of ours', isAmbiguous: true } as const
    const made = createScriptedProvider(ambiguous, ambiguous, {
      code: 'acme',
      voids: { requestVoid: () => Promise.resolve(ambiguous) },
      callbacks: {
        readCallback: () => ({
          kind: 'news',
          id: 'e1',
          reference: 'W1-1',
          outcome: ambiguous,
          claimedAmount: null,
        }),
      },
    })
    const told: AmbiguousAnswer[] = []
    const node = await openNode({
      kinds: kindsOf(scriptedKind(() => made)),
      onAmbiguous: async (answer) => void told.push(answer),
    })
    await connect('acme')
    await node.refresh()
    const provider = node.byCode('acme')
    const order = newOrder({ reference: 'W1-1' })
    const { signal } = new AbortController()
    const report = { provider: 'acme', reference: 'W1-1', reason: 'two of ours' }
    const ways = [
      () => provider?.submit(order, signal),
      () => provider?.query(order, signal),
      () => provider?.voids?.requestVoid(order, signal),
      () => provider?.callbacks?.readCallback({ headers: {}, query: '', body: Buffer.alloc(0) }, 0),
    ]
    for (const way of ways) {
      await way()
      expect(told.splice(0)).toEqual([report])
    }
    made.script = { submit: () => Promise.resolve(UNKNOWN), query: () => Promise.resolve(UNKNOWN) }
    await provider?.submit(order, signal)
    await provider?.query(order, signal)
    expect(told).toEqual([])
  })

  it('is the same object until its own connection changes', async () => {
    await connect('acme', { secrets: { password: 'x' } })
    await connect('other')
    const node = await openNode()
    const before = node.byCode('acme')
    await route('NOVA', 'acme')
    await changeConnection(connections(), 'other', { name: 'Other' })
    await node.refresh()
    expect(node.byCode('acme')).toBe(before)
    await changeConnection(connections(), 'acme', { secrets: { password: 'y' } })
    await node.refresh()
    expect(node.byCode('acme')).not.toBe(before)
    expect(kind.made.filter(({ code }) => code === 'acme').map(({ secrets }) => secrets)).toEqual([
      { password: 'x' },
      { password: 'y' },
    ])
  })

  it('is everybody but those that cannot be made, and that is told', async () => {
    await connect('acme')
    await connect('lame', { config: { broken: true } })
    await route('NOVA', 'lame')
    await route('NOVA', 'acme', { priority: 2 })
    const node = await openNode()
    expect(node.problems).toEqual(['the provider lame cannot be used'])
    expect(chosen(node, 'NOVA')).toBe('acme')
    expect(node.list().map(({ code }) => code)).toEqual(['acme'])
  })

  it('is still whoever it was while a change cannot be read, and that is read again at the next look', async () => {
    await connect('acme', { secrets: { password: 'x' } })
    await route('NOVA', 'acme')
    let isAway = false
    const vault: typeof test.vault = {
      ...test.vault,
      open(context, sealed) {
        if (isAway) throw new Error('the database is away')
        return test.vault.open(context, sealed)
      },
    }
    const node = await openNode({ vault, pollMs: LONG_MS })
    const before = node.byCode('acme')
    isAway = true
    await changeConnection(connections(), 'acme', { secrets: { password: 'y' } })
    await node.refresh()
    await node.refresh()
    expect(node.byCode('acme')).toBe(before)
    expect(chosen(node, 'NOVA')).toBe('acme')
    expect(node.problems).toEqual(['the secrets of the provider acme cannot be read'])
    await enableConnection(test, 'acme', false)
    await node.refresh()
    expect(chosen(node, 'NOVA')).toBe('none')
    expect(node.takesOrders('acme')).toBe(false)
    await enableConnection(test, 'acme', true)
    await node.refresh()
    isAway = false
    await node.refresh()
    expect(kind.made.at(-1)?.secrets).toEqual({ password: 'y' })
    expect(node.byCode('acme')).not.toBe(before)
    expect(node.takesOrders('acme')).toBe(true)
    expect(node.takesOrders('nobody')).toBe(false)
  })

  it('takes as many orders, as fast, and for as long as it may', async () => {
    await connect('acme', { limits: { concurrency: 3, rate_per_second: 5 } })
    const node = await openNode({ leaseMs: 8_000 })
    expect(node.byCode('acme')).toMatchObject({ concurrencyMax: 3, ratePerSecond: 5, submitTimeoutMs: 6_000 })
  })

  it('takes its share of them where several groups send orders to one account, and one order at least', async () => {
    await connect('acme', { limits: { concurrency: 7, rate_per_second: 5 } })
    let groups = 2
    const node = await openNode({ groups: () => groups })
    expect(node.byCode('acme')).toMatchObject({ concurrencyMax: 3, ratePerSecond: 2.5 })
    groups = 10
    expect(node.byCode('acme')).toMatchObject({ concurrencyMax: 1, ratePerSecond: 0.5 })
  })
})

describe('health', () => {
  const LOST: Observation = { answer: 'unknown', tookMs: 10 }
  const ANSWERED: Observation = { answer: 'succeeded', tookMs: 10 }

  function fall(node: OpenProviders, code: string): void {
    for (let order = 0; order < USUAL_BREAKER.failuresInARow; order += 1) node.observe(code, LOST)
  }

  it('a sick provider’s orders go to the next one, and a product stops when all are sick', async () => {
    await connect('acme')
    await connect('other')
    await route('NOVA', 'acme')
    await route('NOVA', 'other', { priority: 2 })
    const node = await openNode()
    fall(node, 'acme')
    expect(node.admit('acme')).toBe('open')
    expect(node.choose({ productCode: 'NOVA' })).toMatchObject({
      note: { passedOver: [{ provider: 'acme', obstacle: 'interrupted' }], pick: null },
    })
    expect(node.productHealth('NOVA')).toBe('healthy')
    fall(node, 'other')
    expect(chosen(node, 'NOVA')).toBe('closed')
    expect(node.productHealth('NOVA')).toBe('interrupted')
    expect(node.productHealth('UNKNOWN')).toBe('interrupted')
  })

  it('is told to the other nodes, and one that gets answers knows better', async () => {
    await connect('acme')
    await route('NOVA', 'acme')
    const [ill, idle] = await Promise.all([openNode(), openNode()])
    fall(ill, 'acme')
    await ill.shareHealth()
    expect(idle.isOpen('acme')).toBe(false)
    await idle.shareHealth()
    expect(idle.isOpen('acme')).toBe(true)
    expect(idle.productHealth('NOVA')).toBe('interrupted')
    expect(idle.healthOf('acme')).toMatchObject({ state: 'open', orders: 5, timeouts: 5, successRate: 0 })
    // This node has seen no failure itself, so it tries.
    expect(chosen(idle, 'NOVA')).toBe('acme')
    expect(await listHealthReports(test.database)).toMatchObject([
      { provider: 'acme', state: 'open', orders: 5, answered: 0, timeouts: 5 },
    ])
    idle.observe('acme', ANSWERED)
    await idle.shareHealth()
    await ill.shareHealth()
    expect(ill.isOpen('acme')).toBe(false)
    expect(ill.healthOf('acme')).toMatchObject({ state: 'closed', orders: 6 })
    expect(chosen(ill, 'NOVA')).toBe('closed')
  })

  it('begins anew when the operator has changed the connection', async () => {
    await connect('acme')
    await route('NOVA', 'acme')
    const node = await openNode()
    fall(node, 'acme')
    expect(chosen(node, 'NOVA')).toBe('closed')
    await changeConnection(connections(), 'acme', { config: { url: 'another' } })
    await node.refresh()
    expect(chosen(node, 'NOVA')).toBe('acme')
  })

  it('never closes the door of the simulator, nor of one that is said to have none', async () => {
    const simulator = createScriptedProvider(SUCCEEDED, SUCCEEDED, { code: 'simulator' })
    await connect('acme', { limits: { breaker: false } })
    await route('NOVA', 'acme')
    const node = await openNode({ fallback: simulator })
    for (const code of ['acme', 'simulator']) for (let round = 0; round < 20; round += 1) fall(node, code)
    expect(chosen(node, 'NOVA')).toBe('acme')
    expect(chosen(node, 'KITA')).toBe('simulator')
    expect(node.healthOf('simulator')).toMatchObject({ timeouts: 100, state: 'closed' })
  })
})
