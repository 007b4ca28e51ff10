import { noFailpoint } from '../../lib/failpoints.ts'
import { audited, createAuditLog } from '../../modules/audit/service.ts'
import { listDue, recordResults } from '../../modules/events/deliveries/deliveries.sql.ts'
import type { LaneKey } from '../../modules/events/deliveries/deliveries.types.ts'
import { sequenceFacts } from '../../modules/events/outbox/sequencer.sql.ts'
import type { Payment } from '../../modules/payments/core/types.ts'
import { createAttempts } from '../../modules/payments/fulfil/attempts.service.ts'
import type { ResolveCommand } from '../../modules/payments/outcomes/resolve.service.ts'
import { createResolver } from '../../modules/payments/outcomes/resolve.service.ts'
import { createIntake } from '../../modules/payments/take/intake.service.ts'
import { chainEntries } from '../../modules/wallet/ledger/chain.jobs.ts'
import { addEndpoint, sequenceAll } from '../events/feed.ts'
import type { Node, PaymentsBench } from '../payments/payments.ts'
import { commandFor, LATER, LEASE_MS, payWith } from '../payments/payments.ts'
import type { Recorder } from './recorder.ts'
import { recordStatements } from './recorder.ts'
import type { RecordedAct } from './snapshot.ts'

// Data of a release, made by the code of that release: payments in every state, their events and deliveries, the
// ledger's chain and the audit log. The statements of each act are recorded on the way.

const SUCCEEDED: ResolveCommand['outcome'] = {
  kind: 'succeeded',
  output: { serialNumber: 'SN1', pin: '1234', expiry: '', voucherLink: '', note: '' },
}
/** Success without a secret: what is sealed to one payment cannot be replayed for another. */
const PLAIN_SUCCESS: ResolveCommand['outcome'] = {
  kind: 'succeeded',
  output: { serialNumber: 'SN2', pin: '', expiry: '', voucherLink: '', note: '' },
}
const FAILED: ResolveCommand['outcome'] = { kind: 'failed', code: 48, reason: 'Rejected' }
const PENDING: ResolveCommand['outcome'] = { kind: 'pending' }
const VOIDED: ResolveCommand['outcome'] = { kind: 'voided' }

/** Lives of payments: each a list of answers, with the attempt that they are about. */
const LIVES: readonly (readonly (readonly [ResolveCommand['outcome'], number?] | 'begin')[])[] = [
  [],
  [[PENDING, 1]],
  [[SUCCEEDED, 1]],
  [[FAILED, 1]],
  [[SUCCEEDED, 1], [VOIDED]],
  ['begin', [SUCCEEDED, 2]],
  ['begin', [SUCCEEDED, 1]],
  [
    [FAILED, 1],
    [SUCCEEDED, 1],
  ],
]

export async function makeData(bench: PaymentsBench): Promise<Readonly<Record<string, RecordedAct>>> {
  const { vault } = bench
  const recorder = recordStatements(bench.database)
  const { database } = recorder
  const node: Node = {
    database,
    intake: createIntake({ database, vault, failpoint: noFailpoint, leaseMs: LEASE_MS }),
    resolver: createResolver({ database, vault, failpoint: noFailpoint }),
  }
  const attempts = createAttempts({ database, leaseMs: LEASE_MS, failpoint: noFailpoint })
  const resellers = [await bench.newReseller(1_000_000_000n), await bench.newReseller(1_000_000_000n)]
  for (const reseller of resellers) {
    await addEndpoint(bench.database, reseller, 'callback')
    for (const life of LIVES) await live(node, attempts, reseller, life)
  }
  await recordActs(recorder, node, attempts, resellers[0] as bigint)
  await sequenceAll(bench.database)
  await chainEntries({ database: bench.database, vault })
  await logSomething(bench)
  return recorder.acts
}

type Attempts = ReturnType<typeof createAttempts>

async function live(
  node: Node,
  attempts: Attempts,
  reseller: bigint,
  life: (typeof LIVES)[number],
): Promise<void> {
  const payment = await payWith(node, reseller)
  for (const step of life) {
    if (step === 'begin') await beginNext(attempts, payment)
    else await say(node, payment, step[0], step[1])
  }
}

async function say(
  { resolver }: Node,
  { resellerId, id }: Payment,
  outcome: ResolveCommand['outcome'],
  attempt?: number,
): Promise<void> {
  const command = { resellerId, id, outcome, nextMs: 60_000 }
  await resolver.submit(attempt === undefined ? command : { ...command, attempt })
}

async function beginNext(attempts: Attempts, { resellerId, id: paymentId }: Payment): Promise<void> {
  const next = { provider: 'other', reason: 'the first did nothing', isBegun: true }
  await attempts.begin({ resellerId, paymentId, attempt: 1, lease: 1, ...next })
}

/** Records one act of each kind. A mark is a value that is another one in each replay. */
async function recordActs(
  recorder: Recorder,
  node: Node,
  attempts: Attempts,
  reseller: bigint,
): Promise<void> {
  const command = commandFor(reseller, { refid: 'MARK-OF-A-REFID' })
  let payment: Payment | undefined
  await recorder.record('take', async () => {
    const taken = await node.intake.submit(command, LATER)
    if (taken.verdict === 'created') payment = taken.payment
    return { refid: command.request.refid }
  })
  const taken = payment
  if (taken === undefined) throw new Error('the payment was not taken')
  const id = String(taken.id)
  await recorder.record('retry', async () => {
    await node.intake.submit(command, LATER)
    return { refid: command.request.refid, id }
  })
  await recorder.record('begin', async () => {
    await beginNext(attempts, taken)
    return { id }
  })
  for (const [name, outcome, attempt] of [
    ['ask', PENDING, 2],
    ['fail', FAILED, 2],
    ['succeed', PLAIN_SUCCESS, 2],
  ] as const) {
    await recorder.record(name, async () => {
      await say(node, taken, outcome, attempt)
      return { id }
    })
  }
  await recorder.record('sequence', async () => {
    await sequenceFacts(node.database, 1_000)
    return {}
  })
  await recordDelivery(recorder, reseller)
}

async function recordDelivery(recorder: Recorder, resellerId: bigint): Promise<void> {
  const { database } = recorder
  const lane: LaneKey = { resellerId, stream: 'callback' }
  let due: Awaited<ReturnType<typeof listDue>> = []
  await recorder.record('due', async () => {
    due = await listDue(database, [lane], [10])
    return {}
  })
  const [delivery] = due
  if (delivery === undefined) throw new Error('no delivery is due')
  await recorder.record('deliver', async () => {
    const attempt = {
      at: new Date(),
      ms: 5,
      status: 200,
      sealedResponse: null,
      url: 'https://receiver.example/',
      method: 'POST' as const,
    }
    const terms = { attemptsMax: 10, retryMs: 1_000, isTest: false, error: '' }
    await recordResults(database, [{ delivery, outcome: 'success', attempt, ...terms }])
    return { delivery: delivery.id, workAt: delivery.workAt }
  })
}

async function logSomething({ database, vault }: PaymentsBench): Promise<void> {
  const log = createAuditLog({ database, vault })
  const caller = { kind: 'command', name: 'release' } as const
  for (const id of ['1', '2', '3']) {
    await audited(log, { caller, action: 'release.make', reason: 'data of a release' }, async () => ({
      target: { kind: 'release', id },
      before: null,
      after: { id },
      result: undefined,
    }))
  }
}
