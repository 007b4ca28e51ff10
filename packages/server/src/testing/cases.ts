import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { Environment } from '../config.ts'
import type { Database } from '../db/database.ts'
import type { LeaseClock } from '../db/lease-clock.ts'
import type { Failpoint } from '../lib/failpoints.ts'
import { noFailpoint } from '../lib/failpoints.ts'
import type { Caller } from '../modules/auth/types.ts'
import type { Cases } from '../modules/cases/service.ts'
import { createCases } from '../modules/cases/service.ts'
import type { CaseKind, SupportCommand, SupportResult } from '../modules/cases/types.ts'
import type { Voiding } from '../modules/cases/voids.jobs.ts'
import { startVoiding } from '../modules/cases/voids.jobs.ts'
import type { Payment } from '../modules/payments/core/types.ts'
import type { Outcomes } from '../modules/payments/outcomes/outcomes.types.ts'
import type { Order, VoidAnswer } from '../modules/providers/port/types.ts'
import type { Providers } from '../modules/providers/registry.service.ts'
import { sampleReseller } from './accounts.ts'
import { moneyProduct, sampleBase } from './catalog/catalog-samples.ts'
import { newOutcomes } from './payments/outcomes.ts'
import type { CommandChange, Node, PaymentsBench } from './payments/payments.ts'
import { LEASE_MS, openPaymentsBench, payWith } from './payments/payments.ts'
import type { ScriptedProvider } from './providers/scripted-provider.ts'
import { createScriptedProvider, SUCCEEDED, UNKNOWN } from './providers/scripted-provider.ts'
import { STEADY_CLOCK } from './steady-clock.ts'

/** Product whose payments can be voided. */
export const BILL = 'VOLT'
/** Product whose payments cannot be voided. */
export const RELOAD = 'NOVA'
/** Product that was withdrawn and is hidden. Its earlier payments can still be voided. */
export const WITHDRAWN = 'OLDBILL'

export const REGISTERED = 'bayar@example.com'

export const APPROVED: VoidAnswer = { kind: 'approved' }
export const REFUSED: VoidAnswer = { kind: 'refused', reason: 'too late' }
export const UNDECIDED: VoidAnswer = { kind: 'pending' }
export const FAULTS_BEFORE_RECEIPT: VoidAnswer = { kind: 'unknown', reason: 'the line is dead' }

/** Provider that answers voids as the test says, and records the requests. */
export type VoidingProvider = ScriptedProvider & {
  readonly voidsAsked: Order[]
  answer: (order: Order) => VoidAnswer | Promise<VoidAnswer>
}

export function createVoidingProvider(answer: VoidAnswer, code = 'scripted'): VoidingProvider {
  const voidsAsked: Order[] = []
  const provider: VoidingProvider = {
    ...createScriptedProvider(SUCCEEDED, UNKNOWN, {
      code,
      voids: {
        async requestVoid(order) {
          voidsAsked.push(order)
          return provider.answer(order)
        },
      },
    }),
    voidsAsked,
    answer: () => answer,
  }
  return provider
}

const BASE = sampleBase({
  products: [
    moneyProduct({ code: BILL, isRefundable: true }),
    moneyProduct({ code: RELOAD, isRefundable: false }),
    moneyProduct({ code: WITHDRAWN, isRefundable: true, isActive: false, isHidden: true }),
  ],
})

export type CasesBench = PaymentsBench & {
  readonly node: Node
  /** Makes a succeeded payment, of a bill by default. */
  succeed(resellerId: bigint, change?: CommandChange): Promise<Payment>
  casesAt(environment: Environment, database?: Database): Cases
  /** Makes the voiding of another node. It runs only when it is called. */
  voidingAt(
    providers: Providers,
    settings?: {
      leaseMs?: number
      leaseClock?: LeaseClock
      failpoint?: Failpoint
      database?: Database
      outcomes?: Outcomes
    },
  ): OpenVoiding
  caseOf(number: string): Promise<CaseRow>
  messagesOf(number: string): Promise<{ author: string; text: string }[]>
  factsOf(resellerId: bigint): Promise<{ type: string; data: Record<string, unknown> }[]>
  noticesOf(resellerId: bigint): Promise<{ kind: string; data: Record<string, unknown> }[]>
  alertsAbout(subject: string): Promise<{ kind: string; severity: string }[]>
  /** Makes the case older: moves its due time, its queries and its leases into the past. */
  ageCase(number: string, seconds: number): Promise<void>
}

export type OpenVoiding = Voiding & { readonly problems: string[] }

export type CaseRow = {
  id: bigint
  state: string
  closed_at: Date | null
  cc: string[]
  is_asked: boolean
  questions: number | null
}

