import { beforeAll, describe, expect, it } from 'vitest'
import type { CasePage, CaseReport, FedEvent, SupportData } from '../../cases/support.ts'
import { expectAnswer, numberIn } from '../../cases/support.ts'
import type { Demo } from '../../catalog.ts'
import { shareDemo } from '../../catalog.ts'
import { createKey, expectForbidden, expectProblem, expectUnauthorized, post } from '../../edge.ts'
import type { Answer, SignedInput } from '../../http.ts'
import { signed } from '../../http.ts'
import type { PayBody, Payer, PaymentData } from '../../payments.ts'
import { countEntries, createPayer, newRefid, reload, ringgit } from '../../payments.ts'
import { until } from '../../service.ts'

// Disputes, voids and their cases, as a reseller uses them in staging.

const CHECK = '/v2/transactions/check'
const VOID = '/v2/transactions/void'
const CASES = '/v2/cases'
const OPERATIONS = [CHECK, VOID] as const

/** Account whose payment succeeds at once, and whose void is never decided. */
const ORDINARY = '60123451000'
const VOID_APPROVED = '60123454001'
const VOID_REFUSED = '60123454002'

let demo: Demo
let payer: Payer
let stranger: Payer

beforeAll(async () => {
  demo = await shareDemo()
  payer = await createPayer(demo.service, '5000')
  stranger = await createPayer(demo.service, null)
})

const bill = (changes: PayBody = {}): PayBody => ({
  refid: newRefid(),
  product: 'VOLT',
  account: ORDINARY,
  amount: 10,
  ...changes,
})

function succeed(changes: PayBody = {}, whose = payer): Promise<PaymentData> {
  return whose.untilStatus(bill(changes), 'Succesful')
}

/** Sends a request with a void's type, which a dispute ignores. */
function ask(path: string, body: unknown, input: Partial<SignedInput> = {}, whose = payer): Promise<Answer> {
  const json = typeof body === 'object' && body !== null ? { refund_type: 1, ...body } : body
  return signed(demo.service.baseUrl, whose.credentials, { method: 'POST', path, json, ...input })
}

function get<T>(path: string, whose = payer): Promise<T> {
  return signed(demo.service.baseUrl, whose.credentials, { path }).then((answer) => {
    expect(answer.status, answer.text).toBe(200)
    return answer.json<T>()
  })
}

async function findCase(number: string, whose = payer): Promise<CaseReport> {
  return (await get<{ data: CaseReport }>(`${CASES}/${number}`, whose)).data
}

function untilState(number: string, state: string): Promise<CaseReport> {
  return until(`${number} is ${state}`, async () => {
    const found = await findCase(number)
    return found.state === state && found
  })
}

