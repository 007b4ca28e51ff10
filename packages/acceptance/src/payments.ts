import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { readBalance } from './clients.ts'
import type { Node, TestReseller } from './edge.ts'
import { createReseller, expectEdgeHeaders } from './edge.ts'
import type { Answer, SignedInput } from './http.ts'
import { signed } from './http.ts'
import type { Service } from './service.ts'
import { until } from './service.ts'
import { conflictShape, paymentShape, rejectionShape } from './shapes.ts'
import type { Credentials } from './signing.ts'

// Helpers of the payment tests: a payer, and the expectations of every answer.

export const TOPUP = '/v2/topup'

/** Account whose payment succeeds at once, as for every number that is not one of staging's test accounts. */
export const PHONE = '60123456789'

export type PaymentData = {
  statusCode: number
  status: 'Accepted' | 'Processing' | 'Succesful' | 'Failed'
  transaction_id: string
  account: string
  product: string
  productName: string
  amount: number
  sn: string
  pin: string
  expiry: string
  cost: number
  balance: number
  remarks: string
  refid: string
  timestamp: string
  note: string
  voucherlink: string
}

/** Fields of a payment in the contract's order. A callback has all of them but `transaction_id`. */
export const PAYMENT_FIELDS: readonly (keyof PaymentData)[] = [
  'statusCode',
  'status',
  'transaction_id',
  'account',
  'product',
  'productName',
  'amount',
  'sn',
  'pin',
  'expiry',
  'cost',
  'balance',
  'remarks',
  'refid',
  'timestamp',
  'note',
  'voucherlink',
]

export type PayBody = Record<string, unknown>

/** Reseller at one node. */
export type Payer = {
  account: string
  credentials: Credentials
  /** Sends any body. */
  send(body: unknown, input?: Partial<SignedInput>): Promise<Answer>
  /** Sends a payment that must be taken, or is taken already. */
  pay(body: PayBody): Promise<PaymentData>
  /** Sends the same again until it is in this state. Fails when it ends in another. */
  untilStatus(body: PayBody, status: PaymentData['status'], deadlineMs?: number): Promise<PaymentData>
  balance(): Promise<number>
}

export function payerAt(
  service: Pick<Service, 'baseUrl'>,
  reseller: Credentials & { account: string },
): Payer {
  const { account } = reseller
  const send: Payer['send'] = (body, input = {}) =>
    signed(service.baseUrl, reseller, { method: 'POST', path: TOPUP, json: body, ...input })
  const pay: Payer['pay'] = async (body) => expectPayment(await send(body), body)
  return {
    account,
    credentials: reseller,
    send,
    pay,
    untilStatus: (body, status, deadlineMs) =>
      until(
        `${body.refid} is ${status}`,
        async () => {
          const data = await pay(body)
          if (data.status === status) return data
          if (data.status === 'Succesful' || data.status === 'Failed') {
            throw new Error(`${body.refid} ended as ${data.status} ${data.statusCode}: ${data.remarks}`)
          }
          return undefined
        },
        deadlineMs,
      ),
    balance: () => readBalance(service, reseller),
  }
}

/** Makes a reseller for the test with this amount in its wallet, at the demo's STANDARD prices. */
export async function createPayer(service: Node, ringgit: string | null): Promise<Payer> {
  const reseller: TestReseller = await createReseller(service)
  if (ringgit !== null) await deposit(service, reseller.account, ringgit)
  return payerAt(service, reseller)
}

export async function deposit(service: Node, account: string, ringgit: string): Promise<void> {
  await service.warungd('deposit', '--reseller', account, '--amount', ringgit, '--remarks', 'bank')
}

/** Moves the test clock of an account: what takes its time there is over at once, and not by chance. */
export async function advanceClock(service: Node, account: string, seconds: number): Promise<void> {
  await service.warungd('clock', 'advance', '--reseller', account, '--seconds', String(seconds))
}

export function newRefid(): string {
  return `test-${randomBytes(12).toString('hex')}`
}

/** Makes a reload of 10 that succeeds at once. Its cost at STANDARD is 9.70. */
export function reload(changes: PayBody = {}): PayBody {
  return { refid: newRefid(), product: 'NOVA', account: PHONE, amount: 10, ...changes }
}

export const RELOAD_COST = 9.7

// ── Answers ──

/** Expects 200 with all of the contract's fields, about the payment of the body. */
export function expectPayment(answer: Answer, body: PayBody): PaymentData {
  expect(answer.status, answer.text).toBe(200)
  expect(paymentShape(answer.json(), 'answer')).toEqual([])
  expectEdgeHeaders(answer)
  const { data } = answer.json<{ data: PaymentData }>()
  expect(data).toMatchObject({ refid: body.refid, product: body.product, account: body.account })
  return data
}

export type RejectionData = Omit<PaymentData, 'transaction_id'>

export type Rejected = { code: number; remarks: string; fields?: readonly string[] }

/** Expects 400 in both shapes, about no payment. `fields`, if given, are those that `errors` must name. */
export function expectRejection(answer: Answer, { code, remarks, fields }: Rejected): RejectionData {
  expect([answer.status, remarksOf(answer)], answer.text).toEqual([400, remarks])
  expect(rejectionShape(answer.json(), 'answer')).toEqual([])
  expectEdgeHeaders(answer)
  const { data, errors } = answer.json<{ data: RejectionData; errors: Record<string, string[]> }>()
  expect(data).toMatchObject({ statusCode: code, status: 'Failed', cost: 0, remarks })
  expect(data).toMatchObject({ productName: '', sn: '', pin: '', expiry: '', note: '', voucherlink: '' })
  expectNow(data.timestamp)
  if (fields !== undefined) expect(Object.keys(errors).sort()).toEqual([...fields].sort())
  return data
}

function remarksOf(answer: Answer): string | undefined {
  return answer.json<{ data?: { remarks?: string } }>().data?.remarks
}

/** Expects 409 about the payment that has the refid, with the fields that differ. */
export function expectConflict(answer: Answer, fields: readonly string[]): PaymentData {
  expect(answer.status, answer.text).toBe(409)
  expect(conflictShape(answer.json(), 'answer')).toEqual([])
  expectEdgeHeaders(answer)
  type Conflict = { data: PaymentData; message: string; errors: Record<string, string[]> }
  const { data, message, errors } = answer.json<Conflict>()
  expect(message).toMatch(/payment of this refid exists.*do not give it back/)
  expect(Object.keys(errors).sort()).toEqual([...fields].sort())
  return data
}

const CLOCKS_DIFFER_MS = 90_000

/** Expects a recent time by GMT+8. */
export function expectNow(timestamp: string): void {
  const at = Date.parse(`${timestamp.replace(' ', 'T')}+08:00`)
  expect(Math.abs(Date.now() - at), timestamp).toBeLessThan(CLOCKS_DIFFER_MS)
}

/** Counts the entries of the wallet. Fails when its ledger has a break. */
export async function countEntries(service: Node, account: string): Promise<number> {
  const report = await service.warungd<{ ok: boolean; entries: number }>(
    'ledger',
    'verify',
    '--reseller',
    account,
  )
  expect(report).toMatchObject({ ok: true })
  return report.entries
}

/** Rounds ringgit to 4 decimals, so that sums of decimals can be compared. */
export function ringgit(value: number): number {
  return Math.round(value * 10_000) / 10_000
}
