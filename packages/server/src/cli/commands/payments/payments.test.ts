import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Env } from '../../../config.ts'
import { formatSeconds } from '../../../lib/dates.ts'
import { noFailpoint } from '../../../lib/failpoints.ts'
import { getReseller } from '../../../modules/accounts/service.ts'
import type { Payment } from '../../../modules/payments/core/types.ts'
import type { ResolveCommand, Resolver } from '../../../modules/payments/outcomes/resolve.service.ts'
import { createResolver } from '../../../modules/payments/outcomes/resolve.service.ts'
import type { Intake } from '../../../modules/payments/take/intake.service.ts'
import { createIntake } from '../../../modules/payments/take/intake.service.ts'
import { seedBase } from '../../../testing/catalog/catalog-store.ts'
import { withoutReference } from '../../../testing/command-line.ts'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { NO_TIMES } from '../../../testing/payments/payments.ts'
import { main } from '../../main.ts'

const IC_NUMBER = '900101145678'
const PIN = '1234567890123456'
const LINK = 'https://vouchers.example.com/abcdef0123456789'
const DEADLINE_MS = 30_000

let test: TestDatabase
let dataDir: string
let env: Env
let account: string
let resellerId: bigint
let intake: Intake
let resolver: Resolver

beforeAll(async () => {
  test = await openTestDatabase()
  await seedBase(test.database)
  dataDir = await mkdtemp(join(tmpdir(), 'warung-payments-'))
  env = {
    DATABASE_URL: test.url,
    WARUNG_MASTER_KEY: test.masterKey.bytes.toString('base64'),
    WARUNG_DATA_DIR: dataDir,
  }
  const settings = { ...test, failpoint: noFailpoint, leaseMs: 60_000 }
  ;[intake, resolver] = [createIntake(settings), createResolver(settings)]
  ;({ account, resellerId } = await makeReseller())
})

afterAll(async () => {
  await test.close()
  await rm(dataDir, { recursive: true, force: true })
})

async function makeReseller(): Promise<{ account: string; resellerId: bigint }> {
  const made = await ask('reseller', 'create', '--name', 'Kedai', '--email', 'k@example.com')
  const whose = ['--reseller', String(made.account)]
  await ask('deposit', ...whose, '--amount', '1000', '--remarks', 'bank')
  const { id } = await getReseller(test.database, String(made.account))
  return { account: String(made.account), resellerId: id }
}

type Ran = { code: number; out: string; err: string }
type Document = Record<string, unknown>

async function run(args: readonly string[], environment = env): Promise<Ran> {
  const ran = { code: -1, out: '', err: '' }
  const io = {
    out: (text: string) => {
      ran.out += text
    },
    err: (text: string) => {
      ran.err += text
    },
    readInput: async () => '',
  }
  ran.code = await main(args, io, environment)
  return ran
}

/** Runs a command that must succeed, and reads its one JSON document. */
async function ask(...args: string[]): Promise<Document> {
  const { code, out, err } = await run([...args, '--json'])
  expect({ code, err: withoutReference(err), out: code === 0 ? '' : out }).toEqual({
    code: 0,
    err: '',
    out: '',
  })
  return JSON.parse(out)
}

async function refuse(code: number, ...args: string[]): Promise<Document> {
  const ran = await run([...args, '--json'])
  expect(ran.code).toBe(code)
  return JSON.parse(ran.out).error
}

/** Takes a payment as the service does. It is due after 900 seconds unless another time is given. */
async function take(refid: string, whose = resellerId, dueAfterSeconds = 900): Promise<Payment> {
  const result = await intake.submit(
    {
      resellerId: whose,
      request: {
        refid,
        product: 'BILLPAY',
        account: '100200300',
        amount: 100_000n,
        remarks: 'counter 3',
        extras: { subproductCode: null, billerCode: '1000', ref2: 'R2', icNumber: IC_NUMBER },
        problems: {},
      },
      decision: {
        productCode: 'BILLPAY',
        productName: 'Bill Payment',
        amount: 100_000n,
        faceValue: 100_000n,
        cost: 98_750n,
        planCode: null,
        dueAfterSeconds,
      },
      isLookupOnly: false,
      times: NO_TIMES,
      provider: 'simulator',
      reservesStock: false,
      routeNote: null,
      nonce: undefined,
      sender: '192.0.2.7',
      memberId: '7',
    },
    performance.now() + DEADLINE_MS,
  )
  if (result.verdict !== 'created') throw new Error(`the payment was not taken: ${result.verdict}`)
  return result.payment
}

