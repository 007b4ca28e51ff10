import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../catalog.ts'
import { shareDemo } from '../catalog.ts'
import { expectProblem } from '../edge.ts'
import { PHONE } from '../payments.ts'
import { until } from '../service.ts'
import type { Shop } from './members.ts'
import { dataOf, openShop } from './members.ts'
import { scheduleOf } from './schedules.ts'

let demo: Demo
let shop: Shop

beforeAll(async () => {
  demo = await shareDemo()
  shop = await openShop(demo.service, '100')
})
afterAll(() => demo?.end())

type Line = {
  line: number
  refid: string
  occurrence: number
  status: string
  product_name: string | null
  cost: string | null
  price: string | null
  margin: string | null
  problems: { code: number; field: string | null }[]
  warnings: { code: string; payment: { id: string; refid: string } | null; line: number | null }[]
  payment: { status: string } | null
}
type Preview = {
  file_digest: string | null
  blocked: string | null
  lines: Line[]
  totals: {
    lines: number
    by_status: Record<string, { count: number; cost: string }>
    balance: string
    is_balance_enough: boolean
  }
}
type Wanted = { line: number; product: string; account: string; amount: string; reference?: string }

const lineOf = (line: number, changes: Partial<Wanted> = {}): Wanted => ({
  line,
  product: 'NOVA',
  account: PHONE,
  amount: '10',
  ...changes,
})

async function preview(lines: readonly Wanted[], more: object = {}): Promise<Preview> {
  const answer = await shop.admin.send('POST', '/sell/bulk/preview', { lines, ...more })
  expect(answer.status, answer.text).toBe(200)
  return dataOf<Preview>(answer)
}

async function pay({ refid }: Line, { product, account, amount }: Wanted, allow_duplicate = true) {
  return shop.admin.send('POST', '/sell/payments', { refid, product, account, amount, allow_duplicate })
}

type Status = { refid: string; is_final: boolean; payment: { status: string; pin: string } | null }
async function statusesOf(refids: readonly string[], by = shop.admin): Promise<Status[]> {
  return dataOf<Status[]>(await by.send('POST', '/payments/statuses', { refids }))
}

