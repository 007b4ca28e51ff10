import type { Choices, Combo } from '@warung/forms/fields'
import { CLOSED } from '@warung/forms/fields'
import type { Values } from '@warung/forms/form'
import {
  accountRefusal,
  adaptField,
  billQueryOf,
  canAskOptions,
  fieldOfError,
  fieldsOf,
  onlyChoice,
  optionParams,
  problemOf,
  problemSentence,
  requestOf,
  withValue,
} from '@warung/forms/form'
import { inWords } from '@warung/forms/standard-texts'
import type { Field, FormOption } from '@warung/forms/types'
import type { Client } from '../api/client.ts'
import { asProblem } from '../api/client.ts'
import type { OrderItem, Product } from '../api/wire.ts'
import { askedItem } from '../rules/order.ts'
import { moneyText } from '../text/format.ts'
import type { Texts } from '../text/messages.ts'
import type { FormState } from './types.ts'

const OPTIONS_DELAY_MS = 300
const BILL_DELAY_MS = 400
const QUOTE_DELAY_MS = 300
export const SEARCHED_LIMIT = 30

/** Empty form of a product; `kept` are values of an earlier visit. */
export function formOf(product: Product, kept: Values, line: number | undefined): FormState {
  return {
    product,
    line,
    values: kept,
    quantity: 1,
    left: new Set(),
    isTried: false,
    options: {},
    combos: {},
    bill: undefined,
    isAskingBill: false,
    billRefusal: undefined,
    quote: undefined,
    refusals: {},
  }
}

/** Fields as the chosen options want them. */
export function shownFields({ product, values }: FormState, text: Texts): readonly Field[] {
  return fieldsOf(product, text.ownAccount).map((field) =>
    inWords(adaptField(product, field, values), text.standard),
  )
}

/** Fields of a line that the shop chose: only those whose values are missing can be filled in. */
export function openFields(form: FormState, item: OrderItem | undefined, text: Texts): readonly Field[] {
  const fields = shownFields(form, text)
  if (item === undefined) return fields
  const open = item.missing.map((name) => fieldOfError(form.product, name))
  return fields.filter(({ id }) => open.includes(id))
}

/** Tells whether every field has a value of the right form. */
export function isFilled(form: FormState, text: Texts): boolean {
  const { product, values } = form
  return shownFields(form, text).every((field) => problemOf(product, field, values) === undefined)
}

/** Message of a field: its definition's, the service's, or the biller's. */
export function messageOf(form: FormState, field: Field, text: Texts): string | undefined {
  const { product, values, refusals, billRefusal } = form
  const own = problemSentence(field, problemOf(product, field, values), text, moneyText)
  const unknown = field.id === product.fulfillment.account.from_field ? billRefusal : undefined
  return own ?? refusals[field.id] ?? unknown
}

/** Message that is shown: of a field that somebody has left, or of all after the first attempt. */
export function shownMessage(form: FormState, field: Field, text: Texts): string | undefined {
  const value = form.values[field.id]
  const isBlank = value === undefined || value === ''
  // The biller has answered about the whole account: there is nothing to wait for.
  if (form.billRefusal !== undefined && messageOf(form, field, text) === form.billRefusal)
    return form.billRefusal
  if (!form.isTried && (isBlank || !form.left.has(field.id))) return undefined
  return messageOf(form, field, text)
}

/** Values that a field's choices depend on, as text: choices of other values are never shown. */
export function paramsKey(field: Field, values: Values): string {
  return JSON.stringify(optionParams(field, values))
}

