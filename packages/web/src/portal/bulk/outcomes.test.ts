import { describe, expect, it } from 'vitest'
import { ApiProblem } from '../../api/errors.ts'
import type { PaymentResponse } from '../../api/portal.generated.ts'
import type { PreviewLine } from './outcomes.ts'
import { isPayable, paidOf, refusedOf, resultFile, rowsOf } from './outcomes.ts'

const LINE = { line: 2, product: 'NOVA', account: '+60123456789', amount: '10' }

function previewOf(more: Partial<PreviewLine> = {}): PreviewLine {
  return {
    line: 2,
    refid: 'bulk-1',
    occurrence: 1,
    status: 'ready',
    product: 'NOVA',
    product_name: 'Nova',
    account: '60123456789',
    amount: '10.00',
    amount_currency: 'MYR',
    face_value: '10.00',
    cost: '9.70',
    price: '10.00',
    margin: '0.30',
    problems: [],
    warnings: [],
    payment: null,
    ...more,
  }
}

function answerOf(status: PaymentResponse['data']['status'], statusCode: number): PaymentResponse {
  return { data: { status, statusCode, remarks: '', transaction_id: '7' } } as PaymentResponse
}

describe('a line of a file', () => {
  it('is not paid when its payment exists, or when another line has its refid', () => {
    const payment = { id: '7', status: 'failed', code: 47, is_final: true, created_at: '' } as const
    const rows = rowsOf(
      [LINE, { ...LINE, line: 3 }, { ...LINE, line: 4 }],
      [
        previewOf({ status: 'exists', payment }),
        previewOf({ line: 3, refid: 'bulk-2' }),
        previewOf({ line: 4, refid: 'bulk-2' }),
      ],
      (line) => `like ${line}`,
      ({ message }) => message,
    )
    expect(rows.map((row) => [row.state, isPayable(row), row.message])).toEqual([
      ['failed', false, ''],
      ['ready', true, ''],
      ['problem', false, 'like 3'],
    ])
  })

  it('ends as the service says', () => {
    expect(paidOf(answerOf('Succesful', 20)).state).toBe('successful')
    expect(paidOf(answerOf('Processing', 0)).state).toBe('pending')
    expect(paidOf(answerOf('Failed', 47)).state).toBe('failed')
    expect(paidOf(answerOf('Failed', 53)).state).toBe('refunded')
  })

  it('is called failed by no answer that leaves it open, and pauses the run then', () => {
    for (const status of [0, 401, 403, 429, 500, 503, 504]) {
      const paid = refusedOf(new ApiProblem('', { status, code: 'x' }))
      expect(paid).toMatchObject({ state: 'unknown', outcome: { kind: 'unknown', isHalting: true } })
    }
    const paid = refusedOf(new ApiProblem('Not enough', { status: 400, code: 'x' }))
    expect(paid).toMatchObject({ state: 'rejected', message: 'Not enough' })
  })
})

describe('the result file', () => {
  it('has no PIN unless it is asked for, and no cell that a spreadsheet runs', () => {
    const rows = rowsOf([LINE], [previewOf()], String, String)
    const payments = new Map([['bulk-1', { id: '7', status: 'successful', pin: '=SECRET' } as never]])
    expect(resultFile(rows, payments, false)).not.toContain('SECRET')
    const file = resultFile(rows, payments, true)
    expect(file).toContain("'=SECRET")
    expect(file).toContain(",'+60123456789,")
  })
})