describe.each(OPERATIONS)('POST %s', (path) => {
  it('takes a payment that succeeded, by trxid or by refid', async () => {
    const [one, other] = await Promise.all([succeed(), succeed()])
    expectAnswer(await ask(path, { trxid: one.transaction_id }), one.refid, 'Success')
    expectAnswer(await ask(path, { refid: other.refid }), other.refid, 'Success')
  })

  it('means the trxid when both are given', async () => {
    const [one, other] = await Promise.all([succeed(), succeed()])
    const body = { trxid: one.transaction_id, refid: other.refid }
    expectAnswer(await ask(path, body), one.refid, 'Success')
    expectProblem(await ask(path, { trxid: '1', refid: other.refid }), 400, ['trxid'])
    expectAnswer(await ask(path, { refid: other.refid }), other.refid, 'Success')
  })

  it('answers Failed while a case of either kind is open', async () => {
    const { refid } = await succeed()
    expectAnswer(await ask(path, { refid }), refid, 'Success')
    for (const again of OPERATIONS) expectAnswer(await ask(again, { refid }), refid, 'Failed')
  })

  it('fifty times at once makes one case', async () => {
    const { refid } = await succeed()
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(path, { refid })))
    const statuses = answers.map((answer) => answer.json<{ data: SupportData }>().data.status)
    expect(statuses.filter((status) => status === 'Success')).toHaveLength(1)
    expect(statuses.filter((status) => status === 'Failed')).toHaveLength(49)
  })

  it('answers Failed for a payment that failed, whatever its product', async () => {
    for (const body of [bill({ account: '60123450048' }), reload({ account: '60123450048' })]) {
      const { refid, transaction_id } = await payer.untilStatus(body, 'Failed')
      expectAnswer(await ask(path, { refid }), refid, 'Failed')
      expectAnswer(await ask(path, { trxid: transaction_id }), refid, 'Failed')
    }
  })

  it('refuses what does not exist and what is another’s in the same words, under trxid', async () => {
    const { refid, transaction_id } = await succeed()
    const answers = await Promise.all([
      ask(path, { trxid: transaction_id }, {}, stranger),
      ask(path, { refid }, {}, stranger),
      ask(path, { refid: newRefid() }),
      ask(path, { trxid: '123456789' }),
      ask(path, { trxid: 'not a number' }),
      ask(path, { trxid: '9'.repeat(40) }),
      ask(path, { refid: 'x'.repeat(500) }),
      ask(path, { refid: 'a\0b' }),
    ])
    for (const answer of answers) expectProblem(answer, 400, ['trxid'])
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  })

  it('refuses a payment that is not final yet', async () => {
    const { refid, transaction_id } = await payer.untilStatus(bill({ account: '60123451300' }), 'Processing')
    expectProblem(await ask(path, { refid }), 400, ['trxid'])
    expectProblem(await ask(path, { trxid: transaction_id }), 400, ['trxid'])
  })

  it.each([{}, { refid: '' }, { trxid: null, refid: null }, { trxid: 17 }, [], 'text', 7])(
    'refuses %j, which names nothing, under trxid',
    async (body) => {
      const answer = await signed(demo.service.baseUrl, payer.credentials, {
        method: 'POST',
        path,
        json:
          path === VOID && !Array.isArray(body) && typeof body === 'object'
            ? { ...body, refund_type: 1 }
            : body,
      })
      expect(answer.status).toBe(400)
      expect(answer.json<{ errors: object }>().errors).toHaveProperty('trxid')
    },
  )

  it('refuses a body that is no JSON under trxid, whatever its type', async () => {
    const send = (body: string, type: string) =>
      signed(demo.service.baseUrl, payer.credentials, {
        method: 'POST',
        path,
        body,
        headers: { 'Content-Type': type },
      })
    expectProblem(await send('{"trxid":', 'application/json'), 400, ['trxid'])
    expectProblem(await send('trxid=1', 'application/x-www-form-urlencoded'), 400, ['trxid'])
    const unknown = await send('{"trxid":"1"}', 'text/plain')
    expect(unknown.status).toBe(400)
    expect(unknown.json<{ errors: object }>().errors).toHaveProperty('trxid')
  })

  it.each(
    ['a@example.com', ['nobody'], ['a@example.com', 7], [['a@example.com']], { a: 1 }].map((list) => [list]),
  )('refuses the copies %j under user_email and trxid, and opens nothing', async (user_email) => {
    const { refid } = await succeed()
    expectProblem(await ask(path, { refid, user_email }), 400, ['trxid', 'user_email'])
    expectAnswer(await ask(path, { refid, user_email: [] }), refid, 'Success')
  })

  it('copies the registered address always, and those given', async () => {
    const { refid } = await succeed()
    const user_email = ['help@shop.example.com', 'SOMEONE@example.com']
    const number = numberIn(expectAnswer(await ask(path, { refid, user_email }), refid, 'Success'))
    expect((await findCase(number)).cc).toEqual(['someone@example.com', 'help@shop.example.com'])
  })

  it('is for keys with "support", and for nobody without credentials', async () => {
    const { refid } = await succeed()
    const key = await createKey(demo.service, payer.account, ['read', 'pay', 'configure'])
    const json = { refid, refund_type: 1 }
    const input = { method: 'POST', path, json }
    expectForbidden(await signed(demo.service.baseUrl, key, input), 'insufficient_scope')
    expectUnauthorized(await post(demo.service, path, JSON.stringify(json)), 'unauthorized')
    const supporting = await createKey(demo.service, payer.account, ['support'])
    expectAnswer(await signed(demo.service.baseUrl, supporting, input), refid, 'Success')
  })
})

