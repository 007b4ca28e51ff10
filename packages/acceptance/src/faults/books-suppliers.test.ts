import { describe, expect, it } from 'vitest'
import type { OperatorStep } from './records.ts'
import type { Broken } from './sound-books.ts'
import { ACCOUNT, checksOf, line, soundBooks, state } from './sound-books.ts'

function decision(refid: string, detail: 'approve' | 'refuse', answer: OperatorStep['told']): OperatorStep {
  return { atMs: 0, kind: 'void', subject: refid, account: ACCOUNT, told: answer, detail }
}

const SUPPLIERS: readonly Broken[] = [
  [
    'a supplier has an order without a payment',
    'order-without-payment',
    ({ lines }) => ({ lines: [...lines, line('W77-1', 'succeeded')] }),
  ],
  [
    'a payment was delivered twice',
    'delivered-twice',
    ({ lines }) => ({ lines: [...lines, line('W1-2', 'succeeded')] }),
  ],
  [
    'a supplier received an order twice',
    'order-repeated',
    ({ lines }) => ({ lines: lines.map((each) => ({ ...each, received: 2 })) }),
  ],
  [
    'a delivered payment was given back',
    'refund-of-delivered',
    ({ lines }) => ({ lines: lines.map((each) => ({ ...each, status: 'succeeded' as const })) }),
  ],
  [
    'a payment succeeded that nobody delivered',
    'success-undelivered',
    ({ lines }) => ({ lines: lines.filter(({ reference }) => reference !== 'W1-1') }),
  ],
  [
    'a payment was voided without the supplier',
    'void-unapproved',
    ({ lines }) => ({ lines: lines.map((each) => ({ ...each, isVoided: false })) }),
  ],
  [
    'a void of the supplier was lost',
    'void-lost',
    ({ lines }) => ({ lines: lines.map((each) => ({ ...each, isVoided: true })) }),
  ],
  [
    'a void that operators approved was lost',
    'void-lost',
    ({ steps }) => ({ steps: [...steps, decision('a', 'approve', 'done')] }),
  ],
  [
    'a void that an operator refused was made',
    'void-unapproved',
    ({ steps }) => ({ steps: [...steps, decision('c', 'refuse', 'done')] }),
  ],
  ['a payment was voided that nobody asked to void', 'void-unasked', () => ({ voids: [] })],
  [
    'a supplier contradicted a final state',
    'contradiction',
    ({ changes }) => ({ changes: [...changes, { ...state('1', 48), kind: 'contradiction' }] }),
  ],
]

describe('the comparison of suppliers’ books', () => {
  it.each(SUPPLIERS)('finds it when %s', (_, check, change) => {
    const books = soundBooks()
    expect(checksOf({ ...books, ...change(books) })).toContain(check)
  })

  it('believes operators about a void that no supplier is asked about, also when their answer was lost', () => {
    const books = soundBooks()
    const lines = books.lines.map((each) => ({ ...each, isVoided: false }))
    const steps = [...books.steps, decision('c', 'approve', 'unknown')]
    expect(checksOf({ ...books, lines })).toContain('void-unapproved')
    expect(checksOf({ ...books, lines, steps })).toEqual([])
  })

  it('believes an operator where no supplier can say what became of an order', () => {
    const books = soundBooks()
    const lines = books.lines.map((each) =>
      each.reference === 'W1-1' ? { ...each, status: 'unknown' as const } : each,
    )
    const step = {
      atMs: 0,
      kind: 'resolve',
      subject: 'a',
      account: ACCOUNT,
      told: 'done',
      detail: '',
    } as const
    expect(checksOf({ ...books, lines })).toContain('success-undelivered')
    expect(checksOf({ ...books, lines, steps: [...books.steps, step] })).toEqual([])
  })
})
