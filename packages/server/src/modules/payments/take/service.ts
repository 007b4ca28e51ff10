import type { DatabaseClock } from '../../../db/clock.ts'
import { NotAttemptedError } from '../../../db/commits/group-commit.ts'
import type { Queryable } from '../../../db/database.ts'
import { isOutOfReach, isOutOfRoom, isReadOnly, sqlSeverity } from '../../../db/database.ts'
import { assert, RequestError, unavailable } from '../../../lib/errors.ts'
import { leaseNowMs } from '../../../lib/lease-time.ts'
import type { Amount } from '../../../lib/money.ts'
import type { OnProblem, PaymentNames, StageWatch } from '../../../lib/observing/payment-stages.ts'
import { nonceRefused } from '../../auth/service.ts'
import { canonicalAccount } from '../../catalog/model/accounts.rules.ts'
import type { RouteChoice } from '../../providers/connections/routing.types.ts'
import { routeText } from '../../providers/connections/routing.view.ts'
import type { DynamicOptions } from '../../providers/options.service.ts'
import type { DynamicOption } from '../../providers/port/types.ts'
import type { Providers } from '../../providers/registry.service.ts'
import { findDifferences } from '../core/differences.rules.ts'
import { REJECTIONS } from '../core/rejections.rules.ts'
import { referenceOf } from '../core/schedule.rules.ts'
import type { Decision, Judgement, Payment } from '../core/types.ts'
import type { Dispatcher } from '../fulfil/dispatch.types.ts'
import { limitRejection } from '../limits/rules.ts'
import { judgeBefore } from '../limits/service.ts'
import type { QuoteBook } from '../quotes/book.service.ts'
import { closedRejection, underTerms } from '../quotes/terms.rules.ts'
import type { Asked } from './asked.service.ts'
import { askedNow } from './asked.service.ts'
import type { Intake } from './intake.service.ts'
import type { IntakeCommand, IntakeResult } from './intake.types.ts'
import type { JudgeInput } from './judge.rules.ts'
import { findOptionsRequest, judge } from './judge.rules.ts'
import type { JudgingSettings } from './judge-input.service.ts'
import { judgeInput } from './judge-input.service.ts'
import type { PayInput, Payments, PayResult } from './pay.types.ts'
import { lost, uncertain } from './unknown-outcomes.rules.ts'

export type { PayInput, Payments, PayResult } from './pay.types.ts'

export type PaymentsSettings = JudgingSettings & {
  database: Queryable
  clock: DatabaseClock
  dynamicOptions: DynamicOptions
  providers: Providers
  intake: Intake
  quoteBook: Pick<QuoteBook, 'find' | 'repeatedRejection'>
  dispatcher: Dispatcher
  leaseMs: number
  watch?: StageWatch | undefined
  onProblem: OnProblem
}

export function createPayments(settings: PaymentsSettings): Payments {
  return {
    async pay(received) {
      const { caller, request } = received
      const asked = askedNow(settings.clock, received)
      const quoteId = request.terms?.quoteId ?? null
      const quote = quoteId === null ? undefined : await settings.quoteBook.find(caller.reseller.id, quoteId)
      const input = quote === undefined ? asked : { ...asked, quote }
      const judging = judgeInput(settings, caller.reseller, request, caller.products)
      const question = findOptionsRequest(judging)
      if (question === undefined) {
        return take(settings, input, judgeWith(settings, judging), caller.unspentNonce)
      }
      // A provider must be asked before this payment can be judged. A payment that exists is answered before that.
      const lookup = { ...commandOf(input, null, undefined, caller.unspentNonce), isLookupOnly: true }
      const looked = await submit(settings, input, lookup)
      if (looked.verdict !== 'absent') return answer(settings, input, looked, UNJUDGED)
      let dynamicOptions: readonly DynamicOption[]
      try {
        dynamicOptions = await settings.dynamicOptions.list(question)
      } catch {
        return answer(settings, input, await reject(settings, input), UNJUDGED)
      }
      return take(settings, input, judgeWith(settings, { ...judging, dynamicOptions }), undefined)
    },
  }
}

