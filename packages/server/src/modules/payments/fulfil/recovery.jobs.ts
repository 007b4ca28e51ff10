import type { Database } from '../../../db/database.ts'
import type { LeaseClock } from '../../../db/lease-clock.ts'
import type { ClaimTerms } from '../../../db/leases.ts'
import { claimLeased } from '../../../db/leases.ts'
import type { Vault } from '../../../db/vault.ts'
import type { Failpoint } from '../../../lib/failpoints.ts'
import type { FailureCode } from '../../../lib/failure-codes.ts'
import type { OnProblem, StageWatch } from '../../../lib/observing/payment-stages.ts'
import type { Outcome, Provider, QueryAnswer } from '../../providers/port/types.ts'
import type { Providers } from '../../providers/registry.service.ts'
import { nextQuestionMs } from '../core/schedule.rules.ts'
import type { Resolver } from '../outcomes/resolve.service.ts'
import { judgeReversal } from '../outcomes/reversals.service.ts'
import type { Attempts } from './attempts.service.ts'
import type { Dispatcher } from './dispatch.types.ts'
import { handleOpenAttempt } from './open-attempts.service.ts'
import type { OpenAttemptRow } from './open-attempts.sql.ts'
import { claimOpenAttempts } from './open-attempts.sql.ts'
import { ask, provesAbsence, referenceAt, reversedAt } from './questions.service.ts'
import type { Question } from './repeated-questions.service.ts'
import { askByRepeating } from './repeated-questions.service.ts'
import { commandFieldsOf, NEVER_HEARD, namesOf, sendAgain, sendElsewhere } from './resend.service.ts'
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
  leaseClock: LeaseClock
  failpoint: Failpoint
  everyMs: number
  patienceMs?: number
  watch?: StageWatch | undefined
  onProblem: OnProblem
}

export type Recovery = {
  /** Claims due payments now and not at the next turn; resolves when they have been handled. */
  runOnce(): Promise<number>
  stop(): Promise<void>
}

/** Payment or open attempt that this node holds until its lease ends. */
type Claimed = { readonly provider: string; see(): Promise<void> }

/** Queue of the questions to one provider, with a limit on those under way. */
type QuestionQueue = { underway: number; readonly waiting: (() => void)[]; isBehind: boolean }

const CLAIM_MAX = 200
/** Limit of questions to one provider, under way or waiting. Further ones come again when their lease has ended. */
const ASKING_MAX = 200
/** Share of a provider's concurrency that questions may use: the rest is for orders. */
const QUESTIONS_SHARE = 0.25
/** Milliseconds for which a provider that begins to hang may delay the questions to others, once. */
const PATIENCE_MS = 1_000

/**
 * Handles every payment that no node holds: questions that are due, and leases that ended because a node died or lost
 * its database. An order that may have been sent is asked about, never sent again on a guess.
 */
export function startRecovery(settings: RecoverySettings): Recovery {
  const { database, patienceMs = PATIENCE_MS } = settings
  const questions = createQuestions(settings.providers)
  let running: Promise<number> | undefined

  const claims: ((terms: ClaimTerms) => Promise<Claimed[]>)[] = [
    async (terms) => {
      const claimed = await claimWork(database, terms)
      return claimed.map((work) => ({ provider: work.provider, see: () => handleWork(settings, work) }))
    },
    async (terms) => {
      const claimed = await claimOpenAttempts(database, terms)
      return claimed.map((work) => ({ provider: work.provider, see: () => seeToOpen(settings, work) }))
    },
  ]

  async function run(): Promise<number> {
    let seen = 0
    for (const claim of claims) {
      while (!questions.isStopped) {
        const { work, leaseEndsMs } = await claimLeased(settings, CLAIM_MAX, claim)
        await waitAtMost(patienceMs, Promise.all(work.map((each) => questions.begin(each, leaseEndsMs))))
        questions.leaveBehind()
        seen += work.length
        if (work.length < CLAIM_MAX) break
      }
    }
    return seen
  }

  function runUnlessRunning(): Promise<number> {
    running ??= run().finally(() => {
      running = undefined
    })
    return running
  }

  const timer = setInterval(() => {
    runUnlessRunning().catch((error) =>
      settings.onProblem('unfinished payments could not be checked; tried again soon', error),
    )
  }, settings.everyMs)
  timer.unref()

  return {
    async runOnce() {
      const seen = await runUnlessRunning()
      await questions.settled()
      return seen
    },
    async stop() {
      questions.stop()
      clearInterval(timer)
      await running?.catch(() => {})
      await questions.settled()
    },
  }
}

/** Questions to all providers. A provider that hangs holds up only the questions to itself. */
type Questions = {
  /**
   * Resolves when the work was seen to in its turn. undefined: nobody waits for it. The provider is behind, or it has too
   * many questions, so that the work comes again when its lease has ended.
   */
  begin(claimed: Claimed, leaseEndsMs: number): Promise<void> | undefined
  /** Waits no more for providers that have questions left, until they have none. */
  leaveBehind(): void
  /** Lets no further question begin. */
  stop(): void
  readonly isStopped: boolean
  settled(): Promise<void>
}

