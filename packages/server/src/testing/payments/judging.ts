import { demoCatalog } from '../../demo/catalog/catalog.ts'
import { DEMO_OVERLAY } from '../../demo/catalog/overlay.ts'
import { compileLevel, compileSnapshot } from '../../modules/catalog/model/compile.rules.ts'
import { mergeBase } from '../../modules/catalog/model/merge.rules.ts'
import { EMPTY_STATE, getLevel, patched } from '../../modules/catalog/model/state.rules.ts'
import type {
  AccountView,
  BaseCatalog,
  EffectiveProduct,
  Field,
  Mapping,
  Option,
  PriceLevel,
  Snapshot,
} from '../../modules/catalog/model/types.ts'
import { readPaymentRequest } from '../../modules/payments/core/request.rules.ts'
import type { Decision, Judgement, PaymentRequest, Rejection } from '../../modules/payments/core/types.ts'
import type { JudgeInput } from '../../modules/payments/take/judge.rules.ts'
import { findOptionsRequest, judge } from '../../modules/payments/take/judge.rules.ts'
import type { DynamicOption, DynamicOptionsRequest } from '../../modules/providers/port/types.ts'
import { simulatedOptions } from '../../modules/providers/simulator/options.rules.ts'
import { RINGGIT, sampleView } from '../catalog/catalog-samples.ts'

// ── Two accounts of the demo ──

const demo = patched(EMPTY_STATE, mergeBase(EMPTY_STATE, demoCatalog()).touched, 'after')

export type Account = Pick<Snapshot, 'products'>

export function compileAccount(
  base: BaseCatalog,
  level: PriceLevel,
  own: Partial<AccountView> = {},
): Account {
  const view = sampleView({ levelCode: level.code, ...own })
  return compileSnapshot(compileLevel(base, level, { base: '1', level: '1' }), view)
}

export function compileDemoAccount(levelCode: string, own: Partial<AccountView>): Account {
  return compileAccount(demo.base, getLevel(demo, levelCode), own)
}

export const FIRST = compileDemoAccount('STANDARD', { allowedProducts: new Set(['FD']) })
export const SECOND = compileDemoAccount('BORNEO', { overlay: { ...DEMO_OVERLAY, updatedAt: new Date(0) } })

export function productOf(account: Account, code: string): EffectiveProduct {
  const found = account.products.get(code)
  if (found === undefined) throw new Error(`there is no ${code}`)
  return found
}

/** Products that either account can buy. */
export const SELLABLE = [FIRST, SECOND].flatMap((account, index) =>
  [...account.products.values()]
    .filter((each) => each.isActive)
    .map((product) => ({ code: product.product.code, reseller: index + 1, account, product })),
)

// ── Bodies and their verdicts ──

export type Body = Record<string, unknown>

function read(body: Body): PaymentRequest {
  const result = readPaymentRequest({ refid: 'R-1', account: '60123456789', ...body })
  if (result.kind !== 'request') throw new Error('unreadable')
  return result.request
}

const ACTIVE = { status: 'active', access: 0 } as const

/** Makes the input that the service would judge. Answers of the provider come from the simulator, or from `change`. */
export async function inputFor(
  account: Account,
  body: Body,
  change: Partial<JudgeInput> = {},
): Promise<JudgeInput> {
  const request = read(body)
  const input: JudgeInput = {
    request,
    reseller: ACTIVE,
    product: account.products.get(request.product),
    dynamicOptions: undefined,
    isStaging: false,
    ...change,
  }
  const question = findOptionsRequest(input)
  if (question === undefined || input.dynamicOptions !== undefined) return input
  return { ...input, dynamicOptions: await askProvider(question) }
}

async function askProvider(question: DynamicOptionsRequest): Promise<readonly DynamicOption[]> {
  const answer = await simulatedOptions.listOptions(question, new AbortController().signal)
  return answer.kind === 'found' ? answer.options : []
}

async function judgeOf(account: Account, body: Body, change?: Partial<JudgeInput>): Promise<Judgement> {
  return judge(await inputFor(account, body, change))
}

export async function decisionOf(
  account: Account,
  body: Body,
  change?: Partial<JudgeInput>,
): Promise<Decision> {
  const judgement = await judgeOf(account, body, change)
  if (judgement.kind !== 'accepted') throw new Error(JSON.stringify(judgement.rejection))
  return judgement.decision
}