function resolve({ resellerId: whose, id }: Payment, outcome: ResolveCommand['outcome']): Promise<boolean> {
  return resolver.submit({ resellerId: whose, id, outcome, nextMs: 60_000 })
}

const OUTPUT = { serialNumber: 'SN1', pin: PIN, expiry: '20270916', voucherLink: LINK, note: 'Open it.' }

describe('payment show', () => {
  it('shows a payment by refid and by id, its timeline oldest first', async () => {
    const payment = await take('shown')
    await resolve(payment, { kind: 'pending' })
    await resolve(payment, { kind: 'succeeded', output: OUTPUT })
    const shown = await ask('payment', 'show', '--reseller', account, '--refid', 'shown')
    expect(shown).toMatchObject({
      reseller: account,
      transaction_id: String(payment.id),
      refid: 'shown',
      status: 'Succesful',
      status_code: 20,
      product: 'BILLPAY',
      amount: 10,
      cost: 9.875,
      remarks: 'counter 3',
      biller_code: '1000',
      sn: 'SN1',
      sender: '192.0.2.7',
      created_at: payment.createdAt.toISOString(),
    })
    const timeline = shown.timeline as Document[]
    expect(timeline.map(({ kind, status_code }) => [kind, status_code])).toEqual([
      ['state', 0],
      ['state', 1],
      ['state', 20],
    ])
    expect(timeline.map(({ at }) => at)).toEqual(timeline.map(({ at }) => at).toSorted())
    expect(await ask('payment', 'show', '--reseller', account, '--id', String(payment.id))).toEqual(shown)
  })

  it('names the supplier, our reference of each attempt, its answers and what to quote', async () => {
    const payment = await take('quoted')
    const report = (outcome: ResolveCommand['outcome']) =>
      resolver.submit({ resellerId, id: payment.id, attempt: 1, outcome, nextMs: 60_000 })
    await report({ kind: 'unknown', reason: 'the supplier answered 502' })
    const args = ['payment', 'show', '--reseller', account, '--refid', 'quoted']
    expect((await ask(...args)).attempts).toMatchObject([
      { our_reference: `W${payment.id}-1`, supplier_code: 'simulator', undecided_answers: 1 },
    ])
    await report({ kind: 'succeeded', output: OUTPUT })
    const shown = await ask(...args)
    expect(shown.attempts).toMatchObject([
      {
        attempt: 1,
        sent_at: payment.createdAt.toISOString(),
        undecided_answers: null,
        answers: [
          { kind: 'undecided', text: 'the supplier answered 502' },
          { kind: 'succeeded', code: 20 },
        ],
      },
    ])
    expect(shown.quote_to_supplier).toEqual({
      supplier: 'simulator',
      supplier_code: 'simulator',
      our_reference: `W${payment.id}-1`,
      their_serial_number: 'SN1',
      sent_at: `${formatSeconds(payment.createdAt)} GMT+8`,
      product: 'BILLPAY',
      account: '100200300',
      amount: '10.00',
      face_value: '10.00',
    })
    const { out } = await run(args)
    expect(out).toContain('Data for the supplier')
    expect(out).not.toContain(PIN)
  })

  it('masks PIN, link and identity number, as text and as JSON', async () => {
    await resolve(await take('masked'), { kind: 'succeeded', output: OUTPUT })
    const args = ['payment', 'show', '--reseller', account, '--refid', 'masked']
    const text = await run(args)
    const json = await run([...args, '--json'])
    for (const { code, out } of [text, json]) {
      expect(code).toBe(0)
      for (const secret of [PIN, LINK, 'abcdef', IC_NUMBER]) expect(out).not.toContain(secret)
      for (const shown of ['****3456', 'https://vouchers.example.com/****', '****5678', 'SN1', 'counter 3']) {
        expect(out).toContain(shown)
      }
    }
  })

  it('shows why a payment failed, and the balance that its refund left', async () => {
    const { account: own, resellerId: id } = await makeReseller()
    const payment = await take('failed', id)
    expect(payment.balanceAfter).toBe(9_901_250n)
    await resolve(payment, { kind: 'failed', code: 48, reason: 'Rejected by the provider' })
    expect(await ask('payment', 'show', '--reseller', own, '--refid', 'failed')).toMatchObject({
      status_code: 48,
      remarks: 'Rejected by the provider',
      cost: 9.875,
      balance: 1000,
      timeline: [{ status_code: 0 }, { status_code: 48, detail: 'Rejected by the provider' }],
    })
  })

  it('finds nothing of another reseller, and nothing that is not there', async () => {
    const payment = await take('mine')
    const { account: other } = await makeReseller()
    for (const name of [
      ['--refid', 'mine'],
      ['--id', String(payment.id)],
      ['--refid', 'nothing'],
      ['--id', '9223372036854775807'],
    ]) {
      const { code } = await refuse(1, 'payment', 'show', '--reseller', other, ...name)
      expect(code).toBe('not_found')
    }
  })

  it.each([
    [[]],
    [['--refid', 'a', '--id', '1']],
    [['--id', 'abc']],
    [['--id', '0']],
    [['--id', '-1']],
    [['--id', '9223372036854775808']],
  ])('is not called with %j', async (name) => {
    expect(await refuse(2, 'payment', 'show', '--reseller', account, ...name)).toMatchObject({
      code: 'usage',
    })
  })
})

