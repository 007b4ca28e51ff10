import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { DatabaseClock } from '../../../db/clock.ts'
import { openDatabaseClock } from '../../../db/clock.ts'
import type { Database } from '../../../db/database.ts'
import { openDatabase } from '../../../db/database.ts'
import { assert } from '../../../lib/errors.ts'
import { noFailpoint } from '../../../lib/failpoints.ts'
import { leaseNowMs } from '../../../lib/lease-time.ts'
import { sampleReseller } from '../../../testing/accounts.ts'
import {
  moneyProduct,
  PERCENTAGE,
  sampleBase,
  sampleLevel,
  sampleProduct,
  selectField,
  textField,
} from '../../../testing/catalog/catalog-samples.ts'
import { dispatcherAmong, recoveryAt } from '../../../testing/payments/dispatching.ts'
import { compileAccount } from '../../../testing/payments/judging.ts'
import type { Node, PaymentsBench } from '../../../testing/payments/payments.ts'
import {
  expectSoundMoney,
  LATER,
  LEASE_MS,
  NO_EXTRAS,
  newRefid,
  openPaymentsBench,
  until,
  withStatementHooks,
} from '../../../testing/payments/payments.ts'
import {
  createScriptedProvider,
  providersOf,
  SUCCEEDED,
  UNKNOWN,
} from '../../../testing/providers/scripted-provider.ts'
import { EMPTY_STATE } from '../../catalog/model/state.rules.ts'
import type { Snapshot } from '../../catalog/model/types.ts'
import type { RouteChoice } from '../../providers/connections/routing.types.ts'
import { createDynamicOptions } from '../../providers/options.service.ts'
import type { Providers } from '../../providers/registry.service.ts'
import { createQuoteBook } from '../quotes/book.service.ts'
import { createIntake } from './intake.service.ts'
import type { PayInput, PaymentsSettings, PayResult } from './service.ts'
import { createPayments } from './service.ts'

// All ways in which a client gets a 400 without a transaction_id: each rejection is stored before the client gets it.

let bench: PaymentsBench
let node: Node
let clock: DatabaseClock
let resellerId: bigint

beforeAll(async () => {
  bench = await openPaymentsBench()
  clock = await openDatabaseClock(bench.database)
  const opened = bench.openNode()
  const { database } = opened
  const intake = createIntake({
    database,
    vault: bench.vault,
    failpoint: noFailpoint,
    leaseMs: LEASE_MS,
    clock,
  })
  node = { ...opened, intake }
  await bench.database.query(`
    create function refuse_payment() returns trigger language plpgsql as $$
    begin
      raise exception 'this payment cannot be stored';
    end $$`)
  await bench.database.query(`
    create trigger refuse_payment before insert on payments for each row when (new.remarks = 'unstorable')
    execute function refuse_payment()`)
})
afterAll(async () => {
  clock.close()
  await bench.close()
})
beforeEach(async () => {
  resellerId = await bench.newReseller(1_000_000n)
})
afterAll(() => expectSoundMoney(bench.database))

const LOAN = sampleProduct({
  code: 'PINJAM',
  fields: [
    textField(),
    selectField({
      dataSource: {
        type: 'dynamic',
        dependsOn: ['phone'],
        params: { account_number: { fromField: 'phone' } },
      },
    }),
  ],
})
const SNAPSHOT = compileAccount(
  sampleBase({ products: [moneyProduct(), LOAN] }),
  sampleLevel({ KITA: PERCENTAGE, PINJAM: PERCENTAGE }),
) as Snapshot

const PROVIDER = createScriptedProvider(SUCCEEDED)
const SHELF = createScriptedProvider(SUCCEEDED, UNKNOWN, { code: 'shelf', reservesStock: true })
const choosing = (...choices: RouteChoice[]): Partial<PaymentsSettings> => {
  const providers: Providers = {
    ...providersOf(PROVIDER, SHELF),
    choose: () => (choices.length > 1 ? choices.shift() : choices[0]) as RouteChoice,
  }
  return { providers }
}

type Asking = {
  settings?: Partial<PaymentsSettings>
  request?: Partial<PayInput['request']>
  input?: Partial<PayInput>
  status?: 'active' | 'suspended'
}

const SECONDS = () => Math.floor(clock.nowMs() / 1_000)

