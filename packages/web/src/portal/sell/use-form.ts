import { queryOptions, useQuery } from '@tanstack/react-query'
import type { BillQuery, Values as FormValues } from '@warung/forms/form'
import {
  accountRefusal,
  adaptField,
  billQueryOf,
  fieldOfError,
  fieldsOf,
  pricedOption,
  problemOf,
  problemSentence,
  requestOf,
  withValue,
} from '@warung/forms/form'
import { inWords } from '@warung/forms/standard-texts'
import type { Field } from '@warung/forms/types'
import { useState } from 'react'
import { ApiProblem } from '../../api/errors.ts'
import type { FormOption, PaymentRequest, Product, QuoteRequest } from '../../api/portal.generated.ts'
import { portal, portalKey, usePortal } from '../../api/portal.ts'
import { useDelayed } from '../../shell/use-delayed.ts'
import { useText } from '../../text/language.ts'
import { moneyText } from '../../text/numbers.ts'
import { useRefusalText } from '../../text/remarks.ts'
import { fieldError } from '../../ui/problem.tsx'
import { useMay } from '../session.ts'
import { SELL } from './messages.ts'
import { newRefid } from './sale.ts'

export type Values = FormValues<FormOption>

const BILL_DELAY_MS = 400
const QUOTE_DELAY_MS = 250

/** State of a product's form: values, messages, the bill and the price. */
export function useForm(product: Product, initial: Values) {
  const text = useText(SELL)
  const [values, setValues] = useState<Values>(initial)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [isTried, setTried] = useState(false)
  const [refid, setRefid] = useState(newRefid)
  const [refusal, setRefusal] = useState<unknown>(null)
  const base = fieldsOf(product, text.ownAccount)
  const fields = base.map((field) => inWords(adaptField(product, field, values), text.standard))
  const bill = useBill(product, fields, values)
  const isRight = fields.every((field) => problemOf(product, field, values) === undefined)
  const body = { refid, ...requestOf(product, values) }
  const isChosen = pricedOption(product, values) !== undefined
  const quote = useQuote(body, isRight && bill.refusal === undefined, isChosen)
  const maySell = useMay('sell')
  const messages = new Map<string, string>()
  for (const field of fields) {
    const message = problemSentence(field, problemOf(product, field, values), text, moneyText)
    const refused = refusedMessage(product, field, refusal) ?? quote.messageOf(product, field.id)
    const unknown = field.id === product.fulfillment.account.from_field ? bill.refusal : undefined
    const isAmount = field.id === product.fulfillment.amount.from_field
    const unpriced = isAmount && quote.isUnpriced ? text.noPrice : undefined
    const shown = message ?? refused ?? unknown ?? unpriced
    if (shown !== undefined) messages.set(field.id, shown)
  }
  const isRefused = quote.isRefused || quote.isUnpriced || quote.error !== null || refusal !== null
  return {
    fields,
    values,
    body,
    bill,
    quote,
    messages,
    isRight: messages.size === 0,
    /** Why there may be no price. Only admins are told the price of what is typed; all see those of choices. */
    pricing: bill.refusal === undefined ? pricingOf(isRight, isRefused, maySell) : 'refused',
    /** Reason of a refusal, as far as it is about a field. */
    refusedBecause: bill.refusal ?? (isRight && isRefused ? [...messages.values()][0] : undefined),
    setValue(id: string, value: string | FormOption | undefined) {
      setRefusal(null)
      setValues((former) => withValue(base, former, id, value))
    },
    leave: (id: string) => setLeft((former) => new Set(former).add(id)),
    /** Shows every message from now on. */
    setTried: () => setTried(true),
    setRefusal,
    refusal,
    /** Message of a field. It is shown when the person has left the field, or has tried to pay. */
    shownMessage(id: string): string | undefined {
      // The biller has answered about the whole account: there is nothing to wait for.
      if (bill.refusal !== undefined && messages.get(id) === bill.refusal) return bill.refusal
      return isTried || (left.has(id) && !isBlank(values[id])) ? messages.get(id) : undefined
    },
    renewRefid: () => setRefid(newRefid()),
    clear() {
      setValues({})
      setLeft(new Set())
      setTried(false)
      setRefusal(null)
      setRefid(newRefid())
    },
  }
}

export type SellForm = ReturnType<typeof useForm>

