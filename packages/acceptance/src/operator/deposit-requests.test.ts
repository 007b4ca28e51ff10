import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectProblem } from '../edge.ts'
import type { Answer } from '../http.ts'
import { openPage } from '../live.ts'
import { readMailbox } from '../mail/mailbox.ts'
import type { Shop } from '../portal/members.ts'
import { dataOf, openShop } from '../portal/members.ts'
import type { Browser } from '../portal/people.ts'
import type { TransferBody } from '../portal/slips.ts'
import { SLIPS, slipOf } from '../portal/slips.ts'
import type { Service, TestDatabase } from '../service.ts'
import { createDatabase, openService, stopServices, until } from '../service.ts'
import { signInAs, untilFree } from './operators.ts'

let service: Service
let database: TestDatabase
let shop: Shop
let first: Browser
let second: Browser

beforeAll(async () => {
  database = await createDatabase()
  service = await openService({ database })
  shop = await openShop(service, '100')
  first = await signInAs(service, 'finance')
  second = await signInAs(service, 'finance')
})
afterAll(async () => {
  await stopServices()
  await database.drop()
})

const isAbout = (data: object, { id }: Request) => 'id' in data && data.id === id

type Request = {
  id: string
  state: string
  approval_id: string | null
  entry_number: string | null
  refusal: string | null
  warnings: { code: string; requests: string[] }[]
  same_reference: { id: string; account: string }[]
}
type Approval = { id: string; kind: string; state: string; command: Record<string, string> }

let numbers = 0
const newReference = () => `MBB-${++numbers}-${Date.now()}`

async function report(changes: Partial<TransferBody> = {}, by: Shop = shop): Promise<Request> {
  const answer = await by.admin.send('POST', '/deposit-requests', slipOf(newReference(), changes))
  expect(answer.status, answer.text).toBe(201)
  return dataOf<Request>(answer)
}

const decide = (by: Browser, { id }: Request, decision: string, body: object = {}) =>
  untilFree(() =>
    by.send('POST', `/deposit-requests/${id}/${decision}`, { reason: 'seen at the bank', ...body }),
  )
const approve = (by: Browser, { id }: Approval, verdict = 'approve') =>
  untilFree(() => by.send('POST', `/approvals/${id}/${verdict}`, { reason: 'compared with the slip' }))
const stateOf = async ({ id }: Request) => dataOf<Request>(await shop.admin.get(`/deposit-requests/${id}`))
const withdraw = ({ id }: Request) => shop.admin.send('POST', `/deposit-requests/${id}/withdraw`, {})
const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).toSorted()