function pay(refid: string, { settings = {}, request = {}, input = {}, status = 'active' }: Asking = {}) {
  const providers = providersOf(PROVIDER)
  const payments = createPayments({
    database: bench.database,
    clock,
    catalog: { snapshotFor: () => SNAPSHOT, base: () => EMPTY_STATE.base },
    quoteBook: createQuoteBook({ database: bench.database, vault: bench.vault, quoteSeconds: 300 }),
    dynamicOptions: createDynamicOptions({
      provider: { listOptions: () => Promise.resolve({ kind: 'unavailable', reason: 'nobody answers' }) },
    }),
    providers,
    intake: node.intake,
    dispatcher: dispatcherAmong(node, providers),
    leaseMs: LEASE_MS,
    isStaging: true,
    onProblem: () => {},
    ...settings,
  })
  return payments.pay({
    caller: {
      reseller: sampleReseller({ id: resellerId, status }),
      kind: 'key',
      memberId: '1',
      scopes: new Set(['pay']),
      unspentNonce: { digest: randomUUID(), requestId: randomUUID(), timestampSeconds: SECONDS() },
    },
    request: {
      refid,
      product: 'KITA',
      account: '60129001000',
      amount: 100_000n,
      remarks: '',
      extras: NO_EXTRAS,
      problems: {},
      ...request,
    },
    sender: '203.0.113.7',
    deadlineMs: LATER,
    ...input,
  })
}

/** Sends the same request again, as from another client machine or a slow network: signed two seconds before now. */
function payOlder(refid: string): Promise<PayResult> {
  const older = { digest: randomUUID(), requestId: randomUUID(), timestampSeconds: SECONDS() - 2 }
  const reseller = sampleReseller({ id: resellerId })
  const caller = { reseller, kind: 'key', memberId: '1', scopes: new Set(['pay'] as const) } as const
  return pay(refid, { input: { caller: { ...caller, unspentNonce: older } } })
}

const EVERY_NO: readonly (readonly [what: string, code: number, asking: Asking])[] = [
  ['a body with a problem', 44, { request: { problems: { account: ['is not right'] } } }],
  ['a suspended reseller', 41, { status: 'suspended' }],
  ['an unknown product', 44, { request: { product: 'NOTHING' } }],
  ['a product that an operator has stopped', 44, { settings: { isStopped: () => true } }],
  ['an amount that is not sold', 58, { request: { amount: 1n } }],
  ['a balance that is too low', 43, { request: { amount: 5_000_000n } }],
  ['a test account of staging', 56, { request: { account: '60123450056' } }],
  ['a product that nobody fulfils', 44, { settings: choosing({ kind: 'none' }) }],
  ['a product that nobody fulfils just now', 49, { settings: choosing({ kind: 'closed', passedOver: [] }) }],
  [
    'an empty shelf',
    45,
    {
      settings: choosing({ kind: 'chosen', provider: SHELF, note: null }, { kind: 'closed', passedOver: [] }),
    },
  ],
  ['options that nobody can name', 49, { request: { product: 'PINJAM' } }],
  ['a payment that the database refuses', 49, { request: { remarks: 'unstorable' } }],
]

describe.each(EVERY_NO)('a rejection for %s (%i)', (_, code, asking) => {
  it('holds against a request that was signed before it, and not against the next', async () => {
    const refid = newRefid()
    expect(await pay(refid, asking)).toMatchObject({ kind: 'rejected', rejection: { code } })
    expect(await payOlder(refid)).toMatchObject({
      kind: 'rejected',
      rejection: { code: 49, remarks: 'Temporary_Error_Please_Try_Again' },
    })
    expect(await bench.refidsOf(resellerId)).toEqual([])
    expect(await pay(refid)).toMatchObject({ kind: 'payment' })
    await untilFinal()
  })
})

describe('a payment that exists', () => {
  it.each(EVERY_NO)('is answered as it is, whatever is asked: %s', async (_, __, asking) => {
    const refid = newRefid()
    expect(await pay(refid)).toMatchObject({ kind: 'payment' })
    await untilFinal()
    const again = await pay(refid, asking)
    expect(['payment', 'conflict']).toContain(again.kind)
    expect(again).toMatchObject({ payment: { refid, code: 20 } })
  })
})

it('a shelf that is empty rejects nothing while another provider sells the product', async () => {
  const refid = newRefid()
  const settings = choosing(
    { kind: 'chosen', provider: SHELF, note: null },
    { kind: 'chosen', provider: PROVIDER, note: null },
  )
  expect(await pay(refid, { settings })).toMatchObject({ kind: 'payment' })
  await untilFinal()
})

it('a client that has hung up gets no payment', async () => {
  await expect(pay(newRefid(), { input: { isAwaited: () => false } })).rejects.toMatchObject({ status: 503 })
  expect(await bench.refidsOf(resellerId)).toEqual([])
})

it('a command that reaches the database after its time is 503, never 400, and has the clocks compared again', async () => {
  let refreshed = 0
  const stepped: DatabaseClock = {
    ...clock,
    // The database's clock was set forward after the clocks were compared.
    earliestMs: (atMs) => clock.earliestMs(atMs) - 600_000,
    refresh: () => {
      refreshed += 1
    },
  }
  const deadlineMs = performance.now() + 60_000
  for (const request of [{}, { problems: { account: ['is not right'] } }]) {
    const asked = pay(newRefid(), { settings: { clock: stepped }, request, input: { deadlineMs } })
    await expect(asked).rejects.toMatchObject({ status: 503, code: 'too_late' })
  }
  expect(refreshed).toBe(2)
  expect(await bench.refidsOf(resellerId)).toEqual([])
})