export async function rejectionOf(
  account: Account,
  body: Body,
  change?: Partial<JudgeInput>,
): Promise<Rejection> {
  const judgement = await judgeOf(account, body, change)
  if (judgement.kind !== 'rejected') throw new Error('accepted')
  return judgement.rejection
}

/** Returns `44 Invalid_Product`, or `accepted` with the code of the plan. */
export async function verdictOf(account: Account, body: Body, change?: Partial<JudgeInput>): Promise<string> {
  const judgement = await judgeOf(account, body, change)
  if (judgement.kind === 'accepted') return `accepted ${judgement.decision.planCode ?? ''}`.trimEnd()
  return `${judgement.rejection.code} ${judgement.rejection.remarks}`
}

// ── A client that knows the catalogue and nothing else ──

const TYPED = ['60123456789', '900101145678', '123456', 'a@b.example']
type Choice = Record<string, unknown>

async function choicesOf(product: EffectiveProduct, field: Field, filled: Map<string, unknown>) {
  if (field.dataSource?.type !== 'dynamic') {
    return product
      .options(field.id)
      .filter((each) => each.isActive)
      .map(({ option }): Choice => ({ code: option.code, denomination: option.denomination }))
  }
  const parameter = field.dataSource.params.account_number
  const accountNumber = String(parameter && 'fromField' in parameter ? filled.get(parameter.fromField) : '')
  const request = { productCode: product.product.code, fieldId: field.id, accountNumber }
  const options = await askProvider(request)
  return options.map(
    ({ code, denomination, accountNumber: account }): Choice => ({
      code,
      denomination,
      account_number: account,
    }),
  )
}

function typed(product: EffectiveProduct, { validation, type, role }: Field): string {
  const { pattern, min } = validation
  if (type === 'number' || type === 'money') {
    return role === 'pricing' && product.minAmount !== null
      ? String(Number(product.minAmount) / 10_000)
      : String(min ?? 1)
  }
  const text = TYPED.find((each) => pattern === undefined || new RegExp(pattern, 'u').test(each))
  if (text === undefined) throw new Error(`nobody types ${pattern}`)
  return text
}

/** Lists every body that the product's form can become: one for each plan or denomination, one for a typed amount. */
export async function bodiesOf(product: EffectiveProduct): Promise<Body[]> {
  let forms = [new Map<string, unknown>()]
  for (const field of product.product.fields) {
    const isPriced = field.type === 'select' && field.role === 'pricing'
    const next = forms.map(async (form) => {
      if (field.type !== 'select') return [new Map(form).set(field.id, typed(product, field))]
      const choices = await choicesOf(product, field, form)
      return choices
        .slice(0, isPriced || field.role === 'account' ? 10 : 1)
        .map((choice) => new Map(form).set(field.id, choice))
    })
    forms = (await Promise.all(next)).flat()
  }
  const { account, amount, extras = {} } = product.product.fulfillment
  return forms.map((form) => {
    const valueAt = ({ fromField, path }: Mapping): unknown => {
      const value = form.get(fromField)
      return path === undefined ? value : (value as Choice)[path]
    }
    const sent = valueAt(amount)
    return {
      product: product.product.code,
      account: account === undefined ? 'counter 7' : valueAt(account),
      amount: typeof sent === 'bigint' ? Number(sent) / 10_000 : sent,
      extras: Object.fromEntries(Object.entries(extras).map(([key, mapping]) => [key, valueAt(mapping)])),
    }
  })
}

// ── A bill ──

/** Finds a biller of the demo that takes all amounts from 25 to 500 ringgit. */
export function billerWhere(accepts: (option: Option) => boolean): string {
  const biller = productOf(FIRST, 'BILLPAY')
    .options('biller')
    .find(({ option }) => {
      const min = option.minAmount ?? 0n
      const max = option.maxAmount ?? 500n * RINGGIT
      return min <= 25n * RINGGIT && max >= 500n * RINGGIT && accepts(option)
    })
  if (biller === undefined) throw new Error('no such biller')
  return biller.option.code
}

/** Valid bill with every field that a bill can have. */
export const BILL = {
  product: 'BILLPAY',
  account: '100200300',
  amount: 30,
  extras: {
    biller_code: billerWhere(({ requiresRef2 }) => requiresRef2),
    ic_number: 'A1234567',
    ref2: 'X',
  },
} as const