function isBehind(judgement: Judgement): boolean {
  return judgement.kind === 'rejected' && judgement.behind !== undefined
}

const UNJUDGED: Judgement = { kind: 'rejected', rejection: REJECTIONS.temporaryError }

/** Makes the reader of the accounts of a request's product. */
function canonicalIn(
  { catalog, numbers }: Pick<PaymentsSettings, 'catalog' | 'numbers'>,
  { caller, request }: PayInput,
): (account: string) => string {
  return (account) => {
    const product = catalog.snapshotFor(caller.reseller).products.get(request.product)
    return canonicalAccount(product?.product, account, numbers?.current)
  }
}

type ChosenRoute = Extract<RouteChoice, { kind: 'chosen' }>
type Judged = { readonly judgement: Judgement; readonly route: ChosenRoute | undefined }

/**
 * Judges a request and chooses its provider. A product that no provider fulfils is not for sale, whatever the catalog
 * says. Where all its providers take no orders now, the client may try again: it is certain that nothing was created.
 */
export function judgeWith(settings: Pick<PaymentsSettings, 'providers'>, input: JudgeInput): Judged {
  return judgedWith(settings, judge(input))
}

/** Chooses the provider of a payment that was judged. */
export function judgedWith({ providers }: Pick<PaymentsSettings, 'providers'>, judgement: Judgement): Judged {
  if (judgement.kind === 'rejected') return { judgement, route: undefined }
  const route = providers.choose(judgement.decision)
  switch (route.kind) {
    case 'chosen':
      return { judgement, route }
    case 'none':
      return NO_PROVIDER
    case 'closed':
      return isStockAlone(route) ? NOT_IN_STOCK : NO_PROVIDER_NOW
  }
}

/** Tells whether only the stock has the product, and cannot tell its plans apart: trying again later does not help. */
function isStockAlone({ passedOver }: Extract<RouteChoice, { kind: 'closed' }>): boolean {
  return passedOver.length > 0 && passedOver.every(({ obstacle }) => obstacle === 'stock_not_reserved')
}

const NO_PROVIDER: Judged = {
  judgement: { kind: 'rejected', rejection: REJECTIONS.productUnavailable },
  route: undefined,
}
const NO_PROVIDER_NOW: Judged = { judgement: UNJUDGED, route: undefined }
const OUT_OF_STOCK: Judgement = { kind: 'rejected', rejection: REJECTIONS.outOfStock }
const NOT_IN_STOCK: Judged = { judgement: OUT_OF_STOCK, route: undefined }

async function take(
  settings: PaymentsSettings,
  input: Asked,
  judged: Judged,
  nonce: IntakeCommand['nonce'],
  tried?: ReadonlySet<string>,
): Promise<PayResult> {
  const { caller, request } = input
  const terms = underTerms(judged.judgement, input, canonicalIn(settings, input))
  const judgement = isBehind(terms)
    ? await judgeBefore(settings.database, caller, request.account, terms)
    : terms
  const route = judgement.kind === 'accepted' ? judged.route : undefined
  const decision = judgement.kind === 'accepted' ? judgement.decision : null
  const leaseEndsMs = leaseNowMs() + settings.leaseMs
  const command = commandOf(input, decision, route, nonce)
  const result = await submit(settings, input, command)
  if (result.verdict === 'created') {
    assert(decision !== null, 'only what was decided is created')
    dispatch(settings, input, command, decision, result.payment, leaseEndsMs)
  }
  if (result.verdict === 'out_of_stock' && decision !== null && route !== undefined) {
    // No payment exists yet, so another provider that sells the product may be chosen. The nonce is spent.
    const others = new Set(tried).add(route.provider.code)
    const next = settings.providers.choose({ ...decision, tried: others })
    if (next.kind === 'chosen') return take(settings, input, { judgement, route: next }, undefined, others)
    const rejected = await reject(settings, input)
    return answer(settings, input, rejected, OUT_OF_STOCK)
  }
  if (result.verdict === 'repeated' && decision !== null) {
    const { quoteBook, clock } = settings
    const wanted = { ...decision, account: decision.canonicalAccount ?? request.account }
    const seconds = command.duplicateSeconds ?? 0
    const rejection = await quoteBook.repeatedRejection(caller.reseller.id, wanted, seconds, clock.nowMs())
    return { kind: 'rejected', rejection, balance: result.balance }
  }
  if (result.verdict === 'limited') {
    return { kind: 'rejected', rejection: limitRejection(result.reached), balance: result.balance }
  }
  if (result.verdict === 'unquoted') {
    assert(input.quote !== undefined, 'only a quote that was found is judged')
    const quote = await settings.quoteBook.find(input.caller.reseller.id, input.quote.id)
    return { kind: 'rejected', rejection: closedRejection(quote), balance: result.balance }
  }
  return answer(settings, input, result, judgement)
}

