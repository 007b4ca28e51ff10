import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BulkLine } from './bulk.rules.ts'
import { nameLines } from './bulk.rules.ts'

const word = fc.constantFrom('', 'A', 'B', 'é', 'e\u0301', '["', '1')
const line: fc.Arbitrary<BulkLine> = fc.record({
  line: fc.nat(),
  product: word,
  account: word,
  amount: fc.constantFrom('1', '1.0', '1.00', '10', 'x'),
  reference: fc.option(word, { nil: undefined }),
  extras: fc.option(fc.record({ biller_code: word, ref2: word }), { nil: undefined }),
})
const file = fc.array(line, { minLength: 1, maxLength: 30 })

const refidsOf = (lines: readonly BulkLine[], account = '1', batch = '') =>
  nameLines(account, batch, lines).map(({ refid }) => refid)

describe('the refids of a file', () => {
  it('are the same for the same file in every order', () => {
    fc.assert(
      fc.property(file, fc.infiniteStream(fc.nat()), (lines, order) => {
        const shuffled = lines
          .map((each) => ({ each, at: order.next().value ?? 0 }))
          .toSorted((a, b) => a.at - b.at)
          .map(({ each }) => each)
        expect(refidsOf(lines)).toEqual(refidsOf(lines))
        expect(refidsOf(shuffled).toSorted()).toEqual(refidsOf(lines).toSorted())
      }),
    )
  })

  it('are all different, also those of equal lines', () => {
    fc.assert(
      fc.property(file, (lines) => {
        const doubled = [...lines, ...lines]
        expect(new Set(refidsOf(doubled)).size).toBe(doubled.length)
      }),
    )
  })

  it('keep their meaning when lines are added: what was there keeps its refid', () => {
    fc.assert(
      fc.property(file, file, (lines, more) => {
        const longer = new Set(refidsOf([...more, ...lines]))
        expect(refidsOf(lines).every((refid) => longer.has(refid))).toBe(true)
      }),
    )
  })

  it('differ by account and by batch, and are refids', () => {
    fc.assert(
      fc.property(file, (lines) => {
        const all = [refidsOf(lines), refidsOf(lines, '2'), refidsOf(lines, '1', 'December')].flat()
        expect(new Set(all).size).toBe(all.length)
        for (const refid of all) expect(refid).toMatch(/^bulk-[0-9a-f]{40}$/)
      }),
    )
  })

  it('do not hold the identity number, and spell equal amounts in one way', () => {
    const of = (changes: Partial<BulkLine>) =>
      refidsOf([{ line: 1, product: 'P', account: '1', amount: '10', ...changes }])[0]
    expect(of({ extras: { ic_number: '900101015555' } })).toBe(of({ extras: { ic_number: '1' } }))
    expect(of({ amount: '10.00' })).toBe(of({}))
    expect(of({ amount: '10.01' })).not.toBe(of({}))
  })
})
