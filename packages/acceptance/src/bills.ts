import { expect } from 'vitest'
import type { Demo, Reader } from './catalog.ts'
import { expectEdgeHeaders } from './edge.ts'
import type { Answer } from './http.ts'
import { expectNow } from './payments.ts'
import { billRefusalShape, billShape } from './shapes.ts'

// Helpers of the bill presentment tests.

/** Account of the demo's electricity company, in the form that the company takes. */
export const METER = '220011223344'

export type BillData = { message: string; Outstanding: number | null; BillerName: string | null }
export type BillAnswer = {
  data: BillData
  metadata: { status_code: number; product_code: string; last_updated: string }
}

export function askForBill(reader: Reader, parameters: Record<string, string>): Promise<Answer> {
  return reader.get(`/v2/bill-presentment?${new URLSearchParams(parameters)}`)
}

/** Expects a 200 in the contract's shape, dated now. */
export function expectBill(answer: Answer, product: string, message: string): BillData {
  expect(answer.status, answer.text).toBe(200)
  expect(billShape(answer.json(), 'answer')).toEqual([])
  return expectAnswer(answer, product, message)
}

/** Lists the fields that the biller filled. */
export function givenIn(data: BillData): string[] {
  return Object.entries(data).flatMap(([name, value]) => (value === null ? [] : [name]))
}

/** Expects a 400 in the same wrapper: the text in both places, and nothing else. */
export function expectRefusal(answer: Answer, product: string, message: string): void {
  expect(answer.status, answer.text).toBe(400)
  expect(billRefusalShape(answer.json(), 'answer')).toEqual([])
  expectAnswer(answer, product, message)
  expect(answer.json()).toMatchObject({ error_message: message })
}

function expectAnswer(answer: Answer, product: string, message: string): BillData {
  expectEdgeHeaders(answer)
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  const { data, metadata } = answer.json<BillAnswer>()
  expect(data.message).toBe(message)
  expect(metadata.product_code).toBe(product)
  const [date = '', time = ''] = metadata.last_updated.split(' ')
  expectNow(`${date.split('-').reverse().join('-')} ${time}`)
  return data
}

export type Biller = { biller_code: string; additional_description: string[]; min: string; max: string }

export async function findBiller(demo: Demo, isWanted: (biller: Biller) => boolean): Promise<Biller> {
  const answer = await demo.first.get('/v1/billpay/billers')
  const biller = answer.json<{ data: Biller[] }>().data.find(isWanted)
  if (biller === undefined) throw new Error('the demo has no such biller')
  return biller
}

export function asksForRef2({ additional_description }: Biller): boolean {
  return additional_description.some((each) => each.startsWith('Ref-2'))
}