/** Choices that match what is typed. Those of the search before do until the answer comes. */
export function matching(form: FormState, field: Field): readonly FormOption[] {
  const options = form.options[field.id]
  if (options?.kind !== 'ready' || options.params !== paramsKey(field, form.values)) return []
  const search = comboOf(form, field.id).search.trim()
  if (options.search === search) return options.items
  const words = search.toLowerCase().split(/\s+/)
  return options.items.filter(({ label, code }) => {
    const text = `${label} ${code}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

/** Choices of a field as they are drawn; undefined while there is nothing to choose from. */
export function choicesOf(form: FormState, field: Field): Choices | undefined {
  const options = form.options[field.id]
  const search = form.combos[field.id]?.search.trim()
  if (options?.kind === 'failed') {
    return search === undefined || search === '' ? undefined : { items: [], total: 0, asking: 'failed' }
  }
  const items = matching(form, field)
  const isOfForm = options?.kind === 'ready' && options.params === paramsKey(field, form.values)
  // Options of the former account are gone at once, so that none of them can be chosen for the new one.
  if (!isOfForm) return search === undefined ? undefined : { items, total: 0, asking: 'open' }
  return { items, total: options.total, asking: options.search === (search ?? '') ? undefined : 'open' }
}

export type FormDeps = {
  readonly client: Client
  readonly form: () => FormState | undefined
  readonly item: () => OrderItem | undefined
  readonly texts: () => Texts
  /** Changes the form if it is still the one of this product. */
  readonly change: (product: Product, part: Partial<FormState>) => void
  /** Gives a field of the form its value, as the customer would. */
  readonly choose: (id: string, option: FormOption) => void
}

/**
 * Asks the service for what a form needs: choices, the bill and the price. Each question waits until typing has paused,
 * and the answer to an older question is never shown.
 */
export function createFormQuestions({ client, form, item, texts, change, choose }: FormDeps) {
  const running = new Map<
    string,
    { key: string; stop: AbortController; timer: ReturnType<typeof setTimeout> }
  >()

  /** Asks once for a key; another key, or undefined, ends the question before. */
  function ask(
    name: string,
    key: string | undefined,
    delayMs: number,
    run: (signal: AbortSignal) => void,
  ): void {
    const former = running.get(name)
    if (former?.key === key) return
    former?.stop.abort()
    clearTimeout(former?.timer)
    running.delete(name)
    if (key === undefined) return
    const stop = new AbortController()
    running.set(name, { key, stop, timer: setTimeout(() => run(stop.signal), delayMs) })
  }

  function askOptions(current: FormState, field: Field, fields: readonly Field[]): void {
    const { product, values, combos } = current
    const isAskable = canAskOptions(product, fields, field, values)
    const search = (combos[field.id]?.search ?? '').trim()
    const params = paramsKey(field, values)
    const key = isAskable ? JSON.stringify([params, search]) : undefined
    const known = current.options[field.id]
    const name = `options ${field.id}`
    if (isAskable && known?.kind === 'ready' && known.params === params && known.search === search) {
      // A question for something that was typed in between is not wanted any more.
      ask(name, undefined, 0, () => undefined)
      return
    }
    ask(name, key, known === undefined ? 0 : OPTIONS_DELAY_MS, (signal) => {
      const query = {
        ...optionParams(field, values),
        ...(search === '' ? {} : { search }),
        limit: String(SEARCHED_LIMIT),
      }
      const put = (options: FormState['options'][string]) =>
        change(product, { options: { ...form()?.options, [field.id]: options } })
      client.options(query, signal).then(
        ({ items, meta }) => {
          if (signal.aborted) return
          put({ kind: 'ready', params, search, items, total: meta.total })
          const only = search === '' ? onlyChoice(field, items) : undefined
          if (only !== undefined && form()?.values[field.id] === undefined) choose(field.id, only)
        },
        () => {
          if (!signal.aborted) put({ kind: 'failed' })
        },
      )
    })
  }

  function askBill(current: FormState, fields: readonly Field[]): void {
    const { product, values, line } = current
    const query = line === undefined ? billQueryOf(product, fields, values) : undefined
    const key = query === undefined ? undefined : JSON.stringify(query)
    if (running.get('bill')?.key === key) return
    change(product, { bill: undefined, billRefusal: undefined, isAskingBill: key !== undefined })
    ask('bill', key, BILL_DELAY_MS, (signal) => {
      if (query === undefined) return
      client.bill(query, signal).then(
        (bill) => {
          if (!signal.aborted) change(product, { bill, isAskingBill: false })
        },
        (error: unknown) => {
          if (signal.aborted) return
          const { status, message } = asProblem(error)
          const refusal = accountRefusal(status, message)
          const billRefusal = refusal === undefined ? undefined : texts().standard(refusal)
          change(product, { billRefusal, isAskingBill: false })
        },
      )
    })
  }

  function askQuote(current: FormState, fields: readonly Field[]): void {
    const { product, values, quantity, line } = current
    const isRight = fields.every((field) => problemOf(product, field, values) === undefined)
    const wanted = askedItem(requestOf(product, values), quantity)
    const key = isRight && line === undefined && quantity > 0 ? JSON.stringify(wanted) : undefined
    if (running.get('quote')?.key === key) return
    change(product, { quote: undefined, refusals: {} })
    ask('quote', key, QUOTE_DELAY_MS, (signal) => {
      client.quote(wanted, signal).then(
        (quote) => {
          if (!signal.aborted) change(product, { quote })
        },
        (error: unknown) => {
          if (signal.aborted) return
          const problem = asProblem(error)
          // A price that could not be asked for now comes with the answer that adds the item.
          if (problem.status === 422)
            change(product, { refusals: refusalsOf(product, problem.fields, texts()) })
        },
      )
    })
  }

  return {
    /** Looks at the form after a change, and asks what it needs now. */
    review(): void {
      const current = form()
      if (current === undefined) return
      const fields = openFields(current, item(), texts())
      for (const field of fields) if (field.type === 'select') askOptions(current, field, fields)
      askBill(current, fields)
      askQuote(current, fields)
    },
    /** Asks again after a failure. */
    retryOptions(id: string): void {
      running.delete(`options ${id}`)
      const current = form()
      if (current === undefined) return
      const { [id]: _failed, ...options } = current.options
      change(current.product, { options })
      this.review()
    },
    stop(): void {
      for (const { stop, timer } of running.values()) {
        stop.abort()
        clearTimeout(timer)
      }
      running.clear()
    },
  }
}

/** Messages of the service by field of the form. Names such as `items.0.account` are read by their end. */
export function refusalsOf(
  product: Product,
  fields: Readonly<Record<string, readonly string[]>>,
  text: Texts,
): Record<string, string> {
  const refusals: Record<string, string> = {}
  for (const [name, [message = text.refused]] of Object.entries(fields)) {
    const id = fieldOfError(product, name.replace(/^items\.\d+\./, '')) ?? ''
    refusals[id] ??= text.standard(message)
  }
  return Object.keys(refusals).length === 0 ? { '': text.refused } : refusals
}

/** Sets a value of the form. Choices that depended on the former value go, with their lists. */
export function valueSet(
  form: FormState,
  fields: readonly Field[],
  id: string,
  value: string | FormOption | undefined,
): Partial<FormState> {
  const values = withValue(fields, form.values, id, value)
  const { [id]: _mended, ...refusals } = form.refusals
  return { values, refusals }
}

export function comboOf(form: FormState, id: string): Combo {
  return form.combos[id] ?? CLOSED
}