describe('a void', () => {
  it.each([undefined, null, 0, 4, '1', 1.5, true])(
    'a void of type %j is refused under its key and trxid',
    async (refund_type) => {
      const { refid } = await succeed()
      expectProblem(await ask(VOID, { refid, refund_type }), 400, ['refund_type', 'trxid'])
    },
  )

  it('a void of type 3 needs a reason, and of types 1 and 2 none', async () => {
    const { refid } = await succeed()
    for (const refund_reason of [undefined, '', ' ', 7, 'x'.repeat(501)]) {
      const answer = await ask(VOID, { refid, refund_type: 3, refund_reason })
      expectProblem(answer, 400, ['refund_reason', 'trxid'])
    }
    const body = { refid, refund_type: 3, refund_reason: 'The customer moved house' }
    const number = numberIn(expectAnswer(await ask(VOID, body), refid, 'Success'))
    expect(await findCase(number)).toMatchObject({
      kind: 'void',
      refund_type: 3,
      refund_reason: 'The customer moved house',
    })
    for (const refund_type of [1, 2]) {
      const other = await succeed()
      expectAnswer(await ask(VOID, { refid: other.refid, refund_type }), other.refid, 'Success')
    }
  })

  it('a void of a product that is not refundable is refused, and can be disputed', async () => {
    const { refid } = await payer.untilStatus(reload(), 'Succesful')
    expectProblem(await ask(VOID, { refid }), 400, ['trxid'])
    expectAnswer(await ask(CHECK, { refid }), refid, 'Success')
  })

  it('a void that the biller approves gives the money back once, and the payment is Failed 53', async () => {
    const whose = await createPayer(demo.service, '100')
    const body = bill({ account: VOID_APPROVED })
    const { refid, cost, transaction_id } = await whose.untilStatus(body, 'Succesful')
    expect(await whose.balance()).toBe(ringgit(100 - cost))
    const number = numberIn(expectAnswer(await ask(VOID, { refid }, {}, whose), refid, 'Success'))
    const voided = await until('it is voided', async () => {
      const data = await whose.pay(body)
      return data.statusCode === 53 && data
    })
    expect(voided).toMatchObject({ status: 'Failed', remarks: 'Refund', cost, balance: 100, transaction_id })
    expect(await whose.balance()).toBe(100)
    expect(await countEntries(demo.service, whose.account)).toBe(3)
    const found = await findCase(number, whose)
    expect(found).toMatchObject({ state: 'resolved', closed_at: expect.any(String), transaction_id })
    expect(found.messages.map(({ author }) => author)).toEqual(['reseller', 'system'])
    for (const path of OPERATIONS) {
      expectAnswer(await ask(path, { refid }, {}, whose), refid, 'Failed')
    }
    const { data: told } = await until('the feed has its end', async () => {
      const feed = await get<{ data: FedEvent[] }>('/v2/events?after=0&limit=100', whose)
      return feed.data.some(({ type }) => type === 'case.resolved') && feed
    })
    const types = told.map(({ type }) => type)
    expect(types.slice(types.indexOf('case.opened'))).toEqual([
      'case.opened',
      'payment.voided',
      'balance.refunded',
      'case.resolved',
    ])
    expect(told.at(-1)?.data).toEqual({
      number,
      kind: 'void',
      state: 'resolved',
      refid,
      transaction_id,
      message: expect.any(String),
    })
  })

  it('a void that the biller refuses leaves the payment as it is, and another may be asked for', async () => {
    const whose = await createPayer(demo.service, '100')
    const body = bill({ account: VOID_REFUSED })
    const paid = await whose.untilStatus(body, 'Succesful')
    const open = async () =>
      numberIn(expectAnswer(await ask(VOID, { refid: paid.refid }, {}, whose), paid.refid, 'Success'))
    const number = await open()
    await until('it is refused', async () => (await findCase(number, whose)).state === 'refused')
    expect((await findCase(number, whose)).messages.at(-1)).toMatchObject({
      author: 'system',
      text: expect.stringContaining('does not take it back'),
    })
    expect(await whose.pay(body)).toEqual(paid)
    expect(await open()).not.toBe(number)
  })

  it('a void of any other account is simulated: its case stays open until an operator decides', async () => {
    const { refid } = await succeed()
    const number = numberIn(expectAnswer(await ask(VOID, { refid }), refid, 'Success'))
    // Another void is decided meanwhile, so this one would have been decided too.
    const asked = await succeed({ account: VOID_APPROVED })
    await untilState(
      numberIn(expectAnswer(await ask(VOID, { refid: asked.refid }), asked.refid, 'Success')),
      'resolved',
    )
    expect(await findCase(number)).toMatchObject({ state: 'open', closed_at: null })
    await demo.service.warungd('case', 'take', '--number', number)
    expect(await findCase(number)).toMatchObject({ state: 'in_progress' })
    await demo.service.warungd('case', 'approve', '--number', number, '--evidence', 'letter of the biller')
    const found = await findCase(number)
    expect(found).toMatchObject({ state: 'resolved' })
    expect(JSON.stringify(found)).not.toContain('letter of the biller')
  })
})

