import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { INDONESIA, KNOWN_NUMBERS, KNOWN_PLANS, MALAYSIA } from './known-plans.ts'
import type { NumberPlan } from './plans.ts'
import { compilePlans } from './plans.ts'
import { listReadings, readNumber } from './read.ts'

const MOBILE = { country: 'MY', kind: 'mobile' } as const
const read = (text: string) => readNumber(text, KNOWN_NUMBERS, MOBILE)

describe('a number as people write it', () => {
  it.each([
    '0123456789',
    '012-345 6789',
    '+60 12 345 6789',
    '+60 (0)12-3456789',
    '123456789',
    '60123456789',
    '0060123456789',
    '60 (0) 12 345 6789',
    '(+60)(0)12.345.6789',
    '(012) 345\u00a06789',
    '\u202a+60\u202f12\u2011345\u20136789\u202c',
  ])('is one account, also as %s', (text) => {
    expect(read(text)).toBe('60123456789')
  })

  it.each([
    '',
    '+',
    '+60',
    '++60123456789',
    '60+123456789',
    '٠١٢٣٤٥٦٧٨٩',
    '０１２３４５６７８９',
    '012345678a',
    '+600123456789',
    '600123456789',
    '+60 12 (0) 345 6789',
    '+60 (0)(0)12 345 6789',
    '+65 (0)9123 4567',
    '+0123456789',
    '99999999',
    '0123',
    '1'.repeat(40),
    `+${'1'.repeat(16)}`,
  ])('is refused where it is none or could be another: %j', (text) => {
    expect(read(text)).toBeUndefined()
  })

  it('begins with its calling code where its country has no plan', () => {
    const readThere = (text: string) => readNumber(text, KNOWN_NUMBERS, { country: 'NG', kind: 'mobile' })
    expect(readThere('+234 803 123 4567')).toBe('2348031234567')
    expect(readThere('2348031234567')).toBe('2348031234567')
    expect(readThere('08031234567')).toBeUndefined()
    expect(readNumber('60123456789', KNOWN_NUMBERS, { country: 'XX' })).toBeUndefined()
    for (const text of ['+234 803 123 4567', '234 803 123-4567']) {
      expect(listReadings(text, KNOWN_NUMBERS)).toContain('2348031234567')
    }
    expect(listReadings('08031234567', KNOWN_NUMBERS)).not.toContain('2348031234567')
  })

  it('is refused where it could be one abroad and one at home, until its country is written', () => {
    const ambiguous: NumberPlan = {
      ...MALAYSIA,
      ranges: [{ prefix: '60', kind: 'mobile', digitsMin: 9, digitsMax: 9, operator: null }],
    }
    const plans = compilePlans([ambiguous])
    expect(readNumber('601234567', plans, MOBILE)).toBeUndefined()
    expect(readNumber('+60601234567', plans, MOBILE)).toBe('60601234567')
    expect(readNumber('0601234567', plans, MOBILE)).toBe('60601234567')
    expect(listReadings('601234567', plans)).toEqual(['601234567', '60601234567'])
  })
})

// ── Any number of the plans, in any spelling ──

const DIGIT = fc.integer({ min: 0, max: 9 })
const digitsOf = (length: number) =>
  fc.array(DIGIT, { minLength: length, maxLength: length }).map((digits) => digits.join(''))

type Known = { readonly plan: NumberPlan; readonly national: string }

const NUMBER: fc.Arbitrary<Known> = fc
  .constantFrom(
    ...[MALAYSIA, INDONESIA].flatMap((plan) =>
      plan.ranges.flatMap((range) => (range.kind === 'mobile' ? [{ plan, range }] : [])),
    ),
  )
  .chain(({ plan, range }) => {
    const { prefix, digitsMin, digitsMax } = range
    const rest = (length: number) => digitsOf(length - prefix.length)
    return fc
      .integer({ min: digitsMin, max: digitsMax })
      .chain(rest)
      .map((digits) => ({ plan, national: prefix + digits }))
  })
  // A longer prefix may be of other lengths: 15 has numbers of nine and of ten digits, 11 of ten alone.
  .filter(({ plan, national }) => KNOWN_NUMBERS.get(plan.country)?.findRange(national) !== undefined)

const SEPARATOR = fc.constantFrom('', '', '', ' ', '-', '.', '\u00a0', '\u2009', '\u2011', '\u200b')

function spelled({ plan, national }: Known): fc.Arbitrary<string> {
  const { callingCode: code, trunk } = plan
  const begin = fc.constantFrom(
    '',
    trunk,
    `(${trunk})`,
    code,
    `+${code}`,
    `00${code}`,
    `(+${code})`,
    `+${code}(${trunk})`,
    `${code} (${trunk}) `,
  )
  const marks = fc.array(SEPARATOR, { minLength: national.length, maxLength: national.length })
  return fc
    .tuple(begin, marks)
    .map(([start, between]) => start + [...national].map((digit, at) => `${between[at]}${digit}`).join(''))
}

const SPELLED = NUMBER.chain((known) => spelled(known).map((text) => ({ ...known, text })))

function readAs({ plan, text }: { readonly plan: NumberPlan; readonly text: string }): string | undefined {
  return readNumber(text, KNOWN_NUMBERS, { country: plan.country, kind: 'mobile' })
}

it('every spelling of a number is that number, and its canonical form is itself', () => {
  fc.assert(
    fc.property(SPELLED, ({ plan, national, text }) => {
      const canonical = plan.callingCode + national
      expect(readAs({ plan, text })).toBe(canonical)
      expect(readAs({ plan, text: canonical })).toBe(canonical)
      expect(listReadings(text, KNOWN_NUMBERS, 'mobile')).toContain(canonical)
    }),
    { numRuns: 300 },
  )
})

it('two numbers never become one', () => {
  fc.assert(
    fc.property(SPELLED, SPELLED, (one, other) => {
      const isSame = one.plan === other.plan && one.national === other.national
      expect(readAs(one) === readAs(other)).toBe(isSame)
    }),
    { numRuns: 300 },
  )
})

it('reading adds nothing but a country and leaves out nothing but zeros before the number', () => {
  const text = fc
    .array(fc.constantFrom(...'+00112345666789()- '), { maxLength: 20 })
    .map((all) => all.join(''))
  fc.assert(
    fc.property(text, (given) => {
      const number = read(given)
      if (number === undefined) return
      const digits = given.replace(/\D/g, '')
      const national = number.slice('60'.length)
      // The zeros that are left out stand before the number or behind its calling code.
      const allowed = [number, `00${number}`, national, `0${national}`, `600${national}`, `00600${national}`]
      expect(number.startsWith('60') ? allowed : [number, `00${number}`]).toContain(digits)
    }),
    { numRuns: 1_000 },
  )
})

it('every plan that is known says where it is from, and names the operators of its ranges', () => {
  for (const { source, asOf, operators, ranges } of KNOWN_PLANS) {
    expect(source).not.toBe('')
    expect(asOf).toMatch(/^\d{4}-\d{2}-\d{2}$/)
    const codes = new Set(operators.map(({ code }) => code))
    for (const { operator } of ranges) if (operator !== null) expect(codes).toContain(operator)
    // The first of two ranges that begin alike would hide the other.
    const alike = ranges.map(({ prefix, digitsMax }) => `${prefix} ${digitsMax}`)
    expect(new Set(alike).size).toBe(alike.length)
  }
})
