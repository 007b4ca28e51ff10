import { expect } from 'vitest'
import { expectEdgeHeaders } from '../edge.ts'
import type { Answer } from '../http.ts'

// Helpers of the tests of disputes and voids: the forms of answers.

export type SupportData = { refid: string; status: string; message: string }
export type CaseData = {
  number: string
  kind: string
  state: string
  refid: string
  transaction_id: string
  created_at: string
  updated_at: string
  due_at: string
  closed_at: string | null
}
export type CaseReport = CaseData & {
  cc: string[]
  refund_type: number | null
  refund_reason: string | null
  messages: { author: string; text: string; at: string }[]
}
export type FedEvent = { type: string; data: Record<string, unknown> }
export type CasePage = { data: CaseData[]; cursor: string | null; has_more: boolean }

export function expectAnswer(answer: Answer, refid: string, status: 'Success' | 'Failed'): SupportData {
  expect(answer.status, answer.text).toBe(200)
  expect(answer.json()).toEqual({ data: { refid, status, message: expect.stringMatching(/\S/) } })
  expectEdgeHeaders(answer)
  return answer.json<{ data: SupportData }>().data
}

export function numberIn({ message }: SupportData): string {
  const number = /C-\d{4}-\d{6}/.exec(message)?.[0]
  if (number === undefined) throw new Error(`no number in: ${message}`)
  return number
}
