import { describe, expect, it } from 'vitest'
import { BILL, FIRST } from '../../testing/payments/judging.ts'
import {
  createScriptedProvider,
  NEVER,
  providersOf,
  SUCCEEDED,
} from '../../testing/providers/scripted-provider.ts'
import { EMPTY_STATE } from '../catalog/model/state.rules.ts'
import type { Snapshot } from '../catalog/model/types.ts'
import { chooseRoute, compileRoutes } from '../providers/connections/routing.rules.ts'
import type { Route } from '../providers/connections/routing.types.ts'
import type { BillCapability, BillRequest, Provider } from '../providers/port/types.ts'
import type { BillsSettings } from './service.ts'
import { createBills } from './service.ts'
import type { BillQuestion } from './types.ts'

const READER = { id: 1n, priceLevel: 'STANDARD' }
const VOLT: BillQuestion = {
  product: 'VOLT',
  account: '220011223344',
  billerCode: null,
  ref2: null,
  amount: null,
}

function billerOf(presentBill: BillCapability['presentBill'], code = 'biller'): Provider {
  return { ...createScriptedProvider(SUCCEEDED, undefined, { code }), bills: { presentBill } }
}

function withoutBills(code: string): Provider {
  return createScriptedProvider(SUCCEEDED, undefined, { code })
}

function billsOf(providers: BillsSettings['providers'], settings: Partial<BillsSettings> = {}) {
  const bills = createBills({
    catalog: { snapshotFor: () => FIRST as Snapshot, base: () => EMPTY_STATE.base },
    providers,
    isStaging: true,
    timeoutMs: 10_000,
    ...settings,
  })
  return (question: Partial<BillQuestion> = {}, leftMs = 29_000) =>
    bills.present(READER, { ...VOLT, ...question }, performance.now() + leftMs)
}

function routeTo(provider: string, priority: number): Route {
  return { productCode: '*', provider, priority, weight: 1, cost: null, windows: [], isEnabled: true }
}

const found = () => Promise.resolve({ kind: 'found', bill: { CustomerName: 'A' } } as const)

it('the provider is asked what was judged, and its bill is shown', async () => {
  const asked: BillRequest[] = []
  const biller = billerOf((request) => {
    asked.push(request)
    return found()
  })
  const present = billsOf(providersOf(biller))
  const { biller_code, ref2 } = BILL.extras
  await present({ product: 'BILLPAY', account: BILL.account, billerCode: biller_code, ref2, amount: '30.00' })
  expect(asked).toEqual([
    { productCode: 'BILLPAY', account: BILL.account, billerCode: biller_code, ref2, amount: 300_000n },
  ])
  expect(await present()).toEqual({ kind: 'found', bill: { CustomerName: 'A' } })
})

describe('a product', () => {
  const present = billsOf(providersOf(billerOf(found)))

  it.each(['', 'NOBODY', 'volt', '__proto__', 'OLDONE'])('%j is refused', async (product) => {
    expect(await present({ product })).toEqual({ kind: 'refused', problem: 'product' })
  })

  it.each(['NOVA', 'NOVAD', 'GEMS', 'PINTEN', 'ESIMGO', 'FD'])(
    '%s has no bills, and nobody is asked for any',
    async (product) => {
      const never = billsOf(
        providersOf(
          billerOf(() => {
            throw new Error('asked')
          }),
        ),
      )
      expect(await never({ product, account: 'anything' })).toEqual({ kind: 'not_presented' })
    },
  )

  it('needs an account, whatever it is', async () => {
    for (const product of ['VOLT', 'NOVA']) {
      expect(await present({ product, account: '' })).toEqual({ kind: 'refused', problem: 'account' })
    }
  })

  it('a product has no bills when the provider shows none', async () => {
    const shy = billsOf(providersOf(billerOf(() => Promise.resolve({ kind: 'not_offered' }))))
    expect(await shy()).toEqual({ kind: 'not_presented' })
    expect(await billsOf(providersOf(withoutBills('a'), withoutBills('b')))()).toEqual({
      kind: 'not_presented',
    })
    expect(await billsOf(providersOf())()).toEqual({ kind: 'not_presented' })
  })

  it('is asked about at the first provider that shows bills', async () => {
    const both = providersOf(withoutBills('first'), billerOf(found, 'second'))
    expect(await billsOf(both)()).toMatchObject({ kind: 'found' })
  })
})

