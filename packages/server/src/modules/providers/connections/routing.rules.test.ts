import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createScriptedProvider, SUCCEEDED, UNKNOWN } from '../../../testing/providers/scripted-provider.ts'
import type { Provider } from '../port/types.ts'
import type { CompiledRoutes } from './routing.rules.ts'
import { candidatesOf, chooseRoute, compileRoutes, minuteOfWeek, routesOf } from './routing.rules.ts'
import type { Obstacle, Route, RouteChoice, RouteRequest } from './routing.types.ts'

const provider = (code: string, change: Partial<Provider> = {}): Provider => ({
  ...createScriptedProvider(SUCCEEDED, UNKNOWN, { code }),
  ...change,
})

const A = provider('a')
const B = provider('b')
const C = provider('c')
const STOCK = provider('stock', { reservesStock: true })
const SIMULATOR = provider('simulator')
const KNOWN = new Map([A, B, C, STOCK].map((each) => [each.code, each]))

function route(to: string, change: Partial<Route> = {}): Route {
  return {
    productCode: 'NOVA',
    provider: to,
    priority: 1,
    weight: 100,
    cost: null,
    windows: [],
    isEnabled: true,
    ...change,
  }
}

function compile(routes: readonly Route[], fallback?: Provider): CompiledRoutes {
  return compileRoutes(routes, (code) => KNOWN.get(code), fallback)
}

type World = { ill?: readonly string[]; at?: string; random?: number }

function choose(
  routes: CompiledRoutes,
  request: Partial<RouteRequest> = {},
  { ill = [], at = '2026-11-16T12:00:00+08:00', random = 0 }: World = {},
): RouteChoice {
  return chooseRoute(
    routes,
    { productCode: 'NOVA', ...request },
    {
      acceptsOrders: (code) => !ill.includes(code),
      nowMs: () => Date.parse(at),
      random: () => random,
    },
  )
}

function codeOf(choice: RouteChoice): string {
  return choice.kind === 'chosen' ? choice.provider.code : choice.kind
}

describe('owners of routes', () => {
  it('a product without any route has nobody, or the fallback where there is one', () => {
    expect(choose(compile([]))).toEqual({ kind: 'none' })
    expect(codeOf(choose(compile([], SIMULATOR)))).toBe('simulator')
  })

  it('a product with routes of its own uses these alone', () => {
    const routes = compile([route('a'), route('b', { productCode: '*' })], SIMULATOR)
    expect(codeOf(choose(routes))).toBe('a')
    expect(codeOf(choose(routes, { productCode: 'KITA' }))).toBe('b')
    expect(codeOf(choose(routes, {}, { ill: ['a'] }))).toBe('closed')
  })

  it('a product whose own routes all lead nowhere has nobody, whoever takes the others', () => {
    const routes = [route('gone'), route('a', { isEnabled: false }), route('b', { productCode: '*' })]
    expect(choose(compile(routes, SIMULATOR))).toEqual({ kind: 'none' })
  })
})

const passed = (provider: string, obstacle: Obstacle) => ({ provider, obstacle })

describe('the order', () => {
  const routes = compile([route('b', { priority: 2 }), route('a'), route('c', { priority: 3 })])

  it('is that of the priorities, and the first is chosen without a word', () => {
    expect(choose(routes)).toEqual({ kind: 'chosen', provider: A, note: null })
  })

  it('says who was passed over and why', () => {
    const tried = new Set(['b'])
    expect(choose(routes, { tried }, { ill: ['a'] })).toEqual({
      kind: 'chosen',
      provider: C,
      note: { passedOver: [passed('a', 'interrupted'), passed('b', 'tried')], pick: null },
    })
    expect(choose(routes, { tried }, { ill: ['a', 'c'] })).toEqual({
      kind: 'closed',
      passedOver: [passed('a', 'interrupted'), passed('b', 'tried'), passed('c', 'interrupted')],
    })
  })

  it('within a priority is drawn by weight; a weight of 0 waits for the others to fail', () => {
    const weighted = compile([
      route('a', { weight: 3 }),
      route('b', { weight: 1 }),
      route('c', { weight: 0 }),
    ])
    const draw = (random: number) => codeOf(choose(weighted, {}, { random }))
    expect([0, 0.74, 0.76, 0.999].map(draw)).toEqual(['a', 'a', 'b', 'b'])
    expect(choose(weighted, {}, { random: 0.8 })).toMatchObject({
      note: { passedOver: [], pick: { by: 'weight', among: ['a', 'b', 'c'] } },
    })
    expect(codeOf(choose(weighted, {}, { ill: ['a', 'b'] }))).toBe('c')
  })

  it('within a priority without weights is by cost, at the face value of the order', () => {
    const byCost = compile([
      route('a', { weight: null, cost: { kind: 'percentage', value: 9_700n } }),
      route('b', { weight: null, cost: { kind: 'fixed', value: 98_000n } }),
      route('c', { weight: null }),
    ])
    expect(codeOf(choose(byCost, { faceValue: 100_000n }))).toBe('a')
    expect(codeOf(choose(byCost, { faceValue: 200_000n }))).toBe('b')
    expect(codeOf(choose(byCost, { faceValue: 200_000n }, { ill: ['a', 'b'] }))).toBe('c')
  })

  it('the order of an existing payment leaves out providers that sell from stock', () => {
    const shelf = compile([route('stock'), route('a', { priority: 2 })])
    expect(codeOf(choose(shelf))).toBe('stock')
    expect(codeOf(choose(shelf, { withoutStock: true }))).toBe('a')
  })
})

