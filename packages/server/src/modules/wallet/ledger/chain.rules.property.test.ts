import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createHmacKey } from '../../../lib/secrets/hmac.ts'
import { runs } from '../../../testing/runs.ts'
import { CHARACTER } from '../../../testing/texts.ts'
import { CHAIN_START, canonicalEntry, hashEntry } from './chain.rules.ts'
import type { ChainedEntry } from './chain.types.ts'

const KEY = createHmacKey(randomBytes(32))
const whole = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
// Text that looks like the separators between values, so that an ambiguous encoding is caught.
const text = fc.oneof(fc.string({ unit: CHARACTER }), fc.stringMatching(/^[0-9:,-]{0,12}$/))

const entry: fc.Arbitrary<ChainedEntry> = fc.record({
  resellerId: whole,
  sequence: whole,
  kind: text,
  houseAccount: text,
  amount: whole,
  balanceAfter: whole,
  paymentId: fc.option(whole),
  reference: fc.option(text),
  remarks: text,
  createdAtMicros: whole,
})

it('two entries read the same only if they are the same', () => {
  fc.assert(
    fc.property(entry, entry, (one, other) => {
      const areSame = Object.keys(one).every(
        (name) => one[name as keyof ChainedEntry] === other[name as keyof ChainedEntry],
      )
      expect(canonicalEntry(one) === canonicalEntry(other)).toBe(areSame)
    }),
    { numRuns: runs(100) },
  )
})

it('every column, the entry before and the key count', () => {
  fc.assert(
    fc.property(entry, entry, (one, other) => {
      const hash = hashEntry(KEY, one, CHAIN_START)
      expect(hashEntry(KEY, { ...one }, CHAIN_START)).toEqual(hash)
      expect(hashEntry(createHmacKey(randomBytes(32)), one, CHAIN_START)).not.toEqual(hash)
      expect(hashEntry(KEY, one, hash)).not.toEqual(hash)
      for (const name of Object.keys(one) as (keyof ChainedEntry)[]) {
        if (one[name] === other[name]) continue
        expect(hashEntry(KEY, { ...one, [name]: other[name] }, CHAIN_START)).not.toEqual(hash)
      }
    }),
    { numRuns: runs(100) },
  )
})

it('text may move from one column to the next only with another hash', () => {
  fc.assert(
    fc.property(entry, fc.string({ minLength: 1 }), (one, part) => {
      const before = { ...one, reference: `a${part}`, remarks: 'b' }
      const after = { ...one, reference: 'a', remarks: `${part}b` }
      expect(canonicalEntry(before)).not.toBe(canonicalEntry(after))
    }),
    { numRuns: runs(100) },
  )
})
