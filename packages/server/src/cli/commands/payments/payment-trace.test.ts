import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { noFailpoint } from '../../../lib/failpoints.ts'
import { findReseller } from '../../../modules/accounts/public.sql.ts'
import { sequenceFacts } from '../../../modules/events/outbox/sequencer.sql.ts'
import type { Payment } from '../../../modules/payments/core/types.ts'
import type { Resolver } from '../../../modules/payments/outcomes/resolve.service.ts'
import { createResolver } from '../../../modules/payments/outcomes/resolve.service.ts'
import type { Intake } from '../../../modules/payments/take/intake.service.ts'
import { createIntake } from '../../../modules/payments/take/intake.service.ts'
import { openRequestJournal } from '../../../modules/portal/developers/request-log.service.ts'
import type { CommandLine } from '../../../testing/command-line.ts'
import { openCommandLine } from '../../../testing/command-line.ts'
import { insertEndpoint } from '../../../testing/events/deliveries.ts'
import type { CommandChange } from '../../../testing/payments/payments.ts'
import { commandFor, LATER, newNonce, newRefid } from '../../../testing/payments/payments.ts'

const PIN = '1234567890123456'
const IC_NUMBER = '900101145678'
const SENDER = '203.0.113.7'

type Step = { at: string; kind: string; text: string } & Record<string, string>
type Trace = { reseller: string; transaction_id: string; refid: string; status: string; steps: Step[] }

let line: CommandLine
let intake: Intake
let resolver: Resolver
let account: string
let resellerId: bigint

beforeAll(async () => {
  line = await openCommandLine()
  const { database, vault } = line.test
  const settings = { database, vault, failpoint: noFailpoint, leaseMs: 60_000 }
  intake = createIntake(settings)
  resolver = createResolver(settings)
  ;({ account, resellerId } = await makeReseller())
  await insertEndpoint(database, resellerId, { stream: 'callback' })
})
afterAll(() => line.close())

async function ask<T>(...args: string[]): Promise<T> {
  const { code, out, err } = await line.run(...args, '--json')
  expect({ code, err, out: code === 0 ? '' : out }).toMatchObject({ code: 0, out: '' })
  return JSON.parse(out)
}

async function makeReseller() {
  const made = await ask<{ account: string }>(
    ...['reseller', 'create', '--name', 'Kedai', '--email', 'k@example.com'],
  )
  await ask('deposit', '--reseller', made.account, '--amount', '1000', '--remarks', 'bank')
  const reseller = await findReseller(line.test.database, made.account)
  if (reseller === undefined) throw new Error('the reseller was not made')
  return { account: made.account, resellerId: reseller.id }
}

async function take(change: CommandChange = {}, whose = resellerId): Promise<Payment> {
  const result = await intake.submit(commandFor(whose, change), LATER)
  if (result.verdict !== 'created') throw new Error(`not taken: ${result.verdict}`)
  return result.payment
}

function end({ id }: Payment, outcome: Parameters<Resolver['submit']>[0]['outcome']) {
  return resolver.submit({ resellerId, id, attempt: 1, outcome, nextMs: 60_000 })
}

/** Numbers all facts, as the service does. */
async function sequence(): Promise<void> {
  while (((await sequenceFacts(line.test.database, 1_000))?.facts ?? 0) > 0);
}

/** Writes a line of the request log that ended at this time. */
async function logRequest(requestId: string, atMs: number, change: Record<string, string | number> = {}) {
  const { database, vault } = line.test
  const journal = openRequestJournal({
    database,
    vault,
    nowMs: () => atMs,
    onProblem: (error) => {
      throw error
    },
  })
  const request = {
    request_id: requestId,
    method: 'POST',
    route: '/v2/topup',
    status: 200,
    duration_ms: 12.5,
    address: SENDER,
    reseller: account,
    ...change,
  }
  journal.take(request, undefined)
  await journal.close()
}

const kindsOf = ({ steps }: Trace) => steps.map(({ kind }) => kind)
const textsOf = ({ steps }: Trace, kind: string) =>
  steps.filter((each) => each.kind === kind).map(({ text }) => text)

