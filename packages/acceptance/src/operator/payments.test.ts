import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../catalog.ts'
import { openDemo } from '../catalog.ts'
import { signed } from '../http.ts'
import type { PayBody, Payer, PaymentData } from '../payments.ts'
import { createPayer, newRefid, reload } from '../payments.ts'
import type { Listed } from '../portal/members.ts'
import { dataOf, walk } from '../portal/members.ts'
import type { Browser } from '../portal/people.ts'
import { signInOperator } from '../portal/people.ts'
import { until } from '../service.ts'
import { describeBooks, today } from './books.ts'
import { isWorkedOn, signInAs, untilFree } from './operators.ts'

const NEVER_ANSWERS = '60123453003'

let demo: Demo
let database: pg.Client
let payer: Payer
let other: Payer
let support: Browser
let finance: Browser
let admin: Browser

beforeAll(async () => {
  demo = await openDemo({
    WARUNG_SIMULATOR_TIMEOUT_SECONDS: '1',
    WARUNG_LEASE_SECONDS: '3',
    WARUNG_RESOLVE_ALONE_MAX: '20',
  })
  database = new pg.Client(demo.service.environment.DATABASE_URL)
  await database.connect()
  const { service } = demo
  ;[payer, other] = [await createPayer(service, '1000'), await createPayer(service, '1000')]
  support = await signInAs(service, 'support')
  finance = await signInAs(service, 'finance')
  admin = await signInOperator(service)
})
afterAll(async () => {
  await database?.end()
  await demo?.end()
})

const succeed = (body: PayBody, whose = payer) => whose.untilStatus(body, 'Succesful')

async function idsOf(path: string): Promise<string[]> {
  const answer = await support.get(path)
  expect(answer.status, answer.text).toBe(200)
  return answer.json<Listed>().data.map(({ id }) => id ?? '')
}

async function lastAudit(action: string) {
  const [row] = (await admin.get(`/audit?action=${action}&limit=1`)).json<Listed>().data
  return row
}

describe('payments of all resellers', () => {
  it('are found by id, refid, customer, reseller, product, state and day, newest first', async () => {
    const [refid, customer] = [newRefid(), '60123457777']
    const first = await succeed(reload({ refid, account: customer }))
    const second = await succeed(reload({ refid, account: customer }), other)
    const failed = await payer.untilStatus(reload({ account: '60123452000' }), 'Failed')
    const [one, two] = [first.transaction_id, second.transaction_id]
    expect(await idsOf(`/payments?id=${one}`)).toEqual([one])
    expect(await idsOf(`/payments?refid=${refid}`)).toEqual([two, one])
    expect(await idsOf(`/payments?refid=${refid}&account=${payer.account}`)).toEqual([one])
    expect(await idsOf(`/payments?customer=${customer}`)).toEqual([two, one])
    expect(await idsOf(`/payments?customer=${customer}&account=${other.account}`)).toEqual([two])
    expect(await idsOf(`/payments?id=${one}&account=${other.account}`)).toEqual([])
    expect(await idsOf(`/payments?account=${payer.account}&state=failed`)).toEqual([failed.transaction_id])
    expect(await idsOf(`/payments?account=${payer.account}&product=KITA`)).toEqual([])
    expect(await idsOf('/payments?limit=1&state=succeeded')).toEqual([two])
    expect(await idsOf(`/payments?customer=${customer}&days=2020-01-01`)).toEqual([])
    expect(await idsOf('/payments?account=9999999')).toEqual([])
    expect(await idsOf(`/payments?customer=${customer}&days=${today()}`)).toEqual([two, one])
    expect(await idsOf(`/payments?account=${payer.account}&days=${today()}&limit=2`)).toEqual([
      failed.transaction_id,
      one,
    ])
  })

  it('are paged through, each once, by whichever way', async () => {
    const customer = '60123458888'
    const ids: string[] = []
    for (const whose of [payer, other, payer, other, payer]) {
      ids.unshift((await succeed(reload({ account: customer }), whose)).transaction_id)
    }
    const found = (await walk(support, `/payments?customer=${customer}`, 2)).map(({ id }) => id)
    expect(found).toEqual(ids)
    const mine = new Set(ids)
    const all = (await walk(support, '/payments?product=NOVA&state=succeeded', 50)).map(({ id }) => id ?? '')
    expect(new Set(all).size).toBe(all.length)
    expect(all.filter((id) => mine.has(id))).toEqual(ids)
  })

  it.each(['state=done', 'days=2026-02-30', 'days=2026-01-01 - 2026-03-01', 'limit=0', 'limit=1000'])(
    'are not looked for by %s',
    async (query) => {
      expect((await support.get(`/payments?${query.replaceAll(' ', '%20')}`)).status).toBe(400)
    },
  )

  it('are shown with their timeline, and their PIN masked', async () => {
    const sold = await succeed({ refid: newRefid(), product: 'PINTEN', amount: 10, account: '60123456789' })
    expect(sold.pin.length).toBeGreaterThan(4)
    const answer = await support.get(`/payments/${sold.transaction_id}`)
    const listed = (await support.get(`/payments?id=${sold.transaction_id}`)).json<Listed>()
    const [row] = listed.data as { reseller?: string; reseller_name?: string }[]
    expect(row).toMatchObject({ reseller: payer.account, reseller_name: expect.stringMatching(/\S/) })
    expect(dataOf(answer)).toMatchObject({
      reseller: payer.account,
      reseller_name: row?.reseller_name,
      id: sold.transaction_id,
      state: 'succeeded',
      timeline: expect.arrayContaining([expect.objectContaining({ kind: 'state', state: 'succeeded' })]),
    })
    expect(answer.text).not.toContain(sold.pin)
    for (const id of ['1', '0', 'x', '99999999999999999999']) {
      expect((await support.get(`/payments/${id}`)).status).toBe(404)
    }
  })
})

