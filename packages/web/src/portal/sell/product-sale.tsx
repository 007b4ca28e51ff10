import { accountOf, billerFieldOf, OWN_ACCOUNT_ID } from '@warung/forms/form'
import type { Field } from '@warung/forms/types'
import type { KeyboardEvent } from 'react'
import { useEffect, useRef, useState } from 'react'
import type { Product } from '../../api/portal.generated.ts'
import { usePortal } from '../../api/portal.ts'
import { useFilters, useGo } from '../../shell/navigation.tsx'
import { useShortcuts } from '../../shell/shortcuts.ts'
import { useBusyPage } from '../../shell/version-banner.tsx'
import { useText } from '../../text/language.ts'
import { Panel } from '../../ui/panel.tsx'
import { Note, State } from '../../ui/state.tsx'
import { useMay, useMember } from '../session.ts'
import { holdsSame, LINES_MAX } from './basket/basket.ts'
import { addLine, useBasket } from './basket/store.ts'
import { SellBill, SellField } from './fields.tsx'
import { pressInForm, useFirstFocus } from './focus.ts'
import { SELL } from './messages.ts'
import { RepeatDialog } from './repeat-dialog.tsx'
import type { Sale } from './sale.ts'
import { KnownSale, SentSale } from './sale-view.tsx'
import type { Step } from './till.tsx'
import { RequestPanel, Till } from './till.tsx'
import type { SellForm, Values } from './use-form.ts'
import { useForm } from './use-form.ts'
import { useSale } from './use-sale.ts'

/** Sale that begins with what is known already, such as a number. */
export type Begun = {
  readonly values: Values
  /** Words for the account, which has no field of its own then. */
  readonly account: string
  /** Amount that is chosen at first; left out: none. */
  readonly amount?: string | undefined
  /** Ends the sale, for the next customer. */
  readonly onNext: () => void
}

type ProductSaleProps = {
  readonly product: Product
  readonly hasDefinitions?: boolean
  readonly begun?: Begun
}

/** Form of a product, and the till beside it. */
export function ProductSale({ product, hasDefinitions = false, begun }: ProductSaleProps) {
  const { state, pay, leave } = useSale(product.code, begun === undefined)
  useBusyPage(state.kind !== 'known')
  const maySell = useMay('sell')
  const open = useGo()
  const form = useForm(product, begun?.values ?? {})
  useNamedBiller(product, form)
  const { setRefusal, renewRefid, clear } = form
  const refused = state.kind === 'none' ? state.error : null
  // A refusal stands beside what was typed. The next attempt is a payment of its own.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new refusal counts.
  useEffect(() => {
    if (refused === null) return
    setRefusal(refused)
    renewRefid()
  }, [refused])
  const [asking, setAsking] = useState<Step | undefined>(undefined)
  const { quote } = form
  const repeated = quote.told?.warnings.find(({ payment }) => payment !== null)?.payment ?? undefined
  const { isFilling, isFull, holds, add } = useFilledBasket(product, form, begun)
  const isRepeated = repeated !== undefined || holds
  const go = (step: Step, more: { readonly allow_duplicate?: true } = {}) => {
    if (quote.id === null) return
    if (step === 'pay') pay({ ...form.body, quote_id: quote.id, ...more }, quote.told?.price ?? null)
    else if (add(more)) onAdded()
  }
  const onAdded = () => {
    clear()
    if (begun === undefined) open('/portal/sell')
    else begun.onNext()
  }
  const tryTo = (step: Step) => {
    form.setTried()
    if (!form.isRight) focusFirstProblem()
    else if (!maySell || quote.blocked !== null || state.kind !== 'none') return
    else if (quote.id === null) setAwaited(quote.key, step)
    else if (isRepeated && (step === 'add' || repeated !== undefined)) setAsking(step)
    else go(step)
  }
  const setAwaited = useAwaitedQuote(form, tryTo)
  // Once a basket is filled, nothing is paid beside it by mistake.
  const first: Step = isFilling ? 'add' : 'pay'
  const tryToPay = () => tryTo(first)
  useShortcuts({ 'ctrl+enter': tryToPay })
  const sellAgain = () => {
    leave()
    clear()
  }
  if (state.kind === 'known') {
    return (
      <div className="ended">
        <KnownSale
          sale={state.sale}
          paymentId={state.paymentId}
          onAnother={sellAgain}
          {...(begun === undefined ? {} : { onNext: begun.onNext })}
        />
      </div>
    )
  }
  if (state.kind === 'sent') {
    return (
      <div className="ended">
        <SentSale sale={state.sale} error={state.error} />
      </div>
    )
  }
  return (
    <>
      <FormPanel
        product={product}
        form={form}
        hasDefinitions={hasDefinitions}
        begun={begun}
        onPay={tryToPay}
      />
      <div className="stack">
        <Till
          product={product}
          form={form}
          first={first}
          isFull={isFull}
          onPay={tryToPay}
          onAdd={() => tryTo('add')}
          isStale={state.isStale}
        />
        {asking === undefined ? null : (
          <RepeatDialog
            payment={repeated}
            onClose={() => setAsking(undefined)}
            onPay={() => {
              setAsking(undefined)
              go(asking, { allow_duplicate: true })
            }}
          />
        )}
        {hasDefinitions ? <RequestPanel body={form.body} /> : null}
      </div>
    </>
  )
}

