import fc from 'fast-check'
import { expect, it } from 'vitest'
import { formatMoney } from '../../../lib/money.ts'
import { runs } from '../../../testing/runs.ts'
import { CHARACTER } from '../../../testing/texts.ts'
import { readPaymentRequest } from './request.rules.ts'

const anything = fc.jsonValue({ stringUnit: 'binary', maxDepth: 3 }) as fc.Arbitrary<unknown>

/** Text with halves of surrogate pairs, some of which meet, and with NUL. */
const broken = fc.string({ unit: fc.constantFrom('a', '\ud83d', '\ude00', '\0'), maxLength: 4 })

/** Bodies that are mostly a payment, with any part replaced by any value. */
const bodies = fc.record(
  {
    refid: fc.oneof(fc.string({ unit: CHARACTER, maxLength: 60 }), broken, anything),
    product: fc.oneof(fc.string(), anything),
    account: fc.oneof(fc.string(), broken, anything),
    amount: fc.oneof(fc.double(), fc.string({ unit: fc.constantFrom(...'0123456789.-e ') }), anything),
    remarks: anything,
    extras: fc.oneof(
      anything,
      fc.record(
        { subproduct_code: anything, biller_code: anything, ref2: anything, ic_number: anything },
        { requiredKeys: [] },
      ),
    ),
  },
  { requiredKeys: [] },
)

/** Checks character by character, where the rule counts and matches. */
function isStorable(text: string): boolean {
  return [...text].every((character) => {
    const point = character.codePointAt(0) ?? 0
    return point !== 0 && (point < 0xd800 || point > 0xdfff)
  })
}

it('no JSON value makes the reading throw, and only a refid that can be stored makes a request', () => {
  fc.assert(
    fc.property(fc.oneof(anything, bodies), (body) => {
      const result = readPaymentRequest(body)
      const refid = (body as { refid?: unknown } | null)?.refid
      const isWhole =
        typeof refid === 'string' && refid !== '' && [...refid].length <= 50 && isStorable(refid)
      expect(result.kind).toBe(isWhole && !Array.isArray(body) ? 'request' : 'unreadable')
      if (result.kind === 'request') expect(result.request.refid).toBe(refid)
      else expect(Object.keys(result.problems).length).toBeGreaterThan(0)
    }),
    { numRuns: runs(2_000) },
  )
})

it('a request that is read without problems can be stored, and fits its bounds', () => {
  fc.assert(
    fc.property(bodies, (body) => {
      const result = readPaymentRequest({ refid: 'R', product: 'P', account: 'A', amount: 1, ...body })
      if (result.kind !== 'request' || Object.keys(result.request.problems).length > 0) return
      const { product, account, amount, remarks, extras } = result.request
      const texts = [product, account, remarks, ...Object.values(extras).map((each) => each ?? '')]
      expect(texts.filter((text) => !isStorable(text))).toEqual([])
      expect([...product].length).toBeLessThanOrEqual(50)
      expect([...account].length).toBeLessThanOrEqual(100)
      expect([...remarks].length).toBeLessThanOrEqual(2_000)
      expect(amount).toBeGreaterThan(0n)
    }),
    { numRuns: runs(2_000) },
  )
})

it('an amount is the same as a number, as text, and with zeros after it', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 10n ** 15n - 1n }), (units) => {
      const text = formatMoney(units)
      const short = text.replace(/\.?0+$/, '')
      const long = text.padEnd(text.indexOf('.') + 5, '0')
      for (const amount of [text, short, long, Number(text)]) {
        const result = readPaymentRequest({ refid: 'R', product: 'P', account: 'A', amount })
        expect(result).toMatchObject({ kind: 'request', request: { amount: units, problems: {} } })
      }
    }),
    { numRuns: runs(1_000) },
  )
})
