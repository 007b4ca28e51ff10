import { expect, it } from 'vitest'
import type { KeptBatchLine, PortalPayment } from '../../api/portal.generated.ts'
import { fileOf, keptResult } from './kept.ts'
import { readFile } from './lines.ts'

const line: KeptBatchLine = {
  line: 2,
  refid: 'bulk-1',
  product: 'NOVA',
  account: '+60123456789',
  amount: '10',
  subproduct_code: null,
  biller_code: '15835',
  ref2: null,
  remarks: null,
  refusal: null,
  reference: '=A1',
}

it('a kept file has the same lines when it is used again', () => {
  expect(readFile(fileOf([line]))).toEqual({
    kind: 'lines',
    lines: [
      {
        line: 2,
        product: 'NOVA',
        account: '+60123456789',
        amount: '10',
        extras: { biller_code: '15835' },
        reference: '=A1',
      },
    ],
  })
})

it('the result of a kept file says what became of each line, and nothing of one without a payment', () => {
  const payment = { status: 'successful', id: '7', cost: '9.70', remarks: '', serial_number: 'S', pin: 'P' }
  const payments = new Map([['bulk-1', payment as PortalPayment]])
  const [head, paid, unpaid] = keptResult([line, { ...line, line: 3, refid: 'bulk-2' }], payments).split(
    '\r\n',
  )
  expect(head).not.toContain('pin')
  expect(paid).toBe("2,NOVA,'+60123456789,10,'=A1,bulk-1,successful,,7,9.70,S")
  expect(unpaid).toBe("3,NOVA,'+60123456789,10,'=A1,bulk-2,,,,,")
})