describe('payment stuck', () => {
  async function stuck(...options: string[]): Promise<Document[]> {
    const { payments } = await ask('payment', 'stuck', ...options)
    return payments as Document[]
  }

  it('lists what is past its due time, longest overdue first, until it is resolved', async () => {
    const { account: own, resellerId: id } = await makeReseller()
    const payments = [
      await take('late-1', id, -60),
      await take('late-2', id, -120),
      await take('on time', id),
    ]
    const listed = (await stuck()).filter(({ reseller }) => reseller === own)
    expect(listed.map(({ refid }) => refid)).toEqual(['late-2', 'late-1'])
    expect(listed[1]).toMatchObject({
      transaction_id: String(payments[0]?.id),
      product: 'BILLPAY',
      cost: 9.875,
      status_code: 0,
      provider: 'simulator',
      attempt: 1,
      questions: 0,
    })
    expect(await stuck('--limit', '1')).toHaveLength(1)
    for (const payment of payments) await resolve(payment, { kind: 'succeeded', output: OUTPUT })
    expect(await stuck()).toEqual([])
    expect((await run(['payment', 'stuck'])).out).toBe('No payment is past its due time.\n')
  })

  it.each(['0', '1001', 'many'])('refuses a limit of %s', async (limit) => {
    const message = '--limit: must be a whole number from 1 to 1000'
    expect(await refuse(2, 'payment', 'stuck', '--limit', limit)).toMatchObject({ code: 'usage', message })
  })
})