it('the lease of a payment is counted from before its statement was sent', async () => {
  const sentMs: number[] = []
  const ends: number[] = []
  const database = withStatementHooks(node.database, { before: () => sentMs.push(leaseNowMs()) })
  const intake = createIntake({ database, vault: bench.vault, failpoint: noFailpoint, leaseMs: LEASE_MS })
  const real = dispatcherAmong(node, providersOf(PROVIDER))
  const dispatcher = {
    ...real,
    send(dispatch: Parameters<typeof real.send>[0]) {
      ends.push(dispatch.leaseEndsMs)
      return real.send(dispatch)
    },
  }
  expect(await pay(newRefid(), { settings: { intake, dispatcher } })).toMatchObject({ kind: 'payment' })
  expect(ends).toHaveLength(1)
  expect(ends[0]).toBeLessThanOrEqual((sentMs[0] as number) + LEASE_MS)
  await untilFinal()
})

it('a payment whose commit took most of its lease is given back unsent: any node sends it, and it does not fail', async () => {
  const leaseMs = 2_000
  const slow: Database = {
    ...node.database,
    async query(statement, values) {
      const rows = await node.database.query<never>(statement, values)
      const answeredMs = performance.now() + leaseMs / 4
      await until('the answer arrives', () => performance.now() > answeredMs)
      return rows
    },
  }
  const intake = createIntake({ database: slow, vault: bench.vault, failpoint: noFailpoint, leaseMs })
  // The commit takes a quarter of the lease: the rest is shorter than the provider may need.
  const provider = createScriptedProvider(SUCCEEDED, UNKNOWN, { submitTimeoutMs: leaseMs * 0.9 })
  const dispatcher = dispatcherAmong(node, providersOf(provider))
  const result = await pay(newRefid(), { settings: { intake, dispatcher, leaseMs } })
  assert(result.kind === 'payment', 'it is taken')
  await until('it is given back', async () => (await bench.workOf(result.payment))?.is_leased === false)
  expect(provider.submitted).toEqual([])
  const recovery = recoveryAt(bench, providersOf(PROVIDER))
  await recovery.runOnce()
  await recovery.stop()
  expect(await bench.codeOf(result.payment)).toBe(20)
})

describe('a server that only reads', () => {
  /** Intake on one connection, which is made read only, as by a leader that is demoted under it. */
  async function intakeOn(isEveryConnection: boolean) {
    const options = isEveryConnection ? { options: '-c default_transaction_read_only=on' } : {}
    const database = openDatabase({
      ...bench.database.options,
      connection: { ...bench.connection, ...options },
      connectionsMax: 1,
    })
    if (!isEveryConnection) {
      await database.query(`select set_config('default_transaction_read_only', 'on', false)`)
    }
    const intake = createIntake({ database, vault: bench.vault, failpoint: noFailpoint, leaseMs: LEASE_MS })
    return { intake, close: () => database.close() }
  }

  it('is answered with 503, and the refid is free', async () => {
    const { intake, close } = await intakeOn(true)
    const refid = newRefid()
    await expect(pay(refid, { settings: { intake } })).rejects.toMatchObject({
      status: 503,
      code: 'database_unavailable',
    })
    expect(await bench.refidsOf(resellerId)).toEqual([])
    await close()
    expect(await pay(refid)).toMatchObject({ kind: 'payment' })
    await untilFinal()
  })

  it('is not noticed where another connection leads to one that writes', async () => {
    const { intake, close } = await intakeOn(false)
    expect(await pay(newRefid(), { settings: { intake } })).toMatchObject({ kind: 'payment' })
    await untilFinal()
    await close()
  })
})

it('a request that was read after a rejection, and may have arrived before it, creates nothing', async () => {
  const refid = newRefid()
  const receivedMs = performance.now()
  const rejected = await pay(refid, { request: { problems: { account: ['is not right'] } } })
  expect(rejected).toMatchObject({ kind: 'rejected', rejection: { code: 44 } })
  const waited = await pay(refid, { input: { receivedMs } })
  expect(waited).toMatchObject({ kind: 'rejected', rejection: { code: 49 } })
  expect(await bench.refidsOf(resellerId)).toEqual([])
  expect(await pay(refid, { input: { receivedMs: performance.now() } })).toMatchObject({ kind: 'payment' })
  await untilFinal()
})

async function untilFinal(): Promise<void> {
  await until('its end is written down', async () => {
    const { rows } = await bench.database.query(
      'select from payments where reseller_id = $1 and code in (0, 1)',
      [resellerId],
    )
    return rows.length === 0
  })
}