describe('a reported transfer', () => {
  it('is in the wallet once a second operator approves it, and the reseller sees each step', async () => {
    const before = await shop.payer.balance()
    const request = await report({ amount: '125.50' })
    expect(request).toMatchObject({ state: 'reported', amount: '125.50', slip: { kind: 'png' } })
    const accepted = await decide(first, request, 'accept')
    expect(accepted.status, accepted.text).toBe(202)
    const approval = dataOf<Approval>(accepted)
    expect(approval).toMatchObject({
      kind: 'deposit_request',
      state: 'pending',
      command: { deposit_request: request.id, amount: '125.50', account: shop.payer.account },
    })
    expect(await stateOf(request)).toMatchObject({ state: 'accepted', entry_number: null })
    expect(await shop.payer.balance()).toBe(before)
    expect((await approve(first, approval)).status).toBe(403)
    expect((await approve(second, approval)).status).toBe(200)
    expect(await shop.payer.balance()).toBe(before + 125.5)
    expect(await stateOf(request)).toMatchObject({
      state: 'credited',
      entry_number: expect.stringMatching(/^\d+$/),
    })
    // The same approval again moves nothing more.
    expect((await approve(second, approval)).status).toBe(200)
    expect(await shop.payer.balance()).toBe(before + 125.5)
  })

  it('stands in the list of approvals and in the operators’ list, by its state', async () => {
    const request = await report()
    const listed = async (state: string) =>
      dataOf<Request[]>(await first.get(`/deposit-requests?state=${state}&account=${shop.payer.account}`))
    expect((await listed('reported')).map(({ id }) => id)).toContain(request.id)
    const approval = dataOf<Approval>(await decide(first, request, 'accept'))
    expect((await listed('reported')).map(({ id }) => id)).not.toContain(request.id)
    expect(await listed('accepted')).toMatchObject([{ id: request.id, approval_id: approval.id }])
    const inbox = dataOf<Approval[]>(await second.get('/approvals?state=pending&kind=deposit_request'))
    expect(inbox.map(({ id }) => id)).toContain(approval.id)
    await approve(second, approval)
  })

  it('is refused with a reason that its reseller reads, and then stays refused', async () => {
    const request = await report()
    const refused = await decide(first, request, 'refuse', { reason: 'No such transfer at the bank' })
    expect(dataOf<Request>(refused)).toMatchObject({ state: 'refused' })
    expect(await stateOf(request)).toMatchObject({
      state: 'refused',
      refusal: 'No such transfer at the bank',
    })
    for (const decision of ['accept', 'refuse']) expectProblem(await decide(first, request, decision), 409)
    expectProblem(await withdraw(request), 409)
  })

  it('a refusal is told to the reseller once: in the feed, to open pages and by mail', async () => {
    const page = await openPage(service.baseUrl, shop.admin)
    const request = await report({ amount: '77.50' })
    await decide(first, request, 'refuse', { reason: 'The slip is of another account' })
    expect(await page.message('deposit', ({ id }) => id === request.id)).toMatchObject({ state: 'refused' })
    page.close()
    const feed = (await shop.admin.get('/events?before=0')).json<{ data: { type: string; data: object }[] }>()
    expect(
      feed.data.filter(({ type, data }) => type === 'deposit.refused' && isAbout(data, request)),
    ).toEqual([
      expect.objectContaining({
        data: expect.objectContaining({ amount: 77.5, reason: 'The slip is of another account' }),
      }),
    ])
    await until('it is mailed', async () =>
      (await readMailbox(service)).some(
        ({ kind, subject, text }) =>
          kind === 'deposit.refused' && subject.includes('MYR 77.50') && text.includes('of another account'),
      ),
    )
  })

  it('is withdrawn by its reseller while nobody has accepted it', async () => {
    const [open, taken] = [await report(), await report()]
    expect(dataOf<Request>(await withdraw(open))).toMatchObject({ state: 'withdrawn' })
    expectProblem(await decide(first, open, 'accept'), 409)
    await decide(first, taken, 'accept')
    expectProblem(await withdraw(taken), 409)
  })

  it.each(['refuse', 'withdraw'])(
    'is reported again when its approval comes to nothing: %s',
    async (verdict) => {
      const before = await shop.payer.balance()
      const request = await report({ amount: '7.00' })
      const lost = dataOf<Approval>(await decide(first, request, 'accept'))
      expect((await approve(verdict === 'withdraw' ? first : second, lost, verdict)).status).toBe(200)
      expect(await stateOf(request)).toMatchObject({ state: 'reported' })
      const again = dataOf<Approval>(await decide(first, request, 'accept'))
      expect(again.id).not.toBe(lost.id)
      expect((await approve(second, again)).status).toBe(200)
      expect(await shop.payer.balance()).toBe(before + 7)
    },
  )

  it('a reported transfer whose approval ran out is reported again, and the old approval moves nothing', async () => {
    const request = await report()
    const lost = dataOf<Approval>(await decide(first, request, 'accept'))
    await database.query('alter table approvals disable trigger user')
    await database.query(`update approvals set expires_at = now() - interval '1 second' where id = $1`, [
      lost.id,
    ])
    await database.query('alter table approvals enable trigger user')
    expect(await stateOf(request)).toMatchObject({ state: 'reported' })
    expectProblem(await approve(second, lost), 409)
    expect(dataOf<Request>(await withdraw(request))).toMatchObject({ state: 'withdrawn' })
  })

  it('a reported transfer that is sent again with the same slip is the first one', async () => {
    const body = slipOf(newReference())
    const [one, two] = await Promise.all([0, 1].map(() => shop.admin.send('POST', '/deposit-requests', body)))
    expect([one?.status, two?.status]).toEqual([201, 201])
    expect(one?.json<{ data: Request }>().data.id).toBe(two?.json<{ data: Request }>().data.id)
  })

  it('with the bank’s reference of another warns, and is posted no second time', async () => {
    const reference = newReference()
    const [one, two] = [
      await report({ bank_reference: reference }),
      await report({ bank_reference: reference.toLowerCase(), amount: '1.00' }),
    ]
    expect(two.warnings).toMatchObject([{ code: 'same_bank_reference', requests: [one.id] }])
    const other = await openShop(service, null)
    const foreign = await report({ bank_reference: reference }, other)
    expect(foreign.warnings).toEqual([])
    const shown = dataOf<Request>(await first.get(`/deposit-requests/${foreign.id}`))
    expect(shown.same_reference.map(({ id }) => id)).toEqual([one.id, two.id])
    // The reference of the entry is the bank's: a deposit that was made by hand before blocks it.
    const same = await report({ bank_reference: reference, amount: '3.00' })
    await approve(second, dataOf<Approval>(await decide(first, one, 'accept')))
    const blocked = dataOf<Approval>(await decide(first, same, 'accept'))
    expectProblem(await approve(second, blocked), 409, ['reference'])
    expect(await stateOf(same)).toMatchObject({ state: 'accepted' })
  })

  it('raises an alert for finance until it is done', async () => {
    const alertOf = async ({ id }: Request) => {
      const { rows } = await database.query<{ cleared_at: Date | null }>(
        `select cleared_at from operator_alerts where kind = 'deposit_reported' and subject = $1`,
        [id],
      )
      return rows.map(({ cleared_at }) => cleared_at !== null)
    }
    const request = await report()
    expect(await alertOf(request)).toEqual([false])
    await withdraw(request)
    expect(await alertOf(request)).toEqual([true])
  })
})

