import { fieldsOf, requestOf } from '@warung/forms/form'
import type { Language } from '@warung/forms/texts'
import { isLanguage } from '@warung/forms/texts'
import type { FormOption } from '@warung/forms/types'
import type { Problem } from '../api/client.ts'
import { asProblem } from '../api/client.ts'
import type { Order, OrderItem, Product } from '../api/wire.ts'
import {
  aboutLines,
  askedItem,
  filledPart,
  hasMoved,
  isFinal,
  isOlder,
  pauseMs,
  withFilled,
  withItem,
  withoutLine,
  withQuantity,
} from '../rules/order.ts'
import { textsIn } from '../text/languages.ts'
import { createBasketChanges } from './basket.ts'
import type { CheckoutDeps } from './deps.ts'
import { comboOf, createFormQuestions, formOf, messageOf, openFields, refusalsOf, valueSet } from './form.ts'
import { draftName, keepable, restored } from './kept.ts'
import { chosenLanguage, createLanguages } from './languages.ts'
import { createNumbers } from './numbers.ts'
import type { Busy, FormState, Notice, State, View } from './types.ts'

export type Checkout = ReturnType<typeof createCheckout>

const CLOCK_MS = 10_000

/** State of one order's checkout, and everything a customer can do. Each action runs once however often it is clicked. */
export function createCheckout({
  client,
  navigation,
  kept,
  device,
  language,
  isVisible,
  onChange,
  tell,
}: CheckoutDeps) {
  let state: State = {
    language: chosenLanguage(kept, language) ?? language ?? 'en',
    order: undefined,
    catalog: undefined,
    trouble: undefined,
    view: navigation.current(),
    search: '',
    number: undefined,
    recents: [],
    remembers: true,
    group: undefined,
    form: undefined,
    notice: undefined,
    failure: undefined,
    busy: 'loading',
    isAskingToCancel: false,
    repeats: [],
    hasGoneToPay: kept.get('gone') === true,
    results: undefined,
    leftMs: 0,
  }
  let isStopped = false
  let reads = 0
  let poll: ReturnType<typeof setTimeout> | undefined
  /** Instant of this machine at which the order expires, by the service's own clock. */
  let expiresAtMs = 0

  const text = () => textsIn(state.language)
  const change = (part: Partial<State>) => {
    if (isStopped) return
    state = { ...state, ...part }
    onChange(state)
  }
  const languages = createLanguages({ client, kept, asked: language, state: () => state, change })
  const numbers = createNumbers({ client, kept, device, state: () => state, change })
  const itemOf = (line: number | undefined) => state.order?.items.find((item) => item.line === line)

  // ── The form ──

  const questions = createFormQuestions({
    client,
    form: () => state.form,
    item: () => itemOf(state.form?.line),
    texts: text,
    change: (product, part) => {
      if (state.form?.product.code === product.code) change({ form: { ...state.form, ...part } })
    },
    choose: (id, option) => setValue(id, option),
  })

  /** Changes the form, keeps it in the tab, and asks for what it needs now. */
  const changeForm = (part: Partial<FormState>) => {
    if (state.form === undefined) return
    const form = { ...state.form, ...part }
    change({ form })
    const { product, line, values, quantity } = form
    kept.set(draftName(product.code, line), { values: keepable(product, values), quantity })
    questions.review()
  }

  function setValue(id: string, value: string | FormOption | undefined): void {
    const { form } = state
    if (form !== undefined) changeForm(valueSet(form, fieldsOf(form.product, ''), id, value))
  }

  function openForm(): void {
    const { view, catalog, form, order } = state
    questions.stop()
    const product = view.name === 'product' ? catalog?.products[view.code] : undefined
    if (view.name !== 'product' || product === undefined) {
      if (form !== undefined) change({ form: undefined })
      return
    }
    const item = itemOf(view.line)
    const draft = kept.get(draftName(product.code, item?.line)) as {
      values?: unknown
      quantity?: unknown
    } | null
    const values = restored(product, draft?.values)
    const fresh = formOf(product, item === undefined ? values : filledPart(product, item, values), item?.line)
    const quantity = Number(draft?.quantity)
    const isKept = order?.is_fixed !== true && Number.isInteger(quantity) && quantity > 0 && quantity <= 20
    change({ form: { ...fresh, quantity: item?.quantity ?? (isKept ? quantity : 1) } })
    questions.review()
  }

  // ── Navigation ──

  function show(view: View): void {
    change({ view, notice: undefined, failure: undefined, isAskingToCancel: false, repeats: [] })
    openForm()
  }
  function go(view: View): void {
    navigation.push(view)
    show(view)
  }
  const unwatch = navigation.watch(show)

  // ── The order ──

  function takeOrder(order: Order): void {
    const before = state.order
    if (before !== undefined && isOlder(order, before)) {
      schedule(before)
      return
    }
    expiresAtMs = Date.now() + (Date.parse(order.expires_at) - Date.parse(order.server_time))
    const own = chosenLanguage(kept, language) ?? language ?? order.language
    change({
      order,
      trouble: undefined,
      leftMs: Math.max(0, expiresAtMs - Date.now()),
      ...(isLanguage(own) ? { language: own } : {}),
    })
    if (before !== undefined && before.status !== order.status) {
      change({ isAskingToCancel: false, failure: undefined })
      announce(order)
    }
    if (before !== undefined && hasMoved(before, order)) void renewResults()
    schedule(order)
  }

  /** Reads the results that are shown again. Where that fails, the button that shows them is offered once more. */
  async function renewResults(): Promise<void> {
    if (state.results === undefined) return
    const results = await client.results().catch(() => undefined)
    if (state.results !== undefined) change({ results })
  }

  function announce({ order_id, status, total_amount, refund_amount, continue_url }: Order): void {
    const detail = { order_id, status, total_amount, refund_amount, continue_url }
    if (status === 'awaiting_payment') tell('submitted', detail)
    else if (status === 'cancelled') tell('cancelled', detail)
    else if (status === 'timeout') tell('error', { ...detail, code: 'order_timeout' })
    else if (isFinal(status)) tell('completed', detail)
  }

  function schedule({ status }: Order): void {
    clearTimeout(poll)
    const pause = pauseMs(status, reads)
    if (pause === undefined || isStopped) return
    poll = setTimeout(() => {
      reads += 1
      // A page that nobody looks at asks again when it is looked at.
      if (isVisible()) void refresh()
    }, pause)
  }

  /** Reads the order again. A failure is silent: what is shown stays, and the next read comes. */
  async function refresh(): Promise<void> {
    const { order, trouble, busy } = state
    // A page that could not be loaded begins again: its catalogue may be missing, too.
    if (trouble?.isPassing === true && busy === undefined) return load()
    if (order === undefined || isFinal(order.status)) return
    try {
      takeOrder(await client.order())
    } catch {
      schedule(order)
    }
  }

  const clock = setInterval(() => {
    if (state.order === undefined || isFinal(state.order.status) || state.order.status === 'confirmed') return
    const leftMs = Math.max(0, expiresAtMs - Date.now())
    // A read that got lost is repeated: nothing else tells that the time is over.
    if (leftMs === 0 && isVisible()) void refresh()
    change({ leftMs })
  }, CLOCK_MS)

  async function load(): Promise<void> {
    change({ busy: 'loading', trouble: undefined })
    try {
      const order = await client.order()
      takeOrder(order)
      if (order.status === 'draft') change({ catalog: await client.catalog() })
      if (order.status === 'draft' && order.is_fixed && state.view.name === 'shop')
        change({ view: { name: 'basket' } })
      change({ busy: undefined })
      numbers.load()
      openForm()
    } catch (error) {
      const trouble = asProblem(error)
      change({ busy: undefined, trouble })
      tell('error', { code: trouble.code, message: trouble.message })
    }
  }

  const putItems = createBasketChanges({ client, order: () => state.order, takeOrder })

  // ── Changes ──

  /** Runs an action once: further clicks wait for its end. A failure is shown with a button that repeats it. */
  async function once(busy: Busy, act: () => Promise<void>): Promise<void> {
    if (state.busy !== undefined) return
    change({ busy, failure: undefined, notice: undefined, repeats: [] })
    try {
      await act()
      change({ busy: undefined })
    } catch (error) {
      change({ busy: undefined })
      await settle(asProblem(error), () => void once(busy, act))
    }
  }

  /** Says what a refused change means for the customer. */
  async function settle(problem: Problem, retry: () => void): Promise<void> {
    tell('error', { code: problem.code, message: problem.message })
    if (problem.status === 404 || problem.status === 403) {
      change({ trouble: problem })
      return
    }
    if (problem.status !== 409 || problem.code === 'shop_closed') {
      change({ failure: { problem, retry } })
      return
    }
    const isMoved = await reread()
    if (!isMoved) change({ failure: { problem, retry } })
    else if (problem.code === 'order_changed') say('wait', text().changedElsewhere)
    else if (state.order !== undefined && !isFinal(state.order.status)) say('wait', text().orderMoved)
  }

  /** Reads the order after a conflict. It returns false when that is not possible either. */
  async function reread(): Promise<boolean> {
    try {
      takeOrder(await client.order())
      return true
    } catch {
      return false
    }
  }

  function say(tone: Notice['tone'], words: string): void {
    change({ notice: { tone, text: words } })
  }

  /** Puts the filled form into the basket, or its values into a line that the shop chose. */
  async function putForm(form: FormState): Promise<void> {
    const { product, line, values, quantity } = form
    const item = itemOf(line)
    const whole = askedItem(requestOf(product, values), quantity)
    try {
      await putItems(
        (order) => (item === undefined ? withItem(order, whole) : withFilled(order, item, whole)),
        line,
      )
    } catch (error) {
      const problem = asProblem(error)
      if (problem.status !== 422 || problem.lines.length > 0) throw error
      changeForm({ isTried: true })
      change({ form: { ...(state.form ?? form), refusals: refusalsOf(product, problem.fields, text()) } })
      return
    }
    kept.set(draftName(product.code, line), null)
    numbers.remember(product, values)
    navigation.replace({ name: 'basket' })
    show({ name: 'basket' })
    say('ok', item === undefined ? text().added(product.name) : text().saved(product.name))
  }

  void load()

  return {
    state: () => state,
    text,
    load,
    refresh,
    go,
    back: () => navigation.back({ name: state.order?.is_fixed === true ? 'basket' : 'shop' }),
    setLanguage(next: Language): void {
      languages.choose(next)
      void renewResults()
    },
    search: numbers.search,
    /** Opens the form of a product for a number. */
    begin(product: Product, number: string): void {
      numbers.fill(product, number)
      go({ name: 'product', code: product.code })
    },
    forgetNumbers: numbers.forget,
    chooseGroup: (group: string | undefined) => change({ group }),
    closeNotice: () => change({ notice: undefined, failure: undefined }),
    setValue,
    leaveField(id: string): void {
      if (state.form !== undefined) changeForm({ left: new Set(state.form.left).add(id) })
    },
    setQuantity: (quantity: number) => changeForm({ quantity }),
    setCombo(id: string, part: Partial<ReturnType<typeof comboOf>>): void {
      const { form } = state
      if (form !== undefined)
        changeForm({ combos: { ...form.combos, [id]: { ...comboOf(form, id), ...part } } })
    },
    retryOptions: (id: string) => questions.retryOptions(id),
    /** Adds the form to the basket. Returns false when something needs mending first. */
    add(): boolean {
      const { form } = state
      if (form === undefined) return false
      const fields = openFields(form, itemOf(form.line), text())
      if (fields.some((field) => messageOf(form, field, text()) !== undefined)) {
        changeForm({ isTried: true })
        return false
      }
      void once('adding', () => putForm(state.form ?? form))
      return true
    },
    setLineQuantity: (line: number, quantity: number) =>
      once('changing', () => putItems((order) => withQuantity(order, line, quantity))),
    removeLine: ({ line, product_name: name }: OrderItem) =>
      once('changing', async () => {
        await putItems((order) => withoutLine(order, line))
        say('ok', text().removed(name))
      }),
    /** Submits the basket. `isMeant`: the customer was asked about what repeats an earlier payment, and wants it. */
    submit: (isMeant = false) =>
      once('submitting', async () => {
        const { order } = state
        if (order === undefined) return
        try {
          takeOrder(await client.submit(order.version, isMeant))
        } catch (error) {
          const problem = asProblem(error)
          if (problem.code !== 'possible_duplicate') throw aboutLines(problem, order.items)
          change({ repeats: problem.repeats })
        }
      }),
    dropRepeats: () => change({ repeats: [] }),
    askToCancel: (isAskingToCancel: boolean) => change({ isAskingToCancel }),
    cancel: () =>
      once('cancelling', async () => {
        takeOrder(await client.cancel())
      }),
    goToPay(): void {
      kept.set('gone', true)
      change({ hasGoneToPay: true })
    },
    showResults: () =>
      once('results', async () => {
        change({ results: await client.results() })
      }),
    hideResults: () => change({ results: undefined }),
    say,
    /** Ends everything that goes on by itself. */
    stop(): void {
      isStopped = true
      questions.stop()
      numbers.stop()
      unwatch()
      clearTimeout(poll)
      clearInterval(clock)
    },
  }
}
