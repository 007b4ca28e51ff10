import fc from 'fast-check'
import { expect, it } from 'vitest'
import { runs } from '../../../testing/runs.ts'
import { labelOf, withoutValidity } from './labels.rules.ts'

it.each([
  ['Nova 10 GB 30 Days', '30 Days', 'Nova 10 GB'],
  ['Nova 10 GB (30 Days)', '30 Days', 'Nova 10 GB'],
  ['Nova 10 GB [30 days]', '30 Days', 'Nova 10 GB'],
  ['Nova 10 GB - 30 Days', '30 Days', 'Nova 10 GB'],
  ['Nova 10 GB, 30 Days', '30 Days', 'Nova 10 GB'],
  ['Nova 10 GB | 30 Days | 5G', '30 Days', 'Nova 10 GB | 5G'],
  ['Nova 30 Days, 10 GB', '30 Days', 'Nova, 10 GB'],
  ['30 Days - Nova 10 GB', '30 Days', 'Nova 10 GB'],
  ['30 Days: Nova 10 GB', '30 Days', 'Nova 10 GB'],
  ['Nova 10 GB  30   days', '30 Days', 'Nova 10 GB'],
  ['Nova 10 GB 30 Days + 5 GB', '30 Days', 'Nova 10 GB + 5 GB'],
  ['Nova 10 GB for 30 Days', '30 Days', 'Nova 10 GB'],
  ['Nova 10 GB valid for 30 Days', '30 Days', 'Nova 10 GB'],
  ['Nova 30-day 10 GB', '30-Day', 'Nova 10 GB'],
  ['Nova 130 Days', '30 Days', 'Nova 130 Days'],
  ['Nova 30 Daystar', '30 Days', 'Nova 30 Daystar'],
  ['Nova 10 GB', '30 Days', 'Nova 10 GB'],
  ['30 Days', '30 Days', '30 Days'],
  ['(30 Days)', '30 Days', '(30 Days)'],
  ['Nova', ' ', 'Nova'],
  ['Nova - 10 GB', '30 Days', 'Nova - 10 GB'],
  ['Nova  10 GB', '30 Days', 'Nova  10 GB'],
])('%j with validity %j is shown as %j', (label, validity, shown) =>
  expect(withoutValidity(label, validity)).toBe(shown),
)

it('only mobile data plans with a validity lose it from their label', () => {
  const option = { label: 'Nova 10 GB 30 Days', validity: '30 Days' }
  expect(labelOf('mobile_data', option)).toBe('Nova 10 GB')
  expect(labelOf('esim', option)).toBe(option.label)
  expect(labelOf('mobile_data', { ...option, validity: null })).toBe(option.label)
})

it('no label and no validity, however odd, makes a label vanish or an error', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: fc.constantFrom('3', ' ', '-', '(', ')', '\\', '/', '[', '.', '*', 'Days') }),
  )
  fc.assert(
    fc.property(text, text, (label, validity) => {
      const shown = withoutValidity(label, validity)
      expect(shown === '').toBe(label === '')
      expect(shown.length).toBeLessThanOrEqual(label.length)
    }),
    { numRuns: runs(1_000) },
  )
})