describe('a stuck payment', () => {
  async function getStuck(body: PayBody): Promise<PaymentData> {
    const processing = await payer.untilStatus(body, 'Processing')
    await until('it is on the stuck list', async () => {
      await demo.service.warungd('clock', 'advance', '--reseller', payer.account, '--seconds', '900')
      return (await idsOf('/stuck-payments?limit=1000')).includes(processing.transaction_id)
    })
    return processing
  }

  const silent = (amount: number) => reload({ account: NEVER_ANSWERS, product: 'KITA', amount })
  const failedOf = (changes: object = {}) => ({
    as: 'failed',
    evidence: 'the biller said on the phone that it never arrived',
    reason: 'customer waits',
    ...changes,
  })

  /** Resolves a payment. It retries while a node queries the payment, because the node then has its lease. */
  function resolve({ transaction_id }: PaymentData, body: object, by = support) {
    return until('nobody is at it', async () => {
      const answer = await by.send('POST', `/payments/${transaction_id}/resolve`, body)
      return !isWorkedOn(answer.text) && answer
    })
  }

  it('is ended by one operator up to the limit, with the evidence on its timeline and in the log', async () => {
    const before = await payer.balance()
    const stuck = await getStuck(silent(10))
    expect(dataOf(await support.get(`/payments/${stuck.transaction_id}`))).toMatchObject({
      needs_second_person: false,
      resolve_alone_max: '20.00',
      resolve_alone_day_max: '100.00',
      resolve_alone_week_max: '300.00',
    })
    const refused = await resolve(stuck, failedOf({ evidence: '' }))
    expect(refused.status).toBe(400)
    const answer = await resolve(stuck, failedOf())
    expect(answer.status, answer.text).toBe(200)
    expect(dataOf(answer)).toMatchObject({ state: 'failed', code: 47 })
    expect(answer.text).toContain('never arrived')
    expect(await payer.balance()).toBe(before)
    expect(await lastAudit('payment.resolve')).toMatchObject({
      target: { kind: 'payment', id: stuck.transaction_id },
      before: { state: 'processing' },
      after: { state: 'failed' },
      reason: 'customer waits',
    })
    expect((await resolve(stuck, failedOf())).status).toBe(409)
    expect(await payer.balance()).toBe(before)
  })

  it('above the limit is ended when a second operator approves, once, and its PIN is shown to nobody', async () => {
    const body = silent(50)
    const stuck = await getStuck(body)
    const taken = await payer.balance()
    const success = {
      as: 'succeeded',
      evidence: 'in the supplier’s portal',
      serial_number: 'SN-1',
      pin: '998877665544',
      reason: 'found it',
    }
    // The page says it before anybody acts.
    expect(dataOf(await support.get(`/payments/${stuck.transaction_id}`))).toMatchObject({
      needs_second_person: true,
    })
    const asked = await resolve(stuck, success)
    expect(asked.status, asked.text).toBe(202)
    expect(asked.text).not.toContain('998877665544')
    const { id } = dataOf<{ id: string }>(asked)
    expect((await payer.pay(body)).status).toBe('Processing')
    const own = await support.send('POST', `/approvals/${id}/approve`, { reason: 'me too' })
    expect(own.status).toBe(403)
    const approve = () => finance.send('POST', `/approvals/${id}/approve`, { reason: 'seen it as well' })
    const approved = await until('nobody is at it', async () => {
      const answer = await approve()
      return !isWorkedOn(answer.text) && answer
    })
    expect(approved.status, approved.text).toBe(200)
    expect(await payer.pay(body)).toMatchObject({ status: 'Succesful', sn: 'SN-1', pin: '998877665544' })
    expect((await approve()).json()).toEqual(approved.json())
    expect(await payer.balance()).toBe(taken)
    const log = await admin.get(`/audit?target=${stuck.transaction_id}`)
    expect(log.json<Listed>().data.map(({ action }) => action)).toEqual([
      'payment_resolution.approve',
      'payment_resolution.request',
    ])
    expect(log.text + approved.text).not.toContain('998877665544')
  })

  it('is not what is final, or not due yet: nobody is asked to approve it', async () => {
    const sold = await succeed(reload({ product: 'KITA', amount: 50 }))
    const fresh = await payer.untilStatus(silent(60), 'Processing')
    for (const payment of [sold, fresh]) {
      const answer = await resolve(payment, failedOf())
      expect(answer.status, answer.text).toBe(409)
    }
    expect((await support.send('POST', '/payments/123/resolve', failedOf())).status).toBe(404)
    const pending = (await finance.get('/approvals?state=pending&kind=payment_resolution')).json<Listed>()
    expect(pending.data).toEqual([])
  })
})

