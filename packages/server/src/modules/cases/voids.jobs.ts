import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../../db/database.ts'
import type { LeaseClock } from '../../db/lease-clock.ts'
import { claimLeased } from '../../db/leases.ts'
import type { Vault } from '../../db/vault.ts'
import type { Failpoint } from '../../lib/failpoints.ts'
import { repeat } from '../../lib/repeat.ts'
import { withTimeout } from '../../lib/timeouts.ts'
import { raiseAlert } from '../alerts/core/service.ts'
import { getFulfilledOrder } from '../payments/fulfil/voids.service.ts'
import type { Outcomes } from '../payments/outcomes/outcomes.types.ts'
import type { VoidAnswer } from '../providers/port/types.ts'
import type { Providers } from '../providers/registry.service.ts'
import { APPROVED_TEXT, nextQuestionMs, OVERDUE_AGAIN_SECONDS, refusedText } from './rules.ts'
import { approveVoid, changeCase, findAnyCase, watchCases } from './sql.ts'
import type { VoidWork } from './voids.sql.ts'
import { askLater, claimVoids, endAsking, handOverToOperator } from './voids.sql.ts'

export type VoidingSettings = {
  readonly database: Database
  readonly vault: Vault
  readonly providers: Pick<Providers, 'byCode'>
  /** Keeps a provider's decision until it is written. */
  readonly outcomes: Pick<Outcomes, 'register'>
  readonly leaseMs: number
  readonly leaseClock: LeaseClock
  readonly failpoint: Failpoint
  /** Called after a commit that wrote a message or an event. */
  readonly onCommitted: () => void
  readonly onProblem: (text: string, error: unknown) => void
  readonly everyMs?: number
}

export type Voiding = {
  /** Claims due voids now; resolves when they have been handled, with the number of voids that were asked for. */
  runOnce(): Promise<number>
  /** Tells operators of cases past their due time; returns how many. */
  watchOnce(): Promise<number>
  stop(): Promise<void>
}

const EVERY_MS = 1_000
const WATCH_EVERY_MS = 5_000
/** Limit of questions under way at the same time on one node; the others wait in the database. */
const UNDERWAY_MAX = 20
const WATCH_MAX = 100
/** Share of the lease that a question may take: the rest is for writing the answer. */
const LEASE_SHARE = 0.75
/**
 * Longest wait of a stop, in milliseconds. A provider that hangs must not block a stop: it is asked again when the
 * lease has ended.
 */
const STOP_MAX_MS = 3_000

/**
 * Asks providers for the voids of cases, on any node. The need to ask was written with the case, so a question whose
 * answer a process did not receive is asked again. Asking twice about one order has the effect of asking once.
 */
export function startVoiding(settings: VoidingSettings): Voiding {
  const { database, onProblem, everyMs = EVERY_MS } = settings
  const underway = new Set<Promise<void>>()
  const decide = (decision: Decision) => writeDown(settings, decision)
  const keepDecision = settings.outcomes.register({
    kind: 'void',
    nameOf: ({ work, answer }: Decision) => `case ${work.number}, void ${answer.kind}`,
    write: decide,
    rewrite: decide,
  })

  async function claimDue(): Promise<number> {
    const room = UNDERWAY_MAX - underway.size
    if (room <= 0) return 0
    const leased = await claimLeased(settings, room, (terms) => claimVoids(database, terms))
    for (const work of leased.work) {
      const seen: Promise<void> = seeTo(settings, keepDecision, work, leased.leaseEndsMs)
        .catch((error) => onProblem(`the void of case ${work.number} is left for the next turn`, error))
        .finally(() => underway.delete(seen))
      underway.add(seen)
    }
    return leased.work.length
  }

  const watchOnce = () => watchCases(database, WATCH_MAX, OVERDUE_AGAIN_SECONDS)

  const schedules = [
    repeat(everyMs, claimDue, (error) =>
      onProblem('providers could not be asked about voids; tried again soon', error),
    ),
    repeat(Math.max(everyMs, WATCH_EVERY_MS), watchOnce, (error) =>
      onProblem('overdue cases could not be listed; tried again soon', error),
    ),
  ]

  return {
    async runOnce() {
      const claimed = await claimDue()
      await Promise.all(underway)
      return claimed
    },
    watchOnce,
    async stop() {
      await Promise.all(schedules.map((schedule) => schedule.stop()))
      await Promise.race([Promise.all(underway), delay(STOP_MAX_MS, undefined, { ref: false })])
    },
  }
}

/** Final answer of a provider about a void. */
type Decision = {
  readonly work: VoidWork
  readonly provider: string
  readonly answer: Extract<VoidAnswer, { kind: 'approved' | 'refused' }>
}

async function seeTo(
  settings: VoidingSettings,
  keepDecision: (decision: Decision) => Promise<unknown>,
  work: VoidWork,
  leaseEndsMs: number,
): Promise<void> {
  const { database, vault, providers, failpoint } = settings
  const payment = { resellerId: work.resellerId, id: work.paymentId }
  const { provider: code, order } = await getFulfilledOrder(database, vault, payment)
  const provider = providers.byCode(code)
  // A provider that was asked before has the question: its answer is read when it can be asked again.
  if (provider !== undefined && provider.voids === undefined && work.questions === 0) {
    await handOverToOperator(database, work)
    return
  }
  const leftMs = (leaseEndsMs - performance.now()) * LEASE_SHARE
  if (leftMs <= 0) return
  failpoint('void.before')
  const { voids, submitTimeoutMs } = provider ?? {}
  const answer: VoidAnswer =
    voids === undefined
      ? { kind: 'unknown', reason: `provider ${code} cannot be asked just now` }
      : await withTimeout(Math.min(submitTimeoutMs ?? leftMs, leftMs), (signal) =>
          voids.requestVoid(order, signal),
        )
  if (answer.kind === 'approved' || answer.kind === 'refused') {
    await keepDecision({ work, provider: code, answer })
  } else await askLater(database, work, nextQuestionMs(work.questions))
}

/** Writes a decision. Writing it twice has the effect of writing it once. */
async function writeDown(settings: VoidingSettings, { work, provider, answer }: Decision): Promise<void> {
  const { database, failpoint, onCommitted } = settings
  if (answer.kind === 'refused') {
    const step = { state: 'refused', author: 'system', text: refusedText(answer.reason) } as const
    if (await changeCase(database, work, step)) {
      onCommitted()
      return
    }
    await noteLateRefusal(settings, work, provider)
    await endAsking(database, work)
    return
  }
  failpoint('void.approved')
  const evidence = `case ${work.number}: void approved by ${provider}`
  const verdict = await approveVoid(database, work, { author: 'system', text: APPROVED_TEXT, evidence })
  failpoint('void.committed')
  // Another decision closed the case before. The provider's decision is noted, and no answer is left to wait for.
  if (verdict !== 'approved') await endAsking(database, work)
  onCommitted()
}

/** Raises an alert if the case was already approved when the provider refused: one of the two is wrong. */
async function noteLateRefusal(
  { database }: VoidingSettings,
  work: VoidWork,
  provider: string,
): Promise<void> {
  const found = await findAnyCase(database, work.number)
  if (found?.state !== 'resolved') return
  await raiseAlert(database, {
    kind: 'void_contradiction',
    subject: work.number,
    text: `case ${work.number}, payment ${work.paymentId}: ${provider} refused the void, but it was refunded before`,
  })
}
