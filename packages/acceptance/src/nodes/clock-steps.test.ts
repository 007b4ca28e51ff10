import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Demo } from '../catalog.ts'
import { startDemo } from '../catalog.ts'
import { createPayer, reload } from '../payments.ts'
import type { Receiver } from '../receiver/receiver.ts'
import { REACHES_RECEIVER, startReceiver } from '../receiver/receiver.ts'
import type { Service } from '../service.ts'
import { startService, until } from '../service.ts'
import { makeClockMovable } from './movable-clock.ts'

// The database's clock is set forward, and everything that another node holds seems to be over. What nobody holds is
// worked on as before: it shows that a node has claimed since, and that it left alone what another one may be sending.

const ALERTS = '/alerts'
/** Staging's account whose payment is never decided: it is asked about again and again. */
const NEVER_DECIDED = '60123453003'
/** Number of the other node's leases. */
const HELD_LEASE = 7

let receiver: Receiver
let demo: Demo
let database: pg.Client
/** Two payments that are not decided: another node works on the first, and nobody on the second. */
let held: string
let free: string

beforeAll(async () => {
  receiver = await startReceiver()
  demo = await startDemo({
    ...REACHES_RECEIVER,
    WARUNG_ALERT_WEBHOOK: `${receiver.urls.plain}${ALERTS}`,
    WARUNG_ALERT_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
    WARUNG_LEASE_SECONDS: '600',
    WARUNG_SIMULATOR_TIMEOUT_SECONDS: '1',
  })
  database = new pg.Client({ connectionString: String(demo.service.environment.DATABASE_URL) })
  await database.connect()
  held = await payUndecided()
  free = await payUndecided()
  await demo.service.stop()
  await beHeldByAnother(held)
  await makeClockMovable((statement) => database.query(statement))
})

afterAll(async () => {
  await database?.end()
  await demo?.end()
})

/** Starts a node without waiting for its API: while the clock is wrong, no signature is in time. */
function startNode(): Promise<Service> {
  const own = Object.entries(demo.service.environment).filter(
    ([name]) => /^(WARUNG_|DATABASE_URL$)/.test(name) && name !== 'WARUNG_DATA_DIR',
  )
  return startService({ environment: Object.fromEntries(own) as Record<string, string> })
}

async function payUndecided(): Promise<string> {
  const payer = await createPayer(demo.service, '20.00')
  const body = reload({ account: NEVER_DECIDED })
  return (await payer.untilStatus(body, 'Processing')).transaction_id
}

/** Makes the work on a payment, an open attempt at it and an alert those of a node that is about to send them. */
async function beHeldByAnother(paymentId: string): Promise<void> {
  await openAttempt(paymentId)
  await database.query(
    `update payment_work set is_leased = true, lease = ${HELD_LEASE}, next_at = pg_catalog.now() + interval '10 minutes'
      where payment_id = $1`,
    [paymentId],
  )
  await database.query(
    `update payment_open_attempts
        set is_leased = true, lease = ${HELD_LEASE}, next_at = pg_catalog.now() + interval '10 minutes'
      where payment_id = $1`,
    [paymentId],
  )
  await database.query(`select raise_alert('payment_contradiction', 'held', 'held', 'critical')`)
  await database.query(
    `update operator_alerts
        set post_holder = 'another node', post_next_at = pg_catalog.now() + interval '10 minutes'
      where subject = 'held'`,
  )
}

async function openAttempt(paymentId: string): Promise<void> {
  await database.query(
    `insert into payment_open_attempts
       (reseller_id, payment_id, attempt, provider, submitted_at, next_at, is_leased, lease)
     select reseller_id, id, 9, provider, created_at, created_at, false, 1 from payments where id = $1`,
    [paymentId],
  )
}

async function leaseOf(table: string, paymentId: string): Promise<number | undefined> {
  const { rows } = await database.query<{ lease: number }>(
    `select lease from ${table} where payment_id = $1`,
    [paymentId],
  )
  return rows[0]?.lease
}

/** Waits until a node has claimed whatever is free: the payment, an open attempt at it and an alert. */
async function untilFreeWorkIsDone(subject: string): Promise<void> {
  const before = await leaseOf('payment_work', free)
  await database.query('delete from payment_open_attempts where payment_id = $1', [free])
  await openAttempt(free)
  await database.query(`select raise_alert('payment_contradiction', $1, 'free', 'critical')`, [subject])
  await database.query(
    'update payment_work set next_at = created_at from payments where id = $1 and payment_id = id',
    [free],
  )
  await until('the free payment is asked about', async () => (await leaseOf('payment_work', free)) !== before)
  await until(
    'the free attempt is asked about',
    async () => (await leaseOf('payment_open_attempts', free)) !== 1,
  )
  await until('the free alert is sent', async () => (await alertedSubjects()).includes(subject))
}

async function alertedSubjects(): Promise<string[]> {
  const requests = await receiver.requests(ALERTS)
  return requests.map(({ body }) => JSON.parse(body).data.subject)
}

async function expectHeldUntouched(): Promise<void> {
  expect(await leaseOf('payment_work', held)).toBe(HELD_LEASE)
  expect(await leaseOf('payment_open_attempts', held)).toBe(HELD_LEASE)
  expect(await alertedSubjects()).not.toContain('held')
}

it('a node that sees the step takes over nothing that another one holds', async () => {
  const service = await startNode()
  await untilFreeWorkIsDone('before')
  await database.query('update moved_clock set by_seconds = 3600')
  await until('the step is told', async () => (await alertedSubjects()).includes('database'))
  await untilFreeWorkIsDone('after')
  await expectHeldUntouched()
  await service.stop()
})

it('a node that starts after the step, and finds only that its own clock differs, takes over nothing either', async () => {
  const service = await startNode()
  await untilFreeWorkIsDone('started')
  await expectHeldUntouched()
  await service.stop()
})

it('everything is taken over when the leases are over by a clock that is right', async () => {
  await database.query('update moved_clock set by_seconds = 0')
  for (const [table, column] of [
    ['payment_work', 'next_at'],
    ['payment_open_attempts', 'next_at'],
    ['operator_alerts', 'post_next_at'],
  ]) {
    await database.query(`update ${table} set ${column} = pg_catalog.now() - interval '1 second'`)
  }
  await startNode()
  await until('the payment is taken over', async () => (await leaseOf('payment_work', held)) !== HELD_LEASE)
  await until(
    'the attempt is taken over',
    async () => (await leaseOf('payment_open_attempts', held)) !== HELD_LEASE,
  )
  await until('the alert is taken over', async () => (await alertedSubjects()).includes('held'))
})
