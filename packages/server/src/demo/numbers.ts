import type { Tx } from '../db/database.ts'
import { MALAYSIA } from '../lib/numbers/known-plans.ts'
import type { NumberOperator, NumberPlan, NumberRange } from '../lib/numbers/plans.ts'
import { putPlan } from '../modules/numbers/plans.service.ts'

// Plan of the demo's operators, which are made up, as are their prefixes.

const OPERATORS: readonly (NumberOperator & { readonly prefixes: string })[] = [
  { code: 'NOVA', name: 'Nova', products: ['NOVA', 'NOVAD', 'NOVAMY', 'NOVAPOST'], prefixes: '12 17' },
  { code: 'KITA', name: 'Kita', products: ['KITA', 'KITAD', 'KITAPOST'], prefixes: '13 19' },
  { code: 'BAYU', name: 'Bayu', products: ['BAYU', 'BAYUD', 'BAYUPOST'], prefixes: '16' },
  { code: 'RIMBA', name: 'Rimba', products: ['RIMBA', 'RIMBAD', 'RIMBAPOST'], prefixes: '14' },
  { code: 'SELAT', name: 'Selat', products: ['SELAT', 'SELATD'], prefixes: '18' },
  { code: 'LANGIT', name: 'Langit', products: ['LANGIT', 'LANGITD'], prefixes: '111 112' },
  { code: 'ZAMRUD', name: 'Zamrud', products: ['ZAMRUD', 'ZAMRUDD'], prefixes: '113 115' },
  { code: 'FAJAR', name: 'Fajar', products: ['FP'], prefixes: '10' },
]

export const DEMO_PLAN: NumberPlan = {
  ...MALAYSIA,
  source: 'Made up for the demo',
  operators: OPERATORS.map(({ prefixes: _, ...operator }) => operator),
  ranges: [
    ...MALAYSIA.ranges.flatMap((range) => {
      const isGeneral = range.kind === 'fixed' || ['11', '15'].includes(range.prefix)
      return isGeneral ? [range] : []
    }),
    ...OPERATORS.flatMap(({ code, prefixes }) =>
      prefixes.split(' ').map((prefix): NumberRange => {
        const digits = prefix.startsWith('11') ? 10 : 9
        return { prefix, kind: 'mobile', digitsMin: digits, digitsMax: digits, operator: code }
      }),
    ),
  ],
}

export function seedDemoNumbers(tx: Tx): Promise<void> {
  return putPlan(tx, DEMO_PLAN)
}
