import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isInNetworks, parseNetwork } from '../../lib/addresses.ts'
import { widensKey } from './rules.ts'
import type { KeyPurpose } from './types.ts'
import { SCOPES } from './types.ts'

/** Attempt to use a key, and what its payments have cost before. */
type Attempt = {
  readonly scope: KeyPurpose['scopes'][number]
  readonly product: string
  readonly cost: bigint
  readonly spent: bigint
  readonly at: Date
  readonly address: string
}

const PRODUCTS = ['NOVA', 'KITA', 'VOLT']
const NETWORKS = ['10.0.0.0/8', '10.1.0.0/16', '10.1.2.3', '2001:db8::/32', '2001:db8::1']

const amount = fc.bigInt({ min: 0n, max: 20n })
const bound = fc.option(amount)
const instant = fc.integer({ min: 0, max: 20 }).map((ms) => new Date(ms))
const purpose: fc.Arbitrary<KeyPurpose> = fc.record({
  scopes: fc.subarray([...SCOPES], { minLength: 1 }),
  products: fc.option(fc.subarray(PRODUCTS, { minLength: 1 })),
  maxAmount: bound,
  dailyCap: bound,
  monthlyCap: bound,
  endsAt: fc.option(instant),
  networks: fc.option(fc.subarray(NETWORKS, { minLength: 1 })),
  note: fc.constantFrom('', 'at the station'),
})
const attempt: fc.Arbitrary<Attempt> = fc.record({
  scope: fc.constantFrom(...SCOPES),
  product: fc.constantFrom(...PRODUCTS),
  cost: amount,
  spent: amount,
  at: instant,
  address: fc.constantFrom('10.1.2.3', '10.1.9.9', '10.200.0.1', '192.0.2.1', '2001:db8::1', '2001:db8::2'),
})

function lets(key: KeyPurpose, { scope, product, cost, spent, at, address }: Attempt): boolean {
  const fits = (cap: bigint | null, sum: bigint) => cap === null || sum <= cap
  const networks = key.networks?.map(parseNetwork).filter((each) => each !== undefined)
  return (
    key.scopes.includes(scope) &&
    (key.products?.includes(product) ?? true) &&
    fits(key.maxAmount, cost) &&
    fits(key.dailyCap, spent + cost) &&
    fits(key.monthlyCap, spent + cost) &&
    (key.endsAt === null || at < key.endsAt) &&
    (networks === undefined || isInNetworks(address, networks))
  )
}

describe('the bounds of a key', () => {
  it('a change that counts as no widening lets the key do nothing that it could not do before', () => {
    fc.assert(
      fc.property(purpose, purpose, fc.array(attempt, { minLength: 20 }), (before, after, attempts) => {
        if (widensKey(before, after)) return
        for (const each of attempts) if (lets(after, each)) expect(lets(before, each)).toBe(true)
      }),
      { numRuns: 1_000 },
    )
  })

  it('a change that leaves the bounds as they are, or adds one, is no widening', () => {
    const OPEN = {
      products: null,
      maxAmount: null,
      dailyCap: null,
      monthlyCap: null,
      endsAt: null,
      networks: null,
    }
    fc.assert(
      fc.property(purpose, fc.string(), (bounds, note) => {
        expect(widensKey(bounds, { ...bounds, note })).toBe(false)
        expect(widensKey({ ...OPEN, scopes: SCOPES, note }, bounds)).toBe(false)
        for (const name of Object.keys(OPEN) as (keyof typeof OPEN)[]) {
          expect(widensKey(bounds, { ...bounds, [name]: null })).toBe(bounds[name] !== null)
        }
      }),
    )
  })
})