describe('cases', () => {
  it('are listed newest first in pages, by state, kind and day', async () => {
    const whose = await createPayer(demo.service, '100')
    const numbers: string[] = []
    for (const path of [CHECK, VOID, CHECK]) {
      const { refid } = await succeed({}, whose)
      numbers.unshift(numberIn(expectAnswer(await ask(path, { refid }, {}, whose), refid, 'Success')))
    }
    const list = async (query: string) => {
      const page = await get<CasePage>(`${CASES}${query}`, whose)
      expect(Object.keys(page).sort()).toEqual(['cursor', 'data', 'has_more'])
      return { ...page, numbers: page.data.map(({ number }) => number) }
    }
    expect(await list('')).toMatchObject({ numbers, cursor: null, has_more: false })
    const first = await list('?limit=2')
    expect(first).toMatchObject({ numbers: numbers.slice(0, 2), has_more: true })
    const second = await list(`?limit=2&cursor=${first.cursor}`)
    expect(second).toMatchObject({ numbers: numbers.slice(2), cursor: null, has_more: false })
    expect((await list('?kind=void&state=open')).numbers).toEqual([numbers[1]])
    expect((await list('?state=resolved')).numbers).toEqual([])
    expect((await list('?from=2020-01-01&to=2020-12-31')).numbers).toEqual([])
    expect((await list('?from=2020-01-01')).numbers).toEqual(numbers)
    expect(await get<CasePage>(CASES, stranger)).toEqual({ data: [], cursor: null, has_more: false })
  })

  it('show everything that was said, and take operators’ words', async () => {
    const { refid, transaction_id } = await succeed()
    const number = numberIn(expectAnswer(await ask(CHECK, { refid }), refid, 'Success'))
    await demo.service.warungd('case', 'message', '--number', number, '--text', 'We asked the biller.')
    await demo.service.warungd('case', 'resolve', '--number', number, '--message', 'It was delivered.')
    const found = await findCase(number)
    expect(found).toEqual({
      number,
      kind: 'dispute',
      state: 'resolved',
      refid,
      transaction_id,
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
      due_at: expect.stringMatching(/Z$/),
      closed_at: expect.stringMatching(/Z$/),
      cc: ['someone@example.com'],
      refund_type: null,
      refund_reason: null,
      messages: [
        { author: 'reseller', text: expect.any(String), at: expect.stringMatching(/Z$/) },
        { author: 'operator', text: 'We asked the biller.', at: expect.stringMatching(/Z$/) },
        { author: 'operator', text: 'It was delivered.', at: expect.stringMatching(/Z$/) },
      ],
    })
    expectAnswer(await ask(CHECK, { refid }), refid, 'Success')
  })

  it('cases of other accounts are unknown, like cases that do not exist', async () => {
    const { refid } = await succeed()
    const number = numberIn(expectAnswer(await ask(CHECK, { refid }), refid, 'Success'))
    const paths = [number, 'C-2026-999999', 'nonsense', 'C-2026-00000%00', '%F0%9F%92%A9']
    const answers = await Promise.all(
      paths.map((name) => signed(demo.service.baseUrl, stranger.credentials, { path: `${CASES}/${name}` })),
    )
    for (const answer of answers) expectProblem(answer, 404)
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  })

  it.each(['state=shut', 'kind=x', 'limit=0', 'limit=101', 'from=2026-02-30', 'to=now', 'cursor=7'])(
    '?%s is refused under its name',
    async (query) => {
      const answer = await signed(demo.service.baseUrl, payer.credentials, { path: `${CASES}?${query}` })
      expectProblem(answer, 400, [query.split('=')[0] as string])
    },
  )

  it('are for keys with "read"', async () => {
    const key = await createKey(demo.service, payer.account, ['support'])
    for (const path of [CASES, `${CASES}/C-2026-000001`]) {
      expectForbidden(await signed(demo.service.baseUrl, key, { path }), 'insufficient_scope')
      expectUnauthorized(await demo.service.get(path), 'unauthorized')
    }
  })
})
