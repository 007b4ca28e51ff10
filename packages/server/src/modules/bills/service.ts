import type { LivePlans } from '../../lib/numbers/plans.ts'
import { coversProduct } from '../catalog/model/access.rules.ts'
import { KIND_TRAITS } from '../catalog/model/kinds.rules.ts'
import type { Catalog } from '../catalog/model/store.types.ts'
import type { EffectiveProduct } from '../catalog/model/types.ts'
import { judgeEnquiry } from '../payments/take/enquiry.rules.ts'
import type { PassedOver } from '../providers/connections/routing.types.ts'
import type { BillAnswer, BillRequest, Provider } from '../providers/port/types.ts'
import type { Providers } from '../providers/registry.service.ts'
import { readBill } from './rules.ts'
import type { BillQuestion, BillResult } from './types.ts'

export type Bills = {
  /** Answers also when the provider fails, and never throws for that. `deadlineMs` is on performance.now's clock. */
  present(reader: BillReader, question: BillQuestion, deadlineMs: number): Promise<BillResult>
}

export type BillReader = {
  readonly id: bigint
  readonly priceLevel: string
  /** Codes that the caller's key may sell; left out: everything. */
  readonly keyProducts?: ReadonlySet<string> | undefined
}

export type BillsSettings = {
  catalog: Pick<Catalog, 'snapshotFor' | 'base'>
  providers: Pick<Providers, 'choose' | 'byCode'>
  isStaging: boolean
  /** Plans by which numbers are read, as they are now. */
  numbers?: LivePlans | undefined
  timeoutMs?: number
  /** Questions to one provider at the same time. */
  underwayMax?: number
  /** A provider that could not show a bill, and why. */
  onUnavailable?: (providerCode: string, reason: string) => void
}

/** Limit of a question. A person waits at a form meanwhile; after this time the form goes on without the bill. */
const TIMEOUT_MS = 8_000
/** Limit per provider, so that one that hangs does not hold all requests that the edge admits. */
const UNDERWAY_MAX = 100

export function createBills(settings: BillsSettings): Bills {
  const { catalog, providers, isStaging, numbers, timeoutMs = TIMEOUT_MS } = settings
  const ask = createAsking(settings.underwayMax ?? UNDERWAY_MAX)

  return {
    async present(reader, question, deadlineMs) {
      const product = catalog.snapshotFor(reader).products.get(question.product)
      if (product === undefined || !product.isActive) return { kind: 'refused', problem: 'product' }
      const { keyProducts } = reader
      if (keyProducts && !coversProduct(keyProducts, question.product, product.product, catalog.base())) {
        return { kind: 'refused', problem: 'product' }
      }
      if (question.account === '') return { kind: 'refused', problem: 'account' }
      const presenter = findPresenter(providers, product)
      if (presenter.kind !== 'provider') return presenter
      const judgement = judgeEnquiry({ enquiry: question, product, isStaging, numbers: numbers?.current })
      if (judgement.kind === 'refused') return { kind: 'refused', problem: judgement.field }
      const { account, billerCode, ref2, amount } = judgement
      const request = { productCode: product.product.code, account, billerCode, ref2, amount }
      // The provider gets half of the time that is left: the answer must still be written and sent before a 504.
      const withinMs = Math.min(timeoutMs, (deadlineMs - performance.now()) / 2)
      const answer = await ask(presenter.provider, request, withinMs)
      const result = resultOf(answer)
      if (result.kind === 'unavailable') {
        const reason = isUnavailable(answer) ? answer.reason : 'the answer cannot be read'
        settings.onUnavailable?.(presenter.provider.code, reason)
      }
      return result
    },
  }
}

type Presenter =
  | { readonly kind: 'provider'; readonly provider: Provider }
  | { readonly kind: 'not_presented' }
  | { readonly kind: 'unavailable' }

/** Finds the first provider that shows bills. A payment may go through another one. */
function findPresenter(providers: BillsSettings['providers'], { product }: EffectiveProduct): Presenter {
  if (!KIND_TRAITS[product.kind].hasBills) return { kind: 'not_presented' }
  const tried = new Set<string>()
  for (;;) {
    const choice = providers.choose({ productCode: product.code, tried })
    if (choice.kind === 'closed') {
      const isWaitedFor = tried.size === 0 || hasPresenter(choice.passedOver, tried, providers)
      return { kind: isWaitedFor ? 'unavailable' : 'not_presented' }
    }
    if (choice.kind !== 'chosen' || tried.has(choice.provider.code)) return { kind: 'not_presented' }
    if (choice.provider.bills !== undefined) return { kind: 'provider', provider: choice.provider }
    tried.add(choice.provider.code)
  }
}

/** Tells whether a provider that shows bills was passed over for a reason of its own, such as an interruption. */
function hasPresenter(
  passedOver: readonly PassedOver[],
  tried: ReadonlySet<string>,
  { byCode }: Pick<Providers, 'byCode'>,
): boolean {
  return passedOver.some(({ provider }) => !tried.has(provider) && byCode(provider)?.bills !== undefined)
}

function resultOf(answer: unknown): BillResult {
  const { kind, bill: record } = Object(answer) as { kind?: unknown; bill?: unknown }
  if (kind === 'invalid_account') return { kind: 'refused', problem: 'account' }
  if (kind === 'not_offered') return { kind: 'not_presented' }
  const bill = kind === 'found' ? readBill(record) : undefined
  return bill === undefined ? { kind: 'unavailable' } : { kind: 'found', bill }
}

function isUnavailable(answer: unknown): answer is Extract<BillAnswer, { kind: 'unavailable' }> {
  const { kind, reason } = Object(answer) as { kind?: unknown; reason?: unknown }
  return kind === 'unavailable' && typeof reason === 'string'
}

type Ask = (provider: Provider, request: BillRequest, timeoutMs: number) => Promise<unknown>

/** Turns every failure into an answer, and checks everything that a connector returns. */
function createAsking(underwayMax: number): Ask {
  const underway = new Map<string, number>()

  return async (provider, request, timeoutMs) => {
    const { code, bills } = provider
    const count = underway.get(code) ?? 0
    if (bills === undefined || count >= Math.min(underwayMax, provider.concurrencyMax)) {
      return unavailable('too many questions are under way')
    }
    underway.set(code, count + 1)
    const leave = () => underway.set(code, (underway.get(code) ?? 1) - 1)
    const controller = new AbortController()
    const asked = Promise.resolve()
      .then(() => bills.presentBill(request, controller.signal))
      .catch((error: unknown) => unavailable(String(error)))
    return within(asked, timeoutMs, controller).finally(leave)
  }
}

function within(asked: Promise<unknown>, timeoutMs: number, controller: AbortController): Promise<unknown> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      resolve(unavailable(`no answer within ${Math.round(timeoutMs)} ms`))
      controller.abort()
    }, timeoutMs)
    void asked.then((answer) => {
      clearTimeout(timer)
      resolve(answer)
    })
  })
}

function unavailable(reason: string): BillAnswer {
  return { kind: 'unavailable', reason }
}