describe('cases', () => {
  async function open(path: string, amount = 10): Promise<{ number: string; paid: PaymentData }> {
    const paid = await succeed({ refid: newRefid(), product: 'VOLT', account: '60123451000', amount })
    const answer = await signed(demo.service.baseUrl, payer.credentials, {
      method: 'POST',
      path: `/v2/transactions/${path}`,
      json: { trxid: paid.transaction_id, refund_type: 1 },
    })
    const number = /C-\d{4}-\d{6}/.exec(answer.text)?.[0]
    if (number === undefined) throw new Error(answer.text)
    return { number, paid }
  }

  it('are listed, taken, written about and resolved, each step in the log', async () => {
    const { number } = await open('check')
    const later = await open('check')
    const page = (await support.get(`/cases?account=${payer.account}&limit=1`)).json<Listed>()
    expect(page.data.map((each) => each.number)).toEqual([later.number])
    const next = (
      await support.get(`/cases?account=${payer.account}&limit=1&cursor=${page.cursor}`)
    ).json<Listed>()
    expect(next.data.map((each) => each.number)).toEqual([number])
    const due = (await walk(support, `/cases?account=${payer.account}&order=due`, 1)).map(
      (each) => each.number,
    )
    expect(due).toEqual([number, later.number])
    const step = (name: string, body: object) => support.send('POST', `/cases/${number}/${name}`, body)
    expect((await step('take', {})).status).toBe(400)
    expect(dataOf(await step('take', { reason: 'mine' }))).toMatchObject({ state: 'in_progress' })
    expect((await step('take', { reason: 'mine' })).status).toBe(409)
    expect(dataOf(await step('message', { message: 'We are looking.' }))).toMatchObject({
      messages: expect.arrayContaining([
        expect.objectContaining({ author: 'operator', text: 'We are looking.' }),
      ]),
    })
    expect((await step('approve', { evidence: 'x', reason: 'x' })).status).toBe(409)
    expect(dataOf(await step('resolve', { message: 'It was delivered.' }))).toMatchObject({
      state: 'resolved',
    })
    const left = (await support.get(`/cases?account=${payer.account}&order=due`)).json<Listed>()
    expect(left.data.map((each) => each.number)).toEqual([later.number])
    const log = (await admin.get(`/audit?target=${number}`)).json<Listed>().data
    expect(log.map(({ action }) => action)).toEqual(['case.resolve', 'case.message', 'case.take'])
    expect((await support.get('/cases/C-2020-000001')).status).toBe(404)
    expect((await support.get('/cases?cursor=x')).status).toBe(400)
  })

  it('voids are approved with one refund, however often and by however many at once', async () => {
    const { number, paid } = await open('void')
    const before = await payer.balance()
    const approve = () =>
      support.send('POST', `/cases/${number}/approve`, { evidence: 'mail of the biller', reason: 'approved' })
    const answers = await Promise.all([approve, approve, approve].map(untilFree))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect(await payer.balance()).toBeCloseTo(before + paid.cost, 4)
    expect(await lastAudit('case.approve')).toMatchObject({
      before: { state: 'open' },
      after: { state: 'resolved', text: 'mail of the biller' },
    })
    expect((await admin.get(`/audit?target=${number}`)).json<Listed>().data).toHaveLength(1)
    expect(dataOf(await support.get(`/payments/${paid.transaction_id}`))).toMatchObject({
      state: 'voided',
      cases: [{ number, kind: 'void', state: 'resolved' }],
      callbacks: [],
    })
  })

  it('voids above the limit are refunded once, when a second operator approves', async () => {
    const { number, paid } = await open('void', 50)
    const before = await payer.balance()
    const evidence = { evidence: 'mail of the biller', reason: 'approved' }
    const asked = await support.send('POST', `/cases/${number}/approve`, evidence)
    expect(asked.status, asked.text).toBe(202)
    const { id } = dataOf<{ id: string }>(asked)
    expect(dataOf(await support.get(`/cases/${number}`))).toMatchObject({ state: 'open' })
    expect(await payer.balance()).toBe(before)
    expect((await support.send('POST', `/approvals/${id}/approve`, { reason: 'me too' })).status).toBe(403)
    const approve = () => finance.send('POST', `/approvals/${id}/approve`, { reason: 'seen the mail' })
    const answers = await Promise.all([approve(), approve(), approve()])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await payer.balance()).toBeCloseTo(before + paid.cost, 4)
    expect(dataOf(await support.get(`/payments/${paid.transaction_id}`))).toMatchObject({ state: 'voided' })
    const log = (await admin.get(`/audit?target=${number}`)).json<Listed>().data
    expect(log.map(({ action }) => action)).toEqual(['void.approve', 'void.request'])
    // A case that is closed cannot be decided again.
    expect((await support.send('POST', `/cases/${number}/approve`, evidence)).status).toBe(409)
  })

  it('are refused with what the reseller reads', async () => {
    const { number } = await open('void')
    const answer = await support.send('POST', `/cases/${number}/refuse`, { message: 'The biller said no.' })
    expect(dataOf(answer)).toMatchObject({ state: 'refused' })
    expect(await lastAudit('case.refuse')).toMatchObject({ reason: 'The biller said no.' })
  })
})

