import { beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../../catalog.ts'
import { shareDemo } from '../../catalog.ts'
import type { TestReseller } from '../../edge.ts'
import { balanceOf, createReseller, expectEdgeHeaders } from '../../edge.ts'
import { signed } from '../../http.ts'
import { until } from '../../service.ts'
import { list, matching, nullable, number, object, oneOf, text, words } from '../../shapes.ts'

const PATH = '/v2/balance-statement'
const total = object({ amount: number, count: number })

const statementShape = object({
  data: list(
    object(
      {
        id: number,
        date: matching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/),
        amount: number,
        balance: number,
        remarks: text,
        type: oneOf('D', 'T', 'R', 'C'),
      },
      // Additional fields of entries of payments.
      { refid: words, trxid: matching(/^\d+$/) },
    ),
  ),
  links: object({ first: words, last: words, prev: nullable(words), next: nullable(words) }),
  meta: object({
    current_page: number,
    from: nullable(number),
    last_page: number,
    path: words,
    per_page: number,
    to: nullable(number),
    total: number,
  }),
  summary: object({ total_transactions: total, total_deposit: total, total_refund: total }),
})

type Entry = { id: number; date: string; amount: number; balance: number; remarks: string; type: string }
type Statement = {
  data: Entry[]
  links: { first: string; last: string; prev: string | null; next: string | null }
  meta: { current_page: number; last_page: number; per_page: number; total: number; from: number; to: number }
  summary: Record<'total_transactions' | 'total_deposit' | 'total_refund', { amount: number; count: number }>
}

let demo: Demo
let reseller: TestReseller

beforeAll(async () => {
  demo = await shareDemo()
  reseller = await createReseller(demo.service)
  await deposit('100', 'first')
  await deposit('50.25', 'second')
  await pay('a', '60123456789', 10)
  // The payment fails with 48 at once, and its refund is an entry of its own.
  await pay('b', '60123452000', 30)
  await until('the failure gave its money back', async () => (await statement()).meta.total === 5)
})

function deposit(amount: string, remarks: string) {
  const whose = ['--reseller', reseller.account]
  return demo.service.warungd('deposit', ...whose, '--amount', amount, '--remarks', remarks)
}

async function pay(refid: string, account: string, amount: number): Promise<void> {
  const json = { refid, product: 'NOVA', account, amount }
  const answer = await signed(demo.service.baseUrl, reseller, { method: 'POST', path: '/v2/topup', json })
  expect(answer.status, answer.text).toBe(200)
}

/** Returns a day by GMT+8, counted from today. */
function day(offset: number): string {
  return new Date(Date.now() + (8 + 24 * offset) * 3_600_000).toISOString().slice(0, 10)
}

const AROUND = `${day(-1)} - ${day(1)}`

async function statement(change: Record<string, string> = {}): Promise<Statement> {
  return read(`${PATH}?${new URLSearchParams({ date: AROUND, ...change })}`)
}

async function read(path: string): Promise<Statement> {
  const answer = await signed(demo.service.baseUrl, reseller, { path })
  expect(answer.status, answer.text.slice(0, 300)).toBe(200)
  expectEdgeHeaders(answer)
  expect(statementShape(answer.json(), 'statement')).toEqual([])
  return answer.json<Statement>()
}

describe('the answer', () => {
  it('has every movement, newest first, each balance the one before and its amount', async () => {
    const { data, meta } = await statement()
    expect(data.map(({ id }) => id)).toEqual([5, 4, 3, 2, 1])
    expect(data.map(({ type }) => type).sort()).toEqual(['D', 'D', 'R', 'T', 'T'])
    expect(data.slice(-2)).toMatchObject([
      { amount: 50.25, balance: 150.25, remarks: 'second', type: 'D' },
      { amount: 100, balance: 100, remarks: 'first', type: 'D' },
    ])
    let balance = 0
    for (const entry of [...data].reverse()) {
      balance += entry.amount
      expect(entry.balance).toBeCloseTo(balance, 4)
    }
    const { data: wallet } = (await balanceOf(demo.service, reseller)).json<{ data: { balance: number } }>()
    expect(data[0]?.balance).toBe(wallet.balance)
    expect(meta).toMatchObject({ current_page: 1, from: 1, to: 5, last_page: 1, per_page: 100, total: 5 })
  })

  it('sums up: what was paid is negative, what failed came back whole', async () => {
    const { data, summary } = await statement()
    expect(summary.total_deposit).toEqual({ amount: 150.25, count: 2 })
    expect(summary.total_transactions.count).toBe(2)
    expect(summary.total_transactions.amount).toBeLessThan(0)
    const refund = data.find(({ type }) => type === 'R')
    expect(summary.total_refund).toEqual({ amount: refund?.amount, count: 1 })
    expect(data.filter(({ type }) => type === 'T').map(({ amount }) => -amount)).toContain(refund?.amount)
  })
})