export async function openCasesBench(): Promise<CasesBench> {
  const bench = await openPaymentsBench()
  const { database, vault } = bench
  const node = bench.openNode()
  const rows = async <R extends object>(text: string, values: readonly unknown[]) =>
    (await database.query<R>(text, values)).rows
  const opened: OpenVoiding[] = []
  return {
    ...bench,
    node,
    async succeed(resellerId, change = {}) {
      const payment = await payWith(node, resellerId, { product: BILL, ...change })
      const { id } = payment
      await node.resolver.submit({ resellerId, id, outcome: SUCCEEDED, attempt: 1, nextMs: 0 })
      return payment
    },
    casesAt: (environment, own = database) =>
      createCases({
        database: own,
        vault,
        catalog: { base: () => BASE },
        environment,
        onCommitted: () => {},
      }),
    voidingAt(
      providers,
      {
        leaseMs = LEASE_MS,
        leaseClock = STEADY_CLOCK,
        failpoint = noFailpoint,
        database: own = bench.openAnother(),
        outcomes,
      } = {},
    ) {
      const problems: string[] = []
      const onProblem = (text: string, error: unknown) => problems.push(`${text}: ${String(error)}`)
      const voiding = startVoiding({
        database: own,
        vault,
        providers,
        outcomes: outcomes ?? newOutcomes(bench, { onProblem }),
        leaseMs,
        leaseClock,
        failpoint,
        onCommitted: () => {},
        onProblem,
        everyMs: 86_400_000,
      })
      const made = Object.assign(voiding, { problems })
      opened.push(made)
      return made
    },
    async caseOf(number) {
      const [row] = await rows<CaseRow>(
        `select c.id, c.state, c.closed_at, c.cc, w.case_id is not null as is_asked, w.questions
           from cases c left join case_work w on w.reseller_id = c.reseller_id and w.case_id = c.id
          where c.number = $1`,
        [number],
      )
      if (row === undefined) throw new Error(`no case ${number}`)
      return row
    },
    messagesOf: (number) =>
      rows(
        `select m.author, m.text from case_messages m
           join cases c on c.reseller_id = m.reseller_id and c.id = m.case_id
          where c.number = $1 order by m.id`,
        [number],
      ),
    factsOf: (resellerId) =>
      rows(
        `select type, data from event_facts where source = 'own' and reseller_ids = array[$1::bigint] order by id`,
        [resellerId],
      ),
    noticesOf: (resellerId) =>
      rows('select kind, data from mail_notices where reseller_id = $1 order by id', [resellerId]),
    alertsAbout: (subject) =>
      rows(
        'select kind, severity from operator_alerts where subject = $1 and cleared_at is null order by id',
        [subject],
      ),
    async ageCase(number, seconds) {
      await database.query(
        `with aged as (
           update cases set due_at = due_at - make_interval(secs => $2),
                  watch_at = watch_at - make_interval(secs => $2)
            where number = $1 returning reseller_id, id
         )
         update case_work w set next_at = w.next_at - make_interval(secs => $2)
           from aged where w.reseller_id = aged.reseller_id and w.case_id = aged.id`,
        [number, seconds],
      )
    },
    async close() {
      await Promise.all(opened.map((each) => each.stop()))
      await bench.close()
    },
  }
}

export function callerOf(resellerId: bigint): Caller {
  return {
    reseller: sampleReseller({ id: resellerId, name: 'Kedai Bayar' }),
    kind: 'key',
    memberId: '1',
    scopes: new Set(['support']),
  }
}

export function requestFor(
  kind: CaseKind,
  payment: Pick<Payment, 'id'>,
  change: Partial<SupportCommand> = {},
): SupportCommand {
  const refund = kind === 'void' ? ({ type: 2, reason: null } as const) : null
  return { payment: { id: payment.id }, emails: [], refund, requestId: randomUUID(), ...change }
}

/** Opens a void, and returns the number of its case. */
export async function openVoid(cases: Cases, payment: Payment): Promise<string> {
  return numberOf(await cases.open('void', callerOf(payment.resellerId), requestFor('void', payment)))
}

export function numberOf(result: SupportResult): string {
  if (result.kind !== 'opened') throw new Error(`not opened: ${result.kind}`)
  return result.number
}

// ── Balances of an account of 100,000 with one payment of 10,000 ──

export async function expectUntouched(bench: CasesBench, payment: Payment): Promise<void> {
  expect(await bench.codeOf(payment)).toBe(20)
  expect(await bench.balanceOf(payment.resellerId)).toBe(90_000n)
}

export async function expectVoided(bench: CasesBench, payment: Payment): Promise<void> {
  expect(await bench.codeOf(payment)).toBe(53)
  expect(await bench.balanceOf(payment.resellerId)).toBe(100_000n)
  const refunds = (await bench.entriesOf(payment.resellerId)).filter(({ kind }) => kind === 'refund')
  expect(refunds).toMatchObject([{ amount: 10_000n, payment_id: payment.id }])
}