describe('a provider that cannot say', () => {
  const closed = { ...providersOf(), choose: () => ({ kind: 'closed', passedOver: [] }) as const }

  it('is unavailable when it is closed', async () => {
    expect(await billsOf(closed)()).toEqual({ kind: 'unavailable' })
  })

  it.each([
    ['shows bills', billerOf(found, 'second'), 'unavailable'],
    ['shows none either', withoutBills('second'), 'not_presented'],
  ])('a provider that is interrupted behind one without bills: where it %s', async (_, second, kind) => {
    const first = withoutBills('first')
    const routes = compileRoutes(
      [routeTo('first', 1), routeTo('second', 2)],
      (code) => (code === 'first' ? first : second),
      undefined,
    )
    const world = { acceptsOrders: (code: string) => code === 'first', nowMs: Date.now, random: () => 0 }
    const providers: BillsSettings['providers'] = {
      choose: (request) => chooseRoute(routes, request, world),
      byCode: (code) => [first, second].find((each) => each.code === code),
    }
    expect(await billsOf(providers)()).toEqual({ kind })
  })

  it.each([
    ['shows bills', billerOf(found, 'second'), 'unavailable'],
    ['shows none', withoutBills('second'), 'not_presented'],
    ['is connected no more', billerOf(found, 'another'), 'not_presented'],
  ])('is known by its code, where it %s and was passed over', async (_, second, kind) => {
    const first = withoutBills('first')
    const passedOver = [
      { provider: 'first', obstacle: 'tried' },
      { provider: 'second', obstacle: 'closed_now' },
    ] as const
    const providers: BillsSettings['providers'] = {
      choose: ({ tried }) =>
        tried?.has('first')
          ? { kind: 'closed', passedOver }
          : { kind: 'chosen', provider: first, note: null },
      byCode: (code) => [first, second].find((each) => each.code === code),
    }
    expect(await billsOf(providers)()).toEqual({ kind })
  })

  it.each<[string, BillCapability['presentBill']]>([
    ['says so', () => Promise.resolve({ kind: 'unavailable', reason: 'down' })],
    ['rejects', () => Promise.reject(new Error('refused'))],
    [
      'throws',
      () => {
        throw new Error('thrown')
      },
    ],
    ['answers nothing', () => Promise.resolve(undefined as never)],
    ['answers null', () => Promise.resolve(null as never)],
    ['answers garbage', () => Promise.resolve('<html>' as never)],
    ['answers an unknown kind', () => Promise.resolve({ kind: 'maybe' } as never)],
    ['finds no record', () => Promise.resolve({ kind: 'found', bill: 'none' } as never)],
  ])('is unavailable when it %s, and somebody is told why', async (_, presentBill) => {
    const reasons: string[] = []
    const onUnavailable = (code: string, reason: string) => reasons.push(`${code}: ${reason}`)
    expect(await billsOf(providersOf(billerOf(presentBill)), { onUnavailable })()).toEqual({
      kind: 'unavailable',
    })
    expect(reasons).toEqual([expect.stringMatching(/^biller: \S/)])
  })

  it('a provider that hangs is given up, told so, and answered before the caller’s own time is over', async () => {
    let aborted = false
    const hanging = billerOf((_, signal) => {
      signal.addEventListener('abort', () => {
        aborted = true
      })
      return NEVER
    })
    expect(await billsOf(providersOf(hanging), { timeoutMs: 20 })()).toEqual({ kind: 'unavailable' })
    expect(aborted).toBe(true)
    const reasons: string[] = []
    const present = billsOf(providersOf(hanging), { onUnavailable: (_, reason) => reasons.push(reason) })
    expect(await present({}, 200)).toEqual({ kind: 'unavailable' })
    expect(reasons).toEqual([expect.stringMatching(/^no answer within (100|\d{1,2}) ms$/)])
  })

  it('a provider that hangs holds no more than its share of requests, and gets new ones when they are over', async () => {
    const release: (() => void)[] = []
    const slow = billerOf(() => new Promise((resolve) => release.push(() => resolve(found()))))
    const present = billsOf(providersOf(slow), { underwayMax: 2 })
    const held = [present(), present()]
    await Promise.resolve()
    expect(await present()).toEqual({ kind: 'unavailable' })
    expect(release).toHaveLength(2)
    for (const each of release) each()
    expect(await Promise.all(held)).toEqual([
      { kind: 'found', bill: { CustomerName: 'A' } },
      expect.anything(),
    ])
    const after = present()
    await Promise.resolve()
    expect(release).toHaveLength(3)
    release[2]?.()
    expect(await after).toMatchObject({ kind: 'found' })
  })
})