/**
 * Pays once the price is there, when somebody pays before it is shown. The returned function says for which form; a form
 * that is changed meanwhile is not paid, nor is a number that turns out to be another operator's.
 */
function useAwaitedQuote(
  { quote, isRight }: SellForm,
  onReady: (step: Step) => void,
): (key: string, step: Step) => void {
  const [{ key: awaited, step }, setAwaited] = useState<{ readonly key: string | null; readonly step: Step }>(
    NOTHING,
  )
  const isDoubted = quote.told?.warnings.some(({ code }) => code === 'operator_differs') === true
  const isOver = awaited !== null && (awaited !== quote.key || !isRight || quote.error !== null || isDoubted)
  const isReady = awaited === quote.key && quote.id !== null
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each that is awaited.
  useEffect(() => {
    if (!isOver && !isReady) return
    setAwaited(NOTHING)
    if (!isOver) onReady(step)
  }, [isOver, isReady])
  return (key, next) => setAwaited({ key, step: next })
}

const NOTHING = { key: null, step: 'pay' } as const

/** Basket of the customer, as far as the form of one product fills it. */
function useFilledBasket(product: Product, { body }: SellForm, begun: Begun | undefined) {
  const { account: reseller } = useMember().reseller
  const basket = useBasket(reseller)
  const sale: Sale = {
    reseller,
    product: product.code,
    refid: body.refid,
    sentAtMs: 0,
    body,
    paymentId: null,
    price: null,
  }
  const isFilling = basket?.isPaid === false
  return {
    isFilling,
    isFull: isFilling && basket.lines.length >= LINES_MAX,
    /** True: the same is in it already. */
    holds: isFilling && holdsSame(basket, sale),
    add(more: { readonly allow_duplicate?: true }): boolean {
      const account = begun?.account ?? body.account
      return addLine(reseller, { name: product.name, account, sale: { ...sale, body: { ...body, ...more } } })
    },
  }
}

/** Puts the cursor into the first field that needs mending, once its message is drawn. */
function focusFirstProblem(): void {
  requestAnimationFrame(() => {
    document.querySelector<HTMLElement>('.frm [aria-invalid="true"], .frm .is-wrong input')?.focus()
  })
}

/** Chooses the biller that the address names. */
function useNamedBiller(product: Product, { setValue, values }: SellForm): void {
  const [search] = useFilters()
  const field = billerFieldOf(product)
  const code = search.biller
  const isNamed = field !== undefined && code !== undefined
  const { data } = usePortal(
    'portalGetSellOptions',
    { query: { product_code: product.code, field_id: field ?? '', biller_code: code ?? '', limit: 1 } },
    { isEnabled: isNamed },
  )
  const biller = data?.items.find((each) => each.code === code)
  const isChosen = field !== undefined && values[field] !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the biller is known.
  useEffect(() => {
    if (biller !== undefined && field !== undefined && !isChosen) setValue(field, biller)
  }, [biller])
}

type FormPanelProps = { product: Product; form: SellForm; hasDefinitions: boolean }

type WholeFormProps = FormPanelProps & { begun: Begun | undefined; onPay: () => void }