describe('payment resolve', () => {
  const whose = (payment: Payment) => ['--reseller', account, '--id', String(payment.id)]
  /** Makes an overdue payment that no dispatcher holds any more. */
  const overdue = async (refid: string) => {
    const payment = await take(refid, resellerId, -1)
    await test.database.query('update payment_work set next_at = now() where payment_id = $1', [payment.id])
    return payment
  }
  const balance = async () =>
    Number((await ask('ledger', 'balance', '--reseller', account, '--at', '2999-01-01T00:00:00Z')).balance)

  it('ends a payment that is past its due time as the operator says, with the reason on its timeline', async () => {
    const [sold, failed] = [await overdue('stuck-1'), await overdue('stuck-2')]
    await resolve(sold, { kind: 'unknown', reason: 'no answer' })
    const before = await balance()
    const words = ['--as', 'succeeded', '--reason', 'they sent a receipt', '--sn', 'SN77']
    const shown = await ask('payment', 'resolve', ...whose(sold), ...words)
    expect(shown).toMatchObject({ status: 'Succesful', status_code: 20, sn: 'SN77' })
    expect((shown.timeline as Document[]).at(-1)).toMatchObject({ detail: 'operator: they sent a receipt' })
    expect(await balance()).toBe(before)
    expect(
      await ask('payment', 'resolve', ...whose(failed), '--as', 'failed', '--reason', 'they know nothing'),
    ).toMatchObject({ status: 'Failed', status_code: 47, remarks: 'Service_Unavailable' })
    expect(await balance()).toBeCloseTo(before + 9.875, 4)
  })

  it('refuses a payment that somebody is at, who may be about to send it', async () => {
    const leased = await take('stuck-6', resellerId, -1)
    for (const as of ['succeeded', 'failed']) {
      expect(
        await refuse(1, 'payment', 'resolve', ...whose(leased), '--as', as, '--reason', 'because'),
      ).toMatchObject({ code: 'in_progress' })
    }
    expect(await ask('payment', 'show', ...whose(leased))).toMatchObject({ status_code: 0 })
  })

  it('refuses a payment that is final or not yet due, and anything but the two ends', async () => {
    const words = ['--as', 'failed', '--reason', 'because']
    const fresh = await take('stuck-3')
    expect(await refuse(1, 'payment', 'resolve', ...whose(fresh), ...words)).toMatchObject({
      code: 'not_stuck',
    })
    const done = await overdue('stuck-4')
    await resolve(done, { kind: 'succeeded', output: OUTPUT })
    expect(await refuse(1, 'payment', 'resolve', ...whose(done), ...words)).toMatchObject({
      code: 'already_final',
    })
    const stuck = await overdue('stuck-5')
    for (const wrong of [
      ['--as', 'voided', '--reason', 'x'],
      ['--as', 'failed', '--reason', ' '],
    ]) {
      expect(await refuse(1, 'payment', 'resolve', ...whose(stuck), ...wrong)).toMatchObject({
        code: 'validation_failed',
      })
    }
    expect(
      await refuse(1, 'payment', 'resolve', '--reseller', account, '--refid', 'nobody', ...words),
    ).toMatchObject({ code: 'not_found' })
  })
})

describe('payment list', () => {
  const idsOf = ({ payments }: Document) => (payments as Document[]).map(({ id }) => id)

  it('lists by reseller, status, refid and days, newest first and page by page', async () => {
    const own = await makeReseller()
    const failed = await take('listed-1', own.resellerId)
    const pending = await take('listed-2', own.resellerId)
    await resolve(failed, { kind: 'failed', code: 48, reason: 'Rejected' })
    const whose = ['payment', 'list', '--reseller', own.account]
    const [first, second] = [String(failed.id), String(pending.id)]
    expect(idsOf(await ask(...whose))).toEqual([second, first])
    expect(idsOf(await ask(...whose, '--status', 'failed'))).toEqual([first])
    expect(idsOf(await ask(...whose, '--refid', 'listed-2'))).toEqual([second])
    expect(idsOf(await ask(...whose, '--account', '100200300', '--product', 'BILLPAY'))).toHaveLength(2)
    expect(idsOf(await ask(...whose, '--from', '2020-01-01', '--to', '2020-01-31'))).toEqual([])
    const page = await ask(...whose, '--limit', '1')
    expect(page).toMatchObject({ payments: [{ id: second }], cursor: second })
    expect(idsOf(await ask(...whose, '--cursor', second))).toEqual([first])
    expect((await run(whose)).out).toMatch(/^reseller +reseller_name +id +refid/)
  })

  it('lists what is past its due time with --stuck', async () => {
    const own = await makeReseller()
    const late = await take('late', own.resellerId, 0)
    await take('in-time', own.resellerId)
    const whose = ['payment', 'list', '--stuck', '--reseller', own.account]
    expect(idsOf(await ask(...whose))).toEqual([String(late.id)])
    expect(idsOf(await ask(...whose, '--product', 'NOVA'))).toEqual([])
  })

  it('refuses limits, days and filters that it cannot follow', async () => {
    await refuse(2, 'payment', 'list', '--limit', '201')
    await refuse(2, 'payment', 'list', '--to', '2026-01-01')
    await refuse(2, 'payment', 'list', '--stuck', '--status', 'failed')
    await refuse(1, 'payment', 'list', '--status', 'odd')
    await refuse(1, 'payment', 'list', '--from', '2026-01-01', '--to', '2026-12-31')
  })
})