describe('a file of payments', () => {
  it('is judged line by line as paying would judge it, and nothing is paid', async () => {
    const before = await shop.payer.balance()
    const { lines, totals, file_digest } = await preview(
      [
        lineOf(2),
        lineOf(3, { product: 'NOSUCH' }),
        lineOf(4, { amount: 'ten' }),
        lineOf(5, { account: '12' }),
        lineOf(6, { amount: '9.99' }),
      ],
      { file_digest: 'abc' },
    )
    expect(file_digest).toBe('abc')
    expect(lines[0]).toMatchObject({
      line: 2,
      status: 'ready',
      product_name: expect.any(String),
      cost: '9.70',
      problems: [],
      payment: null,
    })
    expect(lines.slice(1).map(({ status, problems }) => [status, problems[0]?.code])).toEqual([
      ['problem', 44],
      ['problem', 44],
      ['problem', 52],
      ['problem', 58],
    ])
    expect(lines[2]?.problems[0]?.field).toBe('amount')
    expect(totals).toMatchObject({
      lines: 5,
      by_status: { ready: { count: 1, cost: '9.70' }, problem: { count: 4 } },
      is_balance_enough: true,
    })
    expect(await shop.payer.balance()).toBe(before)
    // Each problem is the one that paying is refused with.
    const paid = await pay(lines[1] as Line, lineOf(3, { product: 'NOSUCH' }))
    expect(paid.status).toBe(400)
  })

  it('a file of payments that is paid and uploaded again, in another order, pays nothing twice', async () => {
    const file = [lineOf(1, { reference: 'A' }), lineOf(2, { reference: 'B' }), lineOf(3, { reference: 'B' })]
    const { lines } = await preview(file)
    expect(new Set(lines.map(({ refid }) => refid)).size).toBe(3)
    expect(lines.map(({ occurrence }) => occurrence)).toEqual([1, 1, 2])
    const before = await shop.payer.balance()
    for (const [index, line] of lines.entries()) {
      expect((await pay(line, file[index] as Wanted)).status).toBe(200)
    }
    const again = await preview(file.toReversed())
    expect(again.lines.map(({ status }) => status)).toEqual(['exists', 'exists', 'exists'])
    expect(again.lines.map(({ refid }) => refid).toSorted()).toEqual(
      lines.map(({ refid }) => refid).toSorted(),
    )
    for (const [index, line] of again.lines.entries()) {
      expect((await pay(line, file.toReversed()[index] as Wanted)).status).toBe(200)
    }
    expect(await shop.payer.balance()).toBeCloseTo(before - 3 * 9.7, 4)
    // Under another batch's name they are other payments.
    const other = await preview(file, { batch: 'December' })
    expect(other.lines.map(({ status }) => status)).toEqual(['ready', 'ready', 'ready'])
  })

  it('a file of payments that is paid is kept with what became of its lines, for all of the shop', async () => {
    const own = await openShop(demo.service, '100')
    const file = [lineOf(2, { reference: 'A' }), lineOf(3, { product: 'NOSUCH' })]
    const judged = dataOf<Preview>(await own.admin.send('POST', '/sell/bulk/preview', { lines: file }))
    const lines = file.map((line, at) => ({ ...line, refid: judged.lines[at]?.refid }))
    const kept = await own.admin.send('POST', '/sell/bulk/batches', {
      name: 'October',
      lines: lines.slice(0, 1),
    })
    expect(kept.status, kept.text).toBe(201)
    const { id: batch } = dataOf<{ id: string }>(kept)
    const more = { name: 'October', batch, lines: lines.slice(1) }
    expect((await own.admin.send('POST', '/sell/bulk/batches', more)).status).toBe(201)
    const { reference: _, ...first } = lines[0] as (typeof lines)[number]
    expect((await own.admin.send('POST', '/sell/payments', { ...first, line: undefined })).status).toBe(200)
    const found = await until('the payment has ended', async () => {
      const [found] = dataOf<Record<string, unknown>[]>(await own.viewer.get('/sell/bulk/batches'))
      return found?.pending === 0 ? found : undefined
    })
    expect(found).toMatchObject({ id: batch, name: 'October', lines: 2, successful: 1, failed: 0, unpaid: 1 })
    const back = dataOf<Wanted[]>(await own.viewer.get(`/sell/bulk/batches/${batch}/lines`))
    expect(back.map(({ line, product, reference }) => [line, product, reference])).toEqual([
      [2, 'NOVA', 'A'],
      [3, 'NOSUCH', null],
    ])
    expect(dataOf(await own.viewer.get(`/sell/bulk/batches/${batch}/lines?after=2`))).toHaveLength(1)
    // Nobody adds to a file of somebody else, and none keeps what a file cannot hold.
    const foreign = await shop.admin.send('POST', '/sell/bulk/batches', more)
    expect(foreign.status).toBe(404)
    for (const line of [{ refid: 'mine' }, { ic_number: '900101015555' }, { account: 'a\0b' }]) {
      const refused = { name: '', lines: [{ ...lines[0], ...line }] }
      expect((await own.admin.send('POST', '/sell/bulk/batches', refused)).status).toBe(400)
    }
  })

  describe('a schedule of a file', () => {
    type Schedule = { id: string; state: string; reason: string | null; runs: number; run_at: string | null }

    const read = async ({ admin }: Shop) => dataOf<Schedule[]>(await admin.get('/sell/bulk/schedules'))
    const soon = () => ({ first_at: new Date().toISOString() })

    it('is paid at its time with nobody at the screen, and again a week later', async () => {
      const own = await openShop(demo.service, '100')
      const before = await own.payer.balance()
      const made = await own.admin.send(
        'POST',
        '/sell/bulk/schedules',
        scheduleOf({ every: 'week', ...soon() }),
      )
      expect(made.status, made.text).toBe(201)
      const after = await until('the run has ended', async () =>
        (await read(own)).find(({ runs }) => runs === 1),
      )
      expect(after).toMatchObject({ state: 'active', reason: null })
      expect(await own.payer.balance()).toBeCloseTo(before - 9.7, 4)
      const [run] = dataOf<object[]>(await own.viewer.get('/sell/bulk/batches'))
      expect(run).toMatchObject({
        schedule_id: after.id,
        run: 1,
        name: 'Condominium',
        lines: 1,
        cost: '9.70',
      })
    })

    it('stops where the price is not the one that was confirmed, and pays when somebody goes on with it', async () => {
      const own = await openShop(demo.service, '100')
      const lines = [{ line: 2, product: 'NOVA', account: PHONE, amount: '10', cost: '9.60' }]
      const made = await own.admin.send('POST', '/sell/bulk/schedules', scheduleOf({ lines, ...soon() }))
      const { id } = dataOf<Schedule>(made)
      const stopped = await until('the run has stopped', async () =>
        (await read(own)).find(({ state }) => state === 'stopped'),
      )
      expect(stopped).toMatchObject({ id, reason: 'price' })
      const resumed = await own.admin.send('POST', `/sell/bulk/schedules/${id}/resume`, { from: 'here' })
      expect(dataOf<Schedule>(resumed)).toMatchObject({ state: 'active', reason: null })
      const later = dataOf<Schedule>(await own.admin.send('POST', '/sell/bulk/schedules', scheduleOf()))
      expectProblem(
        await own.admin.send('POST', `/sell/bulk/schedules/${later.id}/resume`, { from: 'here' }),
        409,
        [],
      )
    })

    it('is bounded: a sum that is too small, a time that is over, equal lines and further members are refused', async () => {
      const own = await openShop(demo.service, '100')
      const refuse = async (changes: object, ...fields: string[]) =>
        expectProblem(await own.admin.send('POST', '/sell/bulk/schedules', scheduleOf(changes)), 400, fields)
      await refuse({ max_cost: '9.69' }, 'max_cost')
      await refuse({ first_at: '2020-01-01T00:00:00Z' }, 'first_at')
      await refuse({ first_at: new Date(Date.now() + 400 * 86_400_000).toISOString() }, 'first_at')
      await refuse({ lines: [scheduleOf().lines[0], scheduleOf().lines[0]] }, 'lines')
      expect((await own.admin.send('POST', '/sell/bulk/schedules', scheduleOf({ max: '1' }))).status).toBe(
        400,
      )
      for (let at = 0; at < 20; at += 1) {
        expect((await own.admin.send('POST', '/sell/bulk/schedules', scheduleOf())).status).toBe(201)
      }
      const refused = await own.admin.send('POST', '/sell/bulk/schedules', scheduleOf())
      expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('At most 20')])
    })

    it('cannot be scheduled where the portal may not pay', async () => {
      const own = await openShop(demo.service, '100')
      await own.admin.send('PATCH', '/settings', { topup_requires_api_key: true })
      await until('it is refused', async () => {
        const { status, json } = await own.admin.send('POST', '/sell/bulk/schedules', scheduleOf())
        return status === 403 && json<{ error: string }>().error === 'api_key_required'
      })
    })
  })

  it('says when the portal may not pay at all', async () => {
    const blockedOf = async () => (await preview([lineOf(1)])).blocked
    expect(await blockedOf()).toBeNull()
    await shop.admin.send('PATCH', '/settings', { topup_requires_api_key: true })
    await until('the portal may not pay', async () => (await blockedOf()) === 'api_key_required')
    await shop.admin.send('PATCH', '/settings', { topup_requires_api_key: false })
    await until('the portal may pay', async () => (await blockedOf()) === null)
  })

  it('a line that repeats a payment of a moment ago or a line further up is marked, and refused unless it is meant', async () => {
    const file = [
      lineOf(1, { account: '012-777 0001' }),
      lineOf(2, { account: '60127770001', reference: 'other' }),
      lineOf(3, { account: '60127770002' }),
    ]
    const { lines } = await preview(file)
    expect(lines.map(({ warnings }) => warnings)).toMatchObject([
      [],
      [{ code: 'possible_duplicate', payment: null, line: 1 }],
      [],
    ])
    const [first, second] = lines as [Line, Line]
    expect((await pay(first, file[0] as Wanted, false)).status).toBe(200)
    const [, again] = (await preview(file)).lines
    expect(again).toMatchObject({
      status: 'ready',
      warnings: [{ payment: { refid: first.refid }, line: null }],
    })
    const refused = await pay(second, file[1] as Wanted, false)
    expect(refused.json()).toMatchObject({ data: { statusCode: 54, remarks: 'Possible_Duplicate' } })
    expect((await pay(second, file[1] as Wanted)).status).toBe(200)
  })

  it('a file of payments that costs more than the wallet holds says so', async () => {
    const { totals } = await preview(Array.from({ length: 40 }, (_, index) => lineOf(index)))
    expect(totals.is_balance_enough).toBe(false)
  })

  it('a file in two parts has totals of both, and the wallet is judged for both', async () => {
    const half = (from: number) =>
      Array.from({ length: 5 }, (_, index) => lineOf(from + index, { reference: `half ${from + index}` }))
    const { totals: first } = await preview(half(0))
    expect(first).toMatchObject({ lines: 5, is_balance_enough: true })
    const carried = { lines: first.lines, by_status: first.by_status }
    const { totals } = await preview(half(5), { carried })
    expect(totals).toMatchObject({ lines: 10, is_balance_enough: false })
    expect(totals).toEqual((await preview([...half(0), ...half(5)])).totals)
    const wrong = {
      ...carried,
      by_status: { ...first.by_status, ready: { ...first.by_status.ready, cost: 'x' } },
    }
    const answer = await shop.admin.send('POST', '/sell/bulk/preview', { lines: half(5), carried: wrong })
    expectProblem(answer, 400, ['carried'])
  })

  it('has at most 1,000 lines, and all of them are judged', async () => {
    const lines = Array.from({ length: 1_000 }, (_, index) => lineOf(index, { reference: `r${index}` }))
    expect((await preview(lines)).lines).toHaveLength(1_000)
    const answer = await shop.admin.send('POST', '/sell/bulk/preview', { lines: [...lines, lineOf(1_001)] })
    expectProblem(answer, 400, ['lines'])
  })
})

describe('the statuses of many refids', () => {
  it('are in the order of the request, with nothing for what does not exist or is somebody else’s', async () => {
    const file = [lineOf(1, { reference: 'status' })]
    const [line] = (await preview(file)).lines as [Line]
    await pay(line, file[0] as Wanted)
    await until('the payment is final', async () => (await statusesOf([line.refid]))[0]?.is_final)
    const found = await statusesOf(['nothing', line.refid, 'a\u0000b'])
    expect(found.map(({ refid, payment }) => [refid, payment?.status ?? null])).toEqual([
      ['nothing', null],
      [line.refid, 'successful'],
      ['a\u0000b', null],
    ])
    const other = await openShop(demo.service, null)
    expect(await statusesOf([line.refid], other.admin)).toMatchObject([{ payment: null }])
  })
})
