import type { Amount } from '../../../lib/money.ts'
import type { DirectoryReseller } from '../../accounts/types.ts'
import { findPricingField, optionMoney } from '../../catalog/model/pricing.rules.ts'
import type { EffectiveProduct } from '../../catalog/model/types.ts'
import type { DynamicOption, DynamicOptionsRequest } from '../../providers/port/types.ts'
import type { Decision, Judgement, PaymentRequest } from '../core/types.ts'
import type { JudgeInput } from './judge.rules.ts'
import { findOptionsRequest, judgeOffer } from './judge.rules.ts'
import { judgeInput } from './judge-input.service.ts'
import type { PaymentsSettings } from './service.ts'
import { judgedWith, judgeWith } from './service.ts'

/** Judgement that a payment would get now. Stock and balance are checked where they are taken, so not here. */
export type Preview = {
  readonly judgement: Judgement
  /** Product as the account sees it; undefined: it has none of this code. */
  readonly product: EffectiveProduct | undefined
  /** Amount that the reseller's own customer pays; null: the payment would be refused, or the amount has no price. */
  readonly price: Amount | null
  /** False: a supplier had to be asked first, and did not answer in time. The judgement is not known then. */
  readonly isChecked: boolean
}

export type Previews = {
  /** Judges requests as `pay` does, and pays nothing. `keyProducts`: what the caller's key may sell. */
  preview(
    reseller: DirectoryReseller,
    requests: readonly PaymentRequest[],
    keyProducts?: ReadonlySet<string>,
  ): Promise<Preview[]>
  /** Judges product and amount of a request whose account and extras are still to be typed. */
  previewOffer(reseller: DirectoryReseller, request: PaymentRequest): Preview
}

/** Questions to suppliers at one time, and in one preview: a file must not keep a supplier busy. */
const ASKED_AT_ONCE = 8
const ASKED_MAX = 100
const ASKING_MS = 10_000

export function createPreviews(
  settings: Pick<
    PaymentsSettings,
    'catalog' | 'providers' | 'dynamicOptions' | 'isStaging' | 'isStopped' | 'numbers'
  >,
): Previews {
  return {
    async preview(reseller, requests, keyProducts) {
      const inputs = requests.map((request) => judgeInput(settings, reseller, meant(request), keyProducts))
      const questions = inputs.map((input) => findOptionsRequest(input))
      const answers = await ask(settings, questions)
      return inputs.map((input, index) => {
        const question = questions[index]
        if (question === undefined) return previewOf(settings, input)
        const dynamicOptions = answers.get(keyOf(question))
        return dynamicOptions === undefined
          ? { ...previewOf(settings, { ...input, dynamicOptions: [] }), price: null, isChecked: false }
          : previewOf(settings, { ...input, dynamicOptions })
      })
    },
    previewOffer(reseller, request) {
      const input = judgeInput(settings, reseller, request, undefined)
      return previewAs(input, judgedWith(settings, judgeOffer(input)).judgement)
    },
  }
}

const NO_TERMS = { quoteId: null, costMax: null }

/** Takes a duplicate as meant: a preview warns of one, and refuses nothing for it. */
function meant(request: PaymentRequest): PaymentRequest {
  return { ...request, terms: { ...NO_TERMS, ...request.terms, allowsDuplicate: true } }
}

function previewOf(settings: Pick<PaymentsSettings, 'providers'>, input: JudgeInput): Preview {
  return previewAs(input, judgeWith(settings, input).judgement)
}

function previewAs({ product }: JudgeInput, judgement: Judgement): Preview {
  const isPriced = judgement.kind === 'accepted' && product !== undefined
  return {
    judgement,
    product,
    price: isPriced ? customerPrice(product, judgement.decision) : null,
    isChecked: true,
  }
}

/** Returns the price for the reseller's customer. An adjustment that leaves nothing of an amount leaves no price. */
function customerPrice(product: EffectiveProduct, decision: Decision): Amount | null {
  const price = adjustedPrice(product, decision)
  return price !== null && price > 0n ? price : null
}

/** Returns the price of the chosen option, or the amount by the account's adjustment. */
function adjustedPrice(product: EffectiveProduct, { amount, planCode }: Decision): Amount | null {
  const field = findPricingField(product.product)
  const options = field === undefined ? [] : product.options(field.id)
  const chosen = options.find(({ option }) => option.code === planCode && option.denomination === amount)
  if (chosen?.money != null) return chosen.money.price
  const { wholesale, adjustment } = product
  if (wholesale === null) return null
  const { denominationUnitPrice } = product.product
  return optionMoney(amount, { denominationUnitPrice, wholesale, adjustment }, null).price
}

type Answers = ReadonlyMap<string, readonly DynamicOption[]>

/** Asks each question once, some at a time, until the time is over. What was not answered is missing. */
async function ask(
  { dynamicOptions }: Pick<PaymentsSettings, 'dynamicOptions'>,
  questions: readonly (DynamicOptionsRequest | undefined)[],
): Promise<Answers> {
  const open = new Map(
    questions.flatMap((each) => (each === undefined ? [] : [[keyOf(each), each] as const])),
  )
  const waiting = [...open].slice(0, ASKED_MAX)
  const answers = new Map<string, readonly DynamicOption[]>()
  const endMs = performance.now() + ASKING_MS
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (performance.now() > endMs) return
      const [key, question] = next
      const options = await dynamicOptions.list(question).catch(() => undefined)
      if (options !== undefined) answers.set(key, options)
    }
  }
  await Promise.all(Array.from({ length: ASKED_AT_ONCE }, worker))
  return answers
}

function keyOf({ productCode, fieldId, accountNumber }: DynamicOptionsRequest): string {
  return JSON.stringify([productCode, fieldId, accountNumber])
}