describe('the payment behind an entry', () => {
  it.each(['', 'TRANSACTION', 'REFUND', 'DEPOSIT'])('is named by refid and trxid, type=%s', async (type) => {
    const asked = new URLSearchParams({ limit: '10', date: AROUND })
    const history = await signed(demo.service.baseUrl, reseller, { path: `/v2/transactions?${asked}` })
    const payments = new Map(
      history
        .json<{ data: { trxid: string; refid: string }[] }>()
        .data.map((each) => [each.trxid, each.refid]),
    )
    expect(payments.size).toBe(2)
    const { data } = await statement(type === '' ? {} : { type })
    for (const entry of data as (Entry & { refid?: string; trxid?: string })[]) {
      const isOfPayment = entry.type === 'T' || entry.type === 'R'
      expect(entry.trxid !== undefined && payments.get(entry.trxid)).toBe(isOfPayment && entry.refid)
      expect(entry.refid !== undefined).toBe(isOfPayment)
    }
  })
})

describe('filters', () => {
  it.each([
    ['DEPOSIT', ['D', 'D']],
    ['TRANSACTION', ['T', 'T']],
    ['REFUND', ['R']],
    ['COMMISSION', []],
  ])('type=%s gives %j, and the summary speaks of just these', async (type, expected) => {
    const { data, meta, summary } = await statement({ type })
    expect(data.map((entry) => entry.type)).toEqual(expected)
    expect(meta.total).toBe(expected.length)
    const counts = Object.values(summary).map(({ count }) => count)
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(expected.length)
  })

  it('a blank type is no filter', async () => {
    expect((await statement({ type: '' })).meta.total).toBe(5)
  })

  it('a day without entries is empty, and honest about it', async () => {
    expect(await read(`${PATH}?date=2020-02-29`)).toMatchObject({
      data: [],
      links: { prev: null, next: null },
      meta: { current_page: 1, from: null, last_page: 1, to: null, total: 0 },
      summary: { total_deposit: { amount: 0, count: 0 } },
    })
  })
})

describe('pages', () => {
  it('following the links forwards and backwards meets every entry', async () => {
    const first = await statement({ limit: '2' })
    expect(first.links.prev).toBeNull()
    const seen = first.data.map(({ id }) => id)
    let page = first
    while (page.links.next !== null) {
      page = await follow(page.links.next)
      seen.push(...page.data.map(({ id }) => id))
    }
    expect(seen).toEqual([5, 4, 3, 2, 1])
    expect(page.meta).toMatchObject({ current_page: 3, last_page: 3, from: 5, to: 5 })
    expect(await follow(page.links.last)).toEqual(page)
    while (page.links.prev !== null) page = await follow(page.links.prev)
    expect(page).toEqual(first)
    expect(await follow(page.links.first)).toEqual(first)
  })

  it('keep their filter in the links', async () => {
    const page = await follow((await statement({ limit: '1', type: 'DEPOSIT' })).links.next)
    expect(page.data).toMatchObject([{ remarks: 'first', type: 'D' }])
    expect(page.links.next).toBeNull()
  })

  it('past the end are empty, with a way back', async () => {
    const page = await statement({ page: '9', limit: '2' })
    expect(page.data).toEqual([])
    expect(page.meta).toMatchObject({ current_page: 9, last_page: 3, from: null, to: null, total: 5 })
    expect((await follow(page.links.prev)).meta.current_page).toBe(3)
  })

  /** Follows a link as a client does: requests its address, signed anew. */
  function follow(link: string | null): Promise<Statement> {
    const url = new URL(link ?? '')
    expect(`${url.origin}${url.pathname}`).toBe(`${demo.service.baseUrl}${PATH}`)
    return read(`${url.pathname}${url.search}`)
  }
})