it('a payment is followed from its request to its delivery, in the order of time', async () => {
  const payment = await take({ extras: { icNumber: IC_NUMBER }, routeNote: 'acme is closed' })
  const requestId = randomUUID()
  await logRequest(requestId, payment.createdAt.getTime() + 5)
  await end(payment, { kind: 'pending' })
  await end(payment, {
    kind: 'succeeded',
    output: { serialNumber: 'SN1', pin: PIN, expiry: '', voucherLink: '', note: '' },
  })
  await sequence()
  const trace = await ask<Trace>('payment', 'trace', payment.refid)
  expect(trace).toMatchObject({
    reseller: account,
    transaction_id: String(payment.id),
    refid: payment.refid,
    status: 'Succesful',
  })
  const times = trace.steps.map(({ at }) => at)
  expect(times).toEqual(times.toSorted())
  expect(new Set(kindsOf(trace))).toEqual(
    new Set(['request', 'judged', 'entry', 'state', 'sent', 'note', 'event', 'delivery']),
  )
  expect(trace.steps.find(({ kind }) => kind === 'request')).toMatchObject({ request_id: requestId })
  expect(textsOf(trace, 'entry')).toEqual(['payment of -1.00, balance 999.00'])
  expect(textsOf(trace, 'state')).toEqual(['accepted (0)', 'processing (1)', 'succeeded (20)'])
  expect(textsOf(trace, 'note')).toEqual([expect.stringContaining('acme is closed')])
  expect(textsOf(trace, 'event')).toEqual([
    'payment.accepted',
    'balance.deducted',
    'payment.processing',
    'payment.succeeded',
  ])
  expect(textsOf(trace, 'delivery')).toContain('callback queued')
  const shown = JSON.stringify(trace)
  for (const secret of [PIN, IC_NUMBER]) expect(shown).not.toContain(secret)
})

it('a failed payment shows its refund, and who is asked next while it is open', async () => {
  const payment = await take()
  await end(payment, { kind: 'unknown', reason: 'no answer' })
  const open = await ask<Trace>('payment', 'trace', '--id', String(payment.id))
  expect(textsOf(open, 'question')).toEqual([expect.stringContaining('1 undecided answers so far')])
  await end(payment, { kind: 'failed', code: 48, reason: 'Invalid_Account' })
  const closed = await ask<Trace>('payment', 'trace', '--id', String(payment.id))
  expect(textsOf(closed, 'entry')).toEqual([
    expect.stringMatching(/^payment of -1\.00/),
    expect.stringMatching(/^refund of 1\.00/),
  ])
  expect(kindsOf(closed)).not.toContain('question')
})

it('while a payment is open its request is known exactly, also when the request log has no line of it', async () => {
  const nonce = newNonce()
  const payment = await take({ nonce })
  const trace = () => ask<Trace>('payment', 'trace', payment.refid, '--reseller', account)
  const requests = async () =>
    (await trace()).steps.filter(({ kind }) => kind === 'request').map((each) => each.request_id)
  expect(await requests()).toEqual([nonce.requestId])
  await logRequest(randomUUID(), payment.createdAt.getTime() + 5)
  await logRequest(nonce.requestId, payment.createdAt.getTime() + 5)
  expect(await requests()).toEqual([nonce.requestId])
})

it('a request from another address, of another time or to another route is not taken for the one that paid', async () => {
  // Requests of the other tests are near in time.
  const { account: reseller, resellerId: own } = await makeReseller()
  const payment = await take({}, own)
  const takenMs = payment.createdAt.getTime()
  await logRequest(randomUUID(), takenMs + 5, { reseller, address: '198.51.100.1' })
  await logRequest(randomUUID(), takenMs + 20_000, { reseller })
  await logRequest(randomUUID(), takenMs + 5, { reseller, route: '/v2/balance' })
  expect(kindsOf(await ask<Trace>('payment', 'trace', payment.refid))).not.toContain('request')
})

it('a refid that two resellers use must be chosen by its reseller', async () => {
  const other = await makeReseller()
  const refid = newRefid()
  const [mine, theirs] = [await take({ refid }), await take({ refid }, other.resellerId)]
  const { code, err } = await line.run('payment', 'trace', refid)
  expect(code).toBe(2)
  expect(err).toContain(`--reseller ${account} --id ${mine.id}`)
  expect(err).toContain(`--reseller ${other.account} --id ${theirs.id}`)
  const chosen = await ask<Trace>('payment', 'trace', refid, '--reseller', other.account)
  expect(chosen.transaction_id).toBe(String(theirs.id))
})

it('a refid that was rejected says so, and a name that is none is not found', async () => {
  const refid = newRefid()
  await intake.submit(commandFor(resellerId, { refid, isJudgedNo: true }), LATER)
  const rejected = await line.run('payment', 'trace', refid, '--reseller', account)
  expect([rejected.code, rejected.err]).toEqual([1, expect.stringContaining('was rejected at')])
  const unknown = await line.run('payment', 'trace', newRefid())
  expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining('There is no such payment.')])
})

it('the reference that a supplier quotes leads to the payment, as its id does', async () => {
  const payment = await take()
  for (const name of [String(payment.id), `W${payment.id}-1`]) {
    expect((await ask<Trace>('payment', 'trace', name)).refid).toBe(payment.refid)
  }
})

it('without a name, or with two, the command says how it is called', async () => {
  for (const args of [[], ['A', 'B'], ['A', '--id', '5'], ['--id', 'x']]) {
    expect((await line.run('payment', 'trace', ...args)).code).toBe(2)
  }
  const help = await line.run('payment', 'trace', '--help')
  expect(help.out).toContain('Usage: warungd payment trace [REFID|ID] [--reseller ACCOUNT]')
})