export function createQuestions(providers: Pick<Providers, 'byCode'>): Questions {
  const queues = new Map<string, QuestionQueue>()
  const inProgress = new Set<Promise<void>>()
  let isStopped = false

  async function inTurn(
    queue: QuestionQueue,
    { provider, see }: Claimed,
    leaseEndsMs: number,
  ): Promise<void> {
    if (queue.underway < capacityOf(providers.byCode(provider))) queue.underway += 1
    else await new Promise<void>((resolve) => queue.waiting.push(resolve))
    try {
      if (!isStopped && performance.now() < leaseEndsMs) await see()
    } finally {
      const next = queue.waiting.shift()
      // The next waiting question gets the place directly, so that no other can take it in between.
      if (next === undefined) queue.underway -= 1
      else next()
      if (queue.underway === 0) queue.isBehind = false
    }
  }

  return {
    begin(claimed, leaseEndsMs) {
      const queue = queues.get(claimed.provider) ?? { underway: 0, waiting: [], isBehind: false }
      queues.set(claimed.provider, queue)
      if (queue.underway + queue.waiting.length >= ASKING_MAX) return undefined
      const { isBehind } = queue
      const seen = inTurn(queue, claimed, leaseEndsMs).finally(() => inProgress.delete(seen))
      inProgress.add(seen)
      return isBehind ? undefined : seen
    },
    leaveBehind() {
      for (const queue of queues.values()) queue.isBehind = queue.underway > 0
    },
    stop() {
      isStopped = true
    },
    get isStopped() {
      return isStopped
    },
    async settled() {
      while (inProgress.size > 0) await Promise.all(inProgress)
    },
  }
}

function capacityOf(provider: Provider | undefined): number {
  return Math.max(1, Math.floor((provider?.concurrencyMax ?? ASKING_MAX) * QUESTIONS_SHARE))
}

function waitAtMost(timeoutMs: number, work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, timeoutMs)
    void work.finally(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}

async function handleWork(settings: RecoverySettings, work: WorkRow): Promise<void> {
  const { resolver, onProblem } = settings
  try {
    if (work.held_code !== null) {
      await endAsHeld(settings, work, work.held_code)
      return
    }
    const provider = settings.providers.byCode(work.provider)
    const maySend = !work.is_ask_only
    // Stock was sold when the payment was taken: the provider is asked what it sold. A reference that was sent before
    // is asked about, too, although it was not sent the last time.
    if (maySend && work.is_unsent && work.repeats === 0 && provider?.reservesStock === false) {
      await sendElsewhere(settings, work, 'the one before was never sent')
      return
    }
    const askedMs = performance.now()
    const asked = await question(settings, work, provider)
    if (asked === undefined) return
    const { answer, work: present, nextMs } = asked
    settings.watch?.end('answered', answer.kind, askedMs, namesOf(work), {
      provider: work.provider,
      attempt: work.attempt,
      reference: referenceAt(work),
    })
    // After a restore "not found" says nothing about an attempt that is forgotten, so a person decides.
    const isAbsent = answer.kind === 'not_found' && maySend
    if (isAbsent && provider !== undefined && provesAbsence(settings, provider, present)) {
      if (provider.repeatsReference) await sendAgain(settings, present, provider)
      else await sendElsewhere(settings, present, NEVER_HEARD)
      return
    }
    // Stock was sold when the payment was taken, so that no other provider may have the order.
    if (answer.kind === 'not_acted' && maySend && provider?.reservesStock === false) {
      await sendElsewhere(settings, present, `${work.provider} did nothing: ${answer.reason}`, answer)
      return
    }
    await resolver.submit({
      ...commandFieldsOf(present),
      outcome: await openOutcome(settings, answer, present),
      ...evidenceOf(answer, present),
      nextMs,
    })
  } catch (error) {
    onProblem(`payment ${work.payment_id} is left for the next turn`, error, namesOf(work))
  }
}

/** Asks the provider of a payment; undefined: it is not asked now, and the next question is planned. */
async function question(
  settings: RecoverySettings,
  work: WorkRow,
  provider: Provider | undefined,
): Promise<Question | undefined> {
  if (provider?.asksByRepeating !== undefined) {
    return askByRepeating(settings, work, provider, provider.asksByRepeating)
  }
  const answer = await ask(settings, work)
  return { answer, work, nextMs: nextQuestionMs(work.questions, answer) }
}

/** A success that was taken back before we heard of it is a failure only where the connection says which. */
async function openOutcome(
  { database }: RecoverySettings,
  answer: QueryAnswer,
  work: WorkRow,
): Promise<Outcome> {
  if (answer.kind === 'not_found' || answer.kind === 'not_acted') return { kind: 'pending' }
  if (answer.kind !== 'reversed') return answer
  const judged = await judgeReversal(database, answer, reversedAt(work))
  return typeof judged === 'string' ? { kind: 'unknown', reason: answer.reason } : judged
}

/** Ends a payment by the failure that waited for an undecided attempt. It goes on waiting if that is still undecided. */
async function endAsHeld({ resolver }: RecoverySettings, work: WorkRow, code: FailureCode): Promise<void> {
  await resolver.submit({
    ...commandFieldsOf(work),
    outcome: { kind: 'failed', code, reason: work.held_failure ?? '' },
    evidence: 'reported while another attempt was undecided',
    nextMs: 0,
  })
}

/**
 * Builds the evidence of a decision. The count of undecided answers is deleted with the work, so the timeline keeps it.
 */
function evidenceOf({ kind }: QueryAnswer, { questions }: WorkRow): { evidence?: string } {
  if (kind !== 'succeeded' && kind !== 'failed' && kind !== 'reversed') return {}
  return { evidence: `asked about, after ${questions} undecided answer${questions === 1 ? '' : 's'}` }
}

async function seeToOpen(settings: RecoverySettings, work: OpenAttemptRow): Promise<void> {
  try {
    await handleOpenAttempt(settings, work)
  } catch (error) {
    const text = `an open attempt of payment ${work.payment_id} is left for the next turn`
    settings.onProblem(text, error, namesOf(work))
  }
}