describe('at the same moment', () => {
  it('two operators accept: one does, and the money moves once', async () => {
    const before = await shop.payer.balance()
    const request = await report({ amount: '11.00' })
    const answers = await Promise.all([first, second].map((by) => decide(by, request, 'accept')))
    expect(statuses(answers)).toEqual([202, 409])
    const winner = answers.findIndex(({ status }) => status === 202)
    const approval = dataOf<Approval>(answers[winner] as Answer)
    const others = await Promise.all([0, 1, 2].map(() => approve(winner === 0 ? second : first, approval)))
    expect(others.every(({ status }) => status === 200)).toBe(true)
    expect(await shop.payer.balance()).toBe(before + 11)
  })

  it('a reseller withdraws and an operator accepts or refuses: one of them does', async () => {
    for (const decision of ['accept', 'refuse', 'accept', 'accept']) {
      const request = await report({ amount: '2.00' })
      const [gone, decided] = await Promise.all([withdraw(request), decide(first, request, decision)])
      expect([gone.status === 200, decided.status < 300].filter(Boolean)).toHaveLength(1)
      const { state } = await stateOf(request)
      expect(state === 'withdrawn').toBe(gone.status === 200)
    }
  })
})

describe('a slip', () => {
  it.each(Object.entries(SLIPS))(
    'a slip of kind %s comes back as it was, as a file to save',
    async (kind, bytes) => {
      const { id } = await report({ slip: bytes.toString('base64') })
      for (const by of [shop.admin, first]) {
        const answer = await by.get(`/deposit-requests/${id}/slip`)
        expect(answer.status).toBe(200)
        expect(answer.bytes.equals(bytes)).toBe(true)
        expect(answer.headers).toMatchObject({
          'content-type': 'application/octet-stream',
          'content-disposition': expect.stringMatching(/^attachment; filename="slip-\d+\.\w+"$/),
          'x-content-type-options': 'nosniff',
          'cache-control': 'no-store',
        })
      }
      expect(dataOf(await first.get(`/deposit-requests/${id}`))).toMatchObject({ slip: { kind } })
    },
  )

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a picture that is cut off', SLIPS.png.subarray(0, -12)],
    ['a page behind the head of a picture', Buffer.concat([SLIPS.png.subarray(0, 8), Buffer.from('<html>')])],
    ['a PDF with a script', Buffer.from(SLIPS.pdf.toString().replace('/Catalog', '/Catalog/S/JavaScript'))],
    ['more than 2 MB', Buffer.concat([SLIPS.jpeg, Buffer.alloc(2 * 1024 * 1024)])],
  ])('a slip that is %s is refused', async (_, bytes) => {
    const body = slipOf(newReference(), { slip: bytes.toString('base64') })
    expectProblem(await shop.admin.send('POST', '/deposit-requests', body), 400, ['slip'])
  })

  it('lies sealed in the database', async () => {
    const { id } = await report({ slip: SLIPS.pdf.toString('base64') })
    const { rows } = await database.query<{ sealed_slip: Buffer }>(
      'select sealed_slip from deposit_requests where id = $1',
      [id],
    )
    expect(rows[0]?.sealed_slip.includes('%PDF')).toBe(false)
  })

  it('is shown to no viewer and no operator who does not read money', async () => {
    const { id } = await report()
    expect((await shop.viewer.get(`/deposit-requests/${id}/slip`)).status).toBe(403)
    const support = await signInAs(service, 'support')
    expect((await support.get(`/deposit-requests/${id}/slip`)).status).toBe(403)
  })
})

it.each([
  ['amount', { amount: '0' }],
  ['amount', { amount: '-5' }],
  ['transferred_on', { transferred_on: '2026-02-30' }],
  ['transferred_on', { transferred_on: '2999-01-01' }],
  ['bank_reference', { bank_reference: ' ' }],
  ['slip', { slip: 'not base64!' }],
])('a report whose %s is wrong is refused: %o', async (field, changes) => {
  const answer = await shop.admin.send('POST', '/deposit-requests', slipOf(newReference(), changes))
  expectProblem(answer, 400, [field])
})