export type Pricing = 'open' | 'asking' | 'refused' | 'untold'

function pricingOf(isFilled: boolean, isRefused: boolean, maySell: boolean): Pricing {
  if (!isFilled) return 'open'
  if (isRefused) return 'refused'
  return maySell ? 'asking' : 'untold'
}

function isBlank(value: string | FormOption | undefined): boolean {
  return value === undefined || value === ''
}

/** Message of the service's refusal that belongs to this field. */
function refusedMessage(product: Product, field: Field, refusal: unknown): string | undefined {
  for (const name of ['account', 'amount', ...Object.keys(product.fulfillment.extras ?? {})]) {
    if (fieldOfError(product, name) !== field.id) continue
    const message = fieldError(refusal, name) ?? fieldError(refusal, `extras.${name}`)
    if (message !== undefined) return message
  }
  return undefined
}

function useBill(product: Product, fields: readonly Field[], values: Values) {
  const { standard } = useText(SELL)
  const wanted = JSON.stringify(billQueryOf(product, fields, values) ?? null)
  const settled = useDelayed(wanted, BILL_DELAY_MS)
  const query = JSON.parse(settled) as BillQuery | null
  const isAsked = query !== null && settled === wanted
  const { data, error, isFetching, dataUpdatedAt } = usePortal(
    'portalGetBill',
    { query: query ?? { account: '', product: '' } },
    { isEnabled: isAsked },
  )
  return {
    data: isAsked ? data : undefined,
    refusal: isAsked ? refusedAccount(error, standard) : undefined,
    isAsking: isAsked && isFetching,
    askedAtMs: dataUpdatedAt,
  }
}

function refusedAccount(error: unknown, standard: (text: string) => string): string | undefined {
  const refusal = error instanceof ApiProblem ? accountRefusal(error.status, error.message) : undefined
  return refusal === undefined ? undefined : standard(refusal)
}

/** Question what a payment costs. `asked`: its body as JSON, without the refid. It is asked anew before a quote expires. */
export function quoteQuery(asked: string, refid: string) {
  return queryOptions({
    // A refused sale gets another refid: what it met may have come since the quote.
    queryKey: [...portalKey('portalQuote'), asked, refid],
    queryFn: ({ signal }) =>
      portal.call('portalQuote', { body: JSON.parse(asked) as QuoteRequest }, { signal }),
    // Prices and the balance change by others' doing: each form asks anew.
    staleTime: 0,
    gcTime: 0,
    refetchInterval: ({ state }) => renewalMs(state.data?.data.expires_at),
  })
}

/** Cost of the payment, as the service quotes it. Nothing is paid by asking, and the cost holds for a while. */
function useQuote(body: PaymentRequest, isRight: boolean, isChosen: boolean) {
  const maySell = useMay('sell')
  const reasonOf = useRefusalText()
  const { refid, ...wanted } = body
  const key = JSON.stringify({ ...wanted, amount: String(wanted.amount) })
  const settled = useDelayed(key, isChosen ? 0 : QUOTE_DELAY_MS)
  const isAsked = maySell && isRight && settled === key
  const { data, error } = useQuery({ ...quoteQuery(settled, refid), enabled: isAsked })
  const told = isAsked ? data?.data : undefined
  const problems = (told?.problems ?? []).map((each) => ({ ...each, message: reasonOf(each) }))
  return {
    key,
    /** Quote to pay with; null: there is none yet, or the payment would be refused. */
    id: told?.quote_id ?? null,
    told,
    blocked: told?.blocked ?? null,
    problems,
    isRefused: told !== undefined && told.quote_id === null,
    /** True when the payment could be made, but the reseller's adjustment leaves the customer nothing to pay. */
    isUnpriced: told !== undefined && told.quote_id !== null && told.price === null,
    error: isAsked ? error : null,
    messageOf(of: Product, id: string): string | undefined {
      return problems.find(({ field }) => field !== null && fieldOfError(of, field) === id)?.message
    },
  }
}

const RENEWED_BEFORE_MS = 30_000
const RENEWED_MS_MIN = 20_000

function renewalMs(expiresAt: string | null | undefined): number | false {
  if (expiresAt == null) return false
  return Math.max(Date.parse(expiresAt) - Date.now() - RENEWED_BEFORE_MS, RENEWED_MS_MIN)
}