describe('other duties of operators', () => {
  it('a blocked address is let in again, and the log says by whom', async () => {
    // An IPv6 /64 is blocked as one, and unblocked by any address in it.
    const blocks = [
      { address: '198.51.100.77', inside: '198.51.100.77' },
      { address: '2001:db8::/64', inside: '2001:db8::77' },
    ]
    for (const { address, inside } of blocks) {
      await database.query(
        `insert into address_blocks (address, blocked_at, blocked_until, requests)
         values ($1, now(), now() + interval '1 hour', 30001)`,
        [address],
      )
      expect((await support.get('/blocks')).text).toContain(address)
      const lift = () => support.send('POST', '/blocks/lift', { address: inside, reason: 'a known reseller' })
      expect(dataOf(await lift())).toMatchObject({ address, requests: '30001' })
      expect((await lift()).status).toBe(404)
      expect((await support.get('/blocks')).text).not.toContain(address)
      expect(await lastAudit('block.lift')).toMatchObject({ target: { kind: 'address', id: address } })
    }
  })

  it('an alert is cleared with a reason', async () => {
    const { rows } = await database.query<{ id: string }>(
      `insert into operator_alerts (kind, subject, text, severity, raised_at, last_seen_at, times)
       values ('float_low', 'TESTER', 'low', 'warning', now(), now(), 1) returning id::text as id`,
    )
    const id = rows[0]?.id ?? ''
    expect(await idsOf('/alerts')).toContain(id)
    expect((await support.send('POST', `/alerts/${id}/clear`, {})).status).toBe(400)
    const cleared = await support.send('POST', `/alerts/${id}/clear`, { reason: 'topped up' })
    expect(dataOf(cleared)).toMatchObject({ id, cleared_at: expect.any(String) })
    expect(await idsOf('/alerts')).not.toContain(id)
    expect(await idsOf('/alerts?with_cleared=true')).toContain(id)
    expect(await lastAudit('alert.clear')).toMatchObject({
      before: { cleared_at: null },
      reason: 'topped up',
    })
    expect((await support.send('POST', '/alerts/999999/clear', { reason: 'x' })).status).toBe(404)
  })

  it('a receiver is paused and resumed; its secret and the query of its address are shown to nobody', async () => {
    const configured = await signed(demo.service.baseUrl, payer.credentials, {
      method: 'PUT',
      path: '/v2/catalog-webhook',
      json: { url: 'https://hooks.example.com/in?key=topsecret', enabled: true },
    })
    expect(configured.status, configured.text).toBe(200)
    const path = `/endpoints/${payer.account}/catalog`
    const shown = await support.get(path)
    expect(dataOf(shown)).toMatchObject({ url: 'https://hooks.example.com/in?…', paused_at: null })
    const paused = await support.send('POST', `${path}/pause`, { reason: 'it floods them' })
    expect(dataOf(paused)).toMatchObject({ paused_at: expect.any(String) })
    const listed = await support.get(`/endpoints?account=${payer.account}&state=paused`)
    expect(listed.json<Listed>().data).toHaveLength(1)
    expect(dataOf(await support.send('POST', `${path}/resume`, { reason: 'fixed' }))).toMatchObject({
      paused_at: null,
    })
    const log = await admin.get('/audit?action=endpoint')
    expect(log.json<Listed>().data.map(({ action }) => action)).toEqual(['endpoint.resume', 'endpoint.pause'])
    expect(shown.text + paused.text + listed.text + log.text).not.toContain('topsecret')
    expect((await support.get(`/endpoints/${other.account}/catalog`)).status).toBe(404)
    expect((await support.get('/endpoints/9999999/catalog')).status).toBe(404)
    expect((await support.get(`/endpoints/${payer.account}/nothing`)).status).toBe(400)
    expect((await support.get('/delivery-queues')).status).toBe(200)
  })
})

describeBooks(() => ({ service: demo.service, finance, payer }))

it('the log is whole after all of this, and so is the ledger', async () => {
  expect(dataOf(await admin.get('/audit/proof'))).toMatchObject({ is_whole: true })
  expect(await demo.service.warungd('ledger', 'verify')).toMatchObject({ ok: true })
})
