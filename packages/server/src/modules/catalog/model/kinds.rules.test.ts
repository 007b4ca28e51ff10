import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { KindTraits } from './kinds.rules.ts'
import { KIND_TRAITS } from './kinds.rules.ts'
import { PRODUCT_KINDS } from './types.ts'

const kindsWith = (has: (traits: KindTraits) => boolean) =>
  PRODUCT_KINDS.filter((kind) => has(KIND_TRAITS[kind]))

it('the kinds that need extras, bills, plans or an account are those of the contract', () => {
  expect(kindsWith(({ extras }) => extras === 'biller')).toEqual(['bill_payment'])
  expect(kindsWith(({ extras }) => extras === 'loan')).toEqual(['student_loan'])
  expect(kindsWith(({ hasBills }) => hasBills)).toEqual([
    'bill_payment',
    'student_loan',
    'electricity',
    'other',
  ])
  expect(kindsWith(({ hasDataPlans }) => hasDataPlans)).toEqual(['mobile_data', 'esim'])
  expect(kindsWith(({ hidesValidity }) => hidesValidity)).toEqual(['mobile_data'])
  expect(kindsWith(({ namesPlan }) => namesPlan)).toEqual(['mobile_data', 'student_loan'])
  expect(kindsWith(({ listsByAccount }) => listsByAccount)).toEqual(['mobile_data', 'student_loan'])
})

it('the guide to catalogue files names every kind, and no other', () => {
  const guide = readFileSync(new URL('../../../../../../docs/catalog-files.md', import.meta.url), 'utf8')
  const [, list = ''] = /^\| `kind` \| [^:]*: ([^|]*)\|/m.exec(guide) ?? []
  expect(list.match(/\w+/g)).toEqual([...PRODUCT_KINDS])
})