/**
 * Commits a rejection that the intake's own commit did not decide. The client is told only after a commit that found no
 * payment with the refid and that remembers the rejection. Every other rejection is such a commit itself.
 */
function reject(
  settings: PaymentsSettings,
  input: Asked,
  nonce?: IntakeCommand['nonce'],
): Promise<IntakeResult | RolledBack> {
  return submit(settings, input, commandOf(input, null, undefined, nonce))
}

function commandOf(
  { caller, request, requestId, sender, times, duplicateSecondsMin = 0 }: Asked,
  decision: Decision | null,
  chosen: ChosenRoute | undefined,
  nonce: IntakeCommand['nonce'],
): IntakeCommand {
  const { reseller, memberId } = caller
  return {
    resellerId: reseller.id,
    request,
    decision,
    isLookupOnly: false,
    times,
    provider: chosen?.provider.code ?? '',
    reservesStock: chosen?.provider.reservesStock ?? false,
    routeNote: chosen === undefined ? null : routeText(chosen),
    duplicateSeconds:
      request.terms?.allowsDuplicate === true
        ? 0
        : Math.max(reseller.duplicateWindowSeconds, duplicateSecondsMin),
    purposeId: caller.purposeId,
    caps: caller.caps,
    nonce,
    requestId,
    sender,
    memberId,
  }
}

type RolledBack = { readonly verdict: 'rolled_back'; readonly balance: Amount }

/** Turns each error of a commit into an answer that is true for it. */
async function submit(
  settings: PaymentsSettings,
  input: Asked,
  command: IntakeCommand,
): Promise<IntakeResult | RolledBack> {
  const startedMs = performance.now()
  try {
    const result = await settings.intake.submit(command, input.deadlineMs, input.isAwaited)
    const payment = 'payment' in result ? result.payment : undefined
    settings.watch?.end('taken', TAKEN_OUTCOMES[result.verdict], startedMs, namesOf(input, payment?.id))
    return result
  } catch (error) {
    settings.watch?.end('taken', 'failed', startedMs, namesOf(input))
    // No command was tried, not even a lookup. It is not known whether the refid exists, so this is not a rejection.
    if (error instanceof RequestError) throw error
    if (error instanceof NotAttemptedError) throw unavailable('saturated', error.message, error)
    // A server that only reads wrote nothing. It looked nothing up either, so this is not a rejection.
    if (isReadOnly(error)) throw unavailable('database_unavailable', String(error), error)
    // The server reported that it wrote nothing. It has no room, so it could not reject the refid either.
    if (isOutOfRoom(error)) throw unavailable('database_unavailable', String(error), error)
    if (sqlSeverity(error) !== 'ERROR' || isOutOfReach(error)) throw uncertain(error)
    return await afterRollback(settings, input, command, error)
  }
}

/** Outcome of the commit, in the words of the metrics. */
const TAKEN_OUTCOMES: Readonly<Record<IntakeResult['verdict'], string>> = {
  created: 'created',
  existing: 'existing',
  nonce: 'refused',
  late: 'refused',
  lost: 'refused',
  out_of_stock: 'rejected',
  unquoted: 'rejected',
  repeated: 'rejected',
  limited: 'rejected',
  insufficient: 'rejected',
  outranked: 'rejected',
  absent: 'rejected',
}

