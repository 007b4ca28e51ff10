import type { Database } from '../../db/database.ts'
import type { Vault } from '../../db/vault.ts'
import type { Providers } from '../providers/registry.service.ts'
import type { Order, Provider, QueryAnswer } from '../providers/types.ts'
import type { Attempts } from './attempts.service.ts'
import type { Dispatcher } from './dispatch.service.ts'
import { within } from './dispatch.service.ts'
import { readFresh } from './records.service.ts'
import type { Resolver } from './resolve.service.ts'
import { nextQuestionMs, referenceOf } from './schedule.rules.ts'
import { openInput } from './secrets.service.ts'
import type { WorkRow } from './work.sql.ts'
import { claimWork } from './work.sql.ts'

export type RecoverySettings = {
  database: Database
  vault: Vault
  providers: Providers
  resolver: Resolver
  dispatcher: Dispatcher
  attempts: Attempts
  leaseMs: number
  everyMs: number
  patienceMs?: number
  onProblem: (text: string, error: unknown) => void
}

export type Recovery = {
  /** Looks now rather than at the next turn; resolves when what was due has been seen to. */
  runOnce(): Promise<number>
  stop(): Promise<void>
}

/** Where the questions to one provider are asked, so many at a time. */
type Desk = { underway: number; readonly waiting: (() => void)[] }

const CLAIM_MAX = 200
const ATTEMPTS_MAX = 3
/** Questions to one provider, under way or in line. More of them come again when their lease has run out. */
const ASKING_MAX = 200
/** Of what a provider takes at a time, questions have this part: the rest is for orders. */
const QUESTIONS_SHARE = 0.25
/** A provider that hangs keeps those of the others waiting no longer than this. */
const PATIENCE_MS = 1_000

/**
 * Sees to every payment that nobody is at: questions that are due, and leases that ran out because a node died or
 * lost its database. What was perhaps sent is asked about, never sent again on a guess.
 */
export function startRecovery(settings: RecoverySettings): Recovery {
  const { patienceMs = PATIENCE_MS } = settings
  const desks = new Map<string, Desk>()
  const seeing = new Set<Promise<void>>()
  let running: Promise<number> | undefined
  let stopped = false

  function begin(work: WorkRow): Promise<void> | undefined {
    const desk = desks.get(work.provider) ?? { underway: 0, waiting: [] }
    desks.set(work.provider, desk)
    if (desk.underway + desk.waiting.length >= ASKING_MAX) return undefined
    const seen = inTurn(desk, work).finally(() => seeing.delete(seen))
    seeing.add(seen)
    return seen
  }

  async function inTurn(desk: Desk, work: WorkRow): Promise<void> {
    const leaseEndsMs = performance.now() + settings.leaseMs
    const places = placesOf(settings.providers.byCode(work.provider))
    if (desk.underway < places) desk.underway += 1
    else await new Promise<void>((resolve) => desk.waiting.push(resolve))
    try {
      if (!stopped && performance.now() < leaseEndsMs) await seeTo(settings, work)
    } finally {
      const next = desk.waiting.shift()
      // Whoever comes next has the place, so that nobody slips in between.
      if (next === undefined) desk.underway -= 1
      else next()
    }
  }

  async function run(): Promise<number> {
    let seen = 0
    while (!stopped) {
      const claimed = await claimWork(settings.database, CLAIM_MAX, settings.leaseMs)
      await atMost(patienceMs, Promise.all(claimed.map(begin)))
      seen += claimed.length
      if (claimed.length < CLAIM_MAX) break
    }
    return seen
  }

  function look(): Promise<number> {
    running ??= run().finally(() => {
      running = undefined
    })
    return running
  }

  async function settled(): Promise<void> {
    while (seeing.size > 0) await Promise.all(seeing)
  }

  const timer = setInterval(() => {
    look().catch((error) => settings.onProblem('payments under way could not be looked at', error))
  }, settings.everyMs)
  timer.unref()

  return {
    async runOnce() {
      const seen = await look()
      await settled()
      return seen
    },
    async stop() {
      stopped = true
      clearInterval(timer)
      await running?.catch(() => {})
      await settled()
    },
  }
}

function placesOf(provider: Provider | undefined): number {
  return Math.max(1, Math.floor((provider?.concurrencyMax ?? ASKING_MAX) * QUESTIONS_SHARE))
}

function atMost(timeoutMs: number, work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, timeoutMs)
    void work.finally(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}