function FormPanel({ product, form, hasDefinitions, begun, onPay }: WholeFormProps) {
  const text = useText(SELL)
  const frame = useRef<HTMLDivElement>(null)
  const [{ biller }] = useFilters()
  // The field of a biller that the address names is filled by itself.
  const skipped = biller === undefined ? undefined : billerFieldOf(product)
  const first = form.fields.findIndex(({ id }) => id !== skipped)
  // The number's field keeps the focus until it is left.
  useFirstFocus(frame, `[data-field="${first}"] :is(input, select)`, begun === undefined)
  useFocusOnChoice(frame, form)
  const account = accountOf(product)?.from_field ?? OWN_ACCOUNT_ID
  const fields = begun === undefined ? form.fields : form.fields.filter(({ id }) => id !== account)
  const wrong = begun === undefined ? undefined : form.messages.get(account)
  const press = (event: KeyboardEvent<HTMLElement>) => pressInForm(event, { isRight: form.isRight, onPay })
  return (
    <Panel
      title={
        <>
          {product.name} <span className="mono sub small">{begun?.account ?? product.code}</span>
        </>
      }
      actions={
        <>
          <Health product={product.code} />
          <span className="tag">{text.times[product.processing_time]}</span>
        </>
      }
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the fields inside it take the keys. */}
      <div className="frm" ref={frame} onKeyDown={press}>
        {product.note === null ? null : <p className="mid small">{text.standard(product.note)}</p>}
        <Interruption product={product.code} />
        {wrong === undefined ? null : <Note tone="bad">{wrong}</Note>}
        {begun === undefined ? null : <SellBill form={form} />}
        {fields.map((field, index) => (
          <FieldRow
            key={field.id}
            at={index}
            product={product}
            form={form}
            field={field}
            hasDefinitions={hasDefinitions}
            amount={begun?.amount}
          />
        ))}
      </div>
    </Panel>
  )
}

/** Moves the focus from a choice to the one that is made by itself: Enter pays that one. */
function useFocusOnChoice(frame: { readonly current: HTMLElement | null }, { values }: SellForm): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change of a value.
  useEffect(() => {
    const { activeElement: element } = document
    if (!(element instanceof HTMLInputElement) || element.type !== 'radio' || element.checked) return
    if (frame.current?.contains(element)) {
      frame.current.querySelector<HTMLElement>(`input[name="${element.name}"]:checked`)?.focus()
    }
  }, [values])
}

function useIsInterrupted(product: string): boolean | undefined {
  const { data } = usePortal('portalGetNetwork', { query: { product } })
  return data === undefined ? undefined : data.data.network_status === 'Interruption'
}

function Health({ product }: { product: string }) {
  const text = useText(SELL)
  const isInterrupted = useIsInterrupted(product)
  if (isInterrupted === undefined) return null
  return (
    <State tone={isInterrupted ? 'warning' : 'ok'}>{isInterrupted ? text.interrupted : text.healthy}</State>
  )
}

function Interruption({ product }: { product: string }) {
  const text = useText(SELL)
  return useIsInterrupted(product) ? <Note tone="warning">{text.interruptedAbout}</Note> : null
}

function FieldRow({
  product,
  form,
  field,
  at,
  hasDefinitions,
  amount,
}: FormPanelProps & { field: Field; at: number; amount: string | undefined }) {
  return (
    <>
      <div className={hasDefinitions ? 'fr' : undefined} data-field={at}>
        <SellField product={product} form={form} field={field} amount={amount} />
        {hasDefinitions ? <Definition product={product} field={field} /> : null}
      </div>
      {field.id === product.fulfillment.account.from_field ? <SellBill form={form} /> : null}
    </>
  )
}

/** Definition of a field, beside it: its id, its kind, and where its value goes. */
function Definition({ product, field }: { product: Product; field: Field }) {
  const { account, amount, extras } = product.fulfillment
  const goes = [
    ...(account.from_field === field.id ? ['account'] : []),
    ...(amount.from_field === field.id ? ['amount'] : []),
    ...Object.entries(extras ?? {}).flatMap(([name, each]) =>
      each.from_field === field.id ? [`extras.${name}`] : [],
    ),
  ]
  return (
    <div className="def">
      <b>{field.id}</b>
      <br />
      {[field.type, field.role, ...(field.data_source === undefined ? [] : [field.data_source.type])].join(
        ', ',
      )}
      <br />
      {goes.join(', ')}
      {field.validation.pattern === undefined ? null : (
        <>
          <br />
          {field.validation.pattern}
        </>
      )}
    </div>
  )
}