function namesOf({ caller, request, requestId }: PayInput, paymentId?: bigint): PaymentNames {
  return { resellerId: caller.reseller.id, paymentId, refid: request.refid, requestId }
}

/**
 * Answers when the server said that it undid the command. A second commit looks the refid up, rejects it, and spends
 * the nonce that was not spent.
 */
async function afterRollback(
  { intake, onProblem }: PaymentsSettings,
  input: Asked,
  { nonce }: IntakeCommand,
  cause: unknown,
): Promise<IntakeResult | RolledBack> {
  onProblem('a payment was rolled back', cause, namesOf(input))
  try {
    const rejecting = commandOf(input, null, undefined, nonce)
    const result = await intake.submit(rejecting, input.deadlineMs, input.isAwaited)
    return result.verdict === 'absent' ? { verdict: 'rolled_back', balance: result.balance } : result
  } catch (error) {
    throw unavailable('database_unavailable', String(error), error)
  }
}

function answer(
  settings: PaymentsSettings,
  input: PayInput,
  result: IntakeResult | RolledBack,
  judgement: Judgement,
): PayResult {
  const { caller, request, deadlineMs } = input
  switch (result.verdict) {
    case 'nonce':
      assert(caller.unspentNonce !== undefined, 'only a nonce that was sent is refused')
      throw nonceRefused(settings.clock, caller.unspentNonce)
    case 'created':
      return { kind: 'payment', payment: result.payment }
    case 'existing': {
      const differences = findDifferences(result.payment, request, canonicalIn(settings, input))
      return Object.keys(differences).length === 0
        ? { kind: 'payment', payment: result.payment }
        : { kind: 'conflict', payment: result.payment, differences }
    }
    case 'late':
      // A command is late before its deadline only if a clock was set after the clocks were compared.
      if (performance.now() < deadlineMs) settings.clock.refresh()
      throw unavailable('too_late', 'the time for a payment was over before it could be decided')
    case 'lost':
      throw lost()
    case 'outranked':
    case 'rolled_back':
      return { kind: 'rejected', rejection: REJECTIONS.temporaryError, balance: result.balance }
    case 'insufficient':
      return { kind: 'rejected', rejection: REJECTIONS.insufficientBalance, balance: result.balance }
    case 'unquoted':
    case 'repeated':
    case 'limited':
    case 'out_of_stock':
    case 'absent':
      assert(judgement.kind === 'rejected', 'a decided command is created, outranked or insufficient')
      return { kind: 'rejected', rejection: judgement.rejection, balance: result.balance }
  }
}

const FIRST_ATTEMPT = 1
/** Number of the first lease: a payment is created under the lease of the node that took it. */
const FIRST_LEASE = 1

/** Sends the order from the node that took the payment, after the commit and in parallel with the answer. */
function dispatch(
  { dispatcher }: PaymentsSettings,
  { requestId }: PayInput,
  { provider, request }: IntakeCommand,
  decision: Decision,
  payment: Payment,
  leaseEndsMs: number,
): void {
  void dispatcher.send({
    resellerId: payment.resellerId,
    paymentId: payment.id,
    refid: payment.refid,
    requestId,
    attempt: FIRST_ATTEMPT,
    lease: FIRST_LEASE,
    provider,
    order: {
      reference: referenceOf(payment.id, FIRST_ATTEMPT),
      productCode: payment.productCode,
      account: payment.canonicalAccount ?? payment.account,
      amount: payment.amount,
      faceValue: payment.faceValue,
      subproductCode: decision.planCode,
      billerCode: request.extras.billerCode,
      ref2: request.extras.ref2,
      icNumber: request.extras.icNumber,
      submittedAt: payment.createdAt,
    },
    questionsAsked: 0,
    leaseEndsMs,
  })
}