async function seeTo(settings: RecoverySettings, work: WorkRow): Promise<void> {
  const { resolver, onProblem } = settings
  try {
    const provider = settings.providers.byCode(work.provider)
    // What sells from stock was sold when the payment was taken: it is asked for what it sold.
    if (work.is_unsent && provider?.reservesStock === false) {
      await sendAgain(settings, work, 'the one before was never sent')
      return
    }
    // A provider that is no longer configured: the payment waits, and past its due time an operator sees it.
    const answer: QueryAnswer =
      provider === undefined
        ? { kind: 'unknown', reason: `provider ${work.provider} is not configured` }
        : await ask(provider, await orderOf(settings.vault, work))
    if (answer.kind === 'not_found' && provider !== undefined && provesAbsence(settings, provider, work)) {
      await sendAgain(settings, work, 'the provider never heard of the one before')
      return
    }
    await resolver.submit({
      resellerId: work.reseller_id,
      id: work.payment_id,
      attempt: work.attempt,
      outcome: answer.kind === 'not_found' ? { kind: 'pending' } : answer,
      nextMs: nextQuestionMs(work.questions),
    })
  } catch (error) {
    onProblem(`payment ${work.payment_id} is left for the next turn`, error)
  }
}

function ask(provider: Provider, order: Order): Promise<QueryAnswer> {
  return within(provider.queryTimeoutMs, (signal) => provider.query(order, signal))
}

/**
 * A provider that never heard of an order may yet. Whoever had the attempt could send it for as long as the lease
 * would outlast the answer (it may have waited for a place among the orders under way), so the last moment at which
 * it was waiting for an answer is the end of that lease.
 */
function provesAbsence(
  { leaseMs }: RecoverySettings,
  { notFoundProvesAfterMs }: Provider,
  work: WorkRow,
): boolean {
  return notFoundProvesAfterMs !== null && work.submitted_ms_ago > leaseMs + notFoundProvesAfterMs
}

/** It certainly was not done: whoever takes such orders now gets it, or nobody does. */
async function sendAgain(settings: RecoverySettings, work: WorkRow, why: string): Promise<void> {
  const choice = settings.providers.choose({
    productCode: work.product_code,
    faceValue: work.face_value,
    withoutStock: true,
  })
  const command = { resellerId: work.reseller_id, paymentId: work.payment_id, attempt: work.attempt }
  // A node that stops takes no attempt away from a payment.
  const isLast = work.attempt >= ATTEMPTS_MAX && !work.is_unsent
  if (isLast || choice.kind !== 'chosen') {
    const reason = isLast
      ? `the provider never heard of attempt ${work.attempt}, and it was the last`
      : ['nobody takes it now', (choice.kind === 'closed' && choice.note) || []].flat().join(': ')
    await settings.attempts.begin({ ...command, provider: null, reason, isBegun: false })
    await settings.resolver.submit({
      resellerId: work.reseller_id,
      id: work.payment_id,
      attempt: work.attempt,
      outcome: { kind: 'failed', code: 47, reason: 'Service_Unavailable' },
      nextMs: 0,
    })
    return
  }
  const provider = choice.provider.code
  const begun = await settings.attempts.begin({
    ...command,
    provider,
    reason: [why, choice.note ?? []].flat().join('; '),
    isBegun: true,
  })
  if (begun === undefined) return
  const attempt = work.attempt + 1
  const order = await orderOf(settings.vault, {
    ...work,
    attempt,
    submitted_at: begun.submittedAt,
    ahead_ms: 0n,
  })
  await settings.dispatcher.send({
    resellerId: work.reseller_id,
    paymentId: work.payment_id,
    attempt,
    provider,
    order,
    questionsAsked: work.questions,
    leaseEndsMs: begun.leaseEndsMs,
  })
}

function orderOf(vault: Vault, work: WorkRow): Promise<Order> {
  return readFresh(vault, () => ({
    reference: referenceOf(work.payment_id, work.attempt),
    productCode: work.product_code,
    account: work.account,
    amount: work.amount,
    faceValue: work.face_value,
    subproductCode: work.plan_code,
    billerCode: work.biller_code,
    ref2: work.ref2,
    icNumber: openInput(vault, work.reseller_id, work.refid, work.sealed_input),
    submittedAt: new Date(work.submitted_at.getTime() - Number(work.ahead_ms)),
  }))
}