describe('time windows', () => {
  const window = (days: number[], fromMinute: number, toMinute: number) => ({ days, fromMinute, toMinute })
  const at = (routes: CompiledRoutes, when: string) => codeOf(choose(routes, {}, { at: `${when}+08:00` }))

  it('are of Malaysia, end before their end, and go past midnight and past Sunday', () => {
    const office = compile([route('a', { windows: [window([1, 2, 3, 4, 5], 8 * 60, 18 * 60)] })])
    // A Monday
    expect(at(office, '2026-11-16T07:59:59')).toBe('closed')
    expect(at(office, '2026-11-16T08:00:00')).toBe('a')
    expect(at(office, '2026-11-16T17:59:59')).toBe('a')
    expect(at(office, '2026-11-16T18:00:00')).toBe('closed')
    expect(at(office, '2026-11-15T12:00:00')).toBe('closed')
    const night = compile([route('a', { windows: [window([7], 22 * 60, 2 * 60)] })])
    expect(at(night, '2026-11-15T23:00:00')).toBe('a')
    expect(at(night, '2026-11-16T01:59:59')).toBe('a')
    expect(at(night, '2026-11-16T02:00:00')).toBe('closed')
    expect(at(night, '2026-11-16T22:30:00')).toBe('closed')
    const allDay = compile([route('a', { windows: [window([], 0, 24 * 60)] })])
    expect(at(allDay, '2026-11-18T03:00:00')).toBe('a')
  })

  it('agree with a calendar, minute by minute', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_000_000_000 }), (seconds) => {
        const local = new Date(seconds * 1_000 + 8 * 3_600_000)
        const day = (local.getUTCDay() + 6) % 7
        expect(minuteOfWeek(seconds * 1_000)).toBe(
          day * 1_440 + local.getUTCHours() * 60 + local.getUTCMinutes(),
        )
      }),
    )
  })
})

it('the chosen provider is enabled, open, untried, and of the first priority that has one, whatever the routes', () => {
  const routes = fc.uniqueArray(
    fc.record({
      provider: fc.constantFrom('a', 'b', 'c', 'stock', 'gone'),
      priority: fc.integer({ min: 1, max: 3 }),
      weight: fc.option(fc.nat(5), { nil: null }),
      isEnabled: fc.boolean(),
    }),
    { selector: (each) => each.provider, maxLength: 5 },
  )
  const codes = fc.subarray(['a', 'b', 'c', 'stock'])
  fc.assert(
    fc.property(
      routes,
      codes,
      codes,
      fc.boolean(),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (drawn, ill, tried, withoutStock, random) => {
        const all = drawn.map((each) => route(each.provider, each))
        const choice = choose(compile(all), { tried: new Set(tried), withoutStock }, { ill, random })
        const usable = all.filter(({ isEnabled, provider: code }) => isEnabled && KNOWN.has(code))
        const eligible = usable.filter(
          ({ provider: code }) =>
            !ill.includes(code) && !tried.includes(code) && !(withoutStock && code === 'stock'),
        )
        if (usable.length === 0) expect(choice.kind).toBe('none')
        else if (eligible.length === 0) expect(choice.kind).toBe('closed')
        else {
          const first = Math.min(...eligible.map(({ priority }) => priority))
          const candidates = eligible.filter(({ priority }) => priority === first)
          expect(candidates.map(({ provider: code }) => code)).toContain(codeOf(choice))
        }
      },
    ),
  )
})

it('a provider that is closed at this hour does not count as one that fulfils the product now', () => {
  const night = { days: [], fromMinute: 0, toMinute: 360 }
  const routes = compile([route('a', { windows: [night] }), route('b', { priority: 2, windows: [night] })])
  const candidatesAt = (at: string) => {
    const own = routesOf(routes, 'NOVA')
    return own === undefined ? [] : candidatesOf(own, Date.parse(at)).map(({ code }) => code)
  }
  expect(candidatesAt('2026-11-16T05:59:00+08:00')).toEqual(['a', 'b'])
  expect(candidatesAt('2026-11-16T06:00:00+08:00')).toEqual([])
})
