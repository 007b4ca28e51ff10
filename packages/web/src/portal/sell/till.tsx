import { pricedOption } from '@warung/forms/form'
import { useEffect, useRef } from 'react'
import type { PaymentRequest, Product } from '../../api/portal.generated.ts'
import { usePortal } from '../../api/portal.ts'
import { useText } from '../../text/language.ts'
import { moneyText } from '../../text/numbers.ts'
import { Button, Key } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Figure, Money } from '../../ui/money.tsx'
import { Panel } from '../../ui/panel.tsx'
import { ActionProblem } from '../../ui/problem.tsx'
import { Note, Shape } from '../../ui/state.tsx'
import { useMay } from '../session.ts'
import { LINES_MAX } from './basket/basket.ts'
import { BASKET } from './basket/messages.ts'
import { SELL } from './messages.ts'
import type { SellForm } from './use-form.ts'

/** Step that a filled form takes: it is paid at once, or put into the basket of the customer. */
export type Step = 'pay' | 'add'

export type TillProps = {
  readonly product: Product
  readonly form: SellForm
  /** Step that Enter takes: it pays, or fills the basket that is begun. */
  readonly first: Step
  readonly isFull: boolean
  readonly onPay: () => void
  readonly onAdd: () => void
  readonly isStale: boolean
}

type Prices = { price: string | undefined; cost: string | undefined }

/** Price and cost as the service gives them: of the whole form, or of the chosen option before that. */
function pricesOf(product: Product, { quote, values }: SellForm): Prices {
  const option = pricedOption(product, values)
  return {
    price: quote.told?.price ?? option?.price?.amount,
    cost: quote.told?.cost ?? option?.cost?.amount,
  }
}

/** Price for the customer, cost and margin, and the button that pays. */
export function Till(props: TillProps) {
  const { product, form, isStale } = props
  const text = useText(SELL)
  const { price, cost } = pricesOf(product, form)
  const { told, blocked, error } = form.quote
  const balance = usePortal('portalGetBalance', {})
  return (
    <>
      <Panel className="pay" title={text.till}>
        <div className="sumline">
          {price === undefined && cost === undefined ? <NoPrice form={form} /> : null}
          {price === undefined ? null : (
            <div className="big">
              <span className="mid">{text.customerPays}</span>
              <Figure amount={price} currency="MYR" size="s" />
            </div>
          )}
          <SumLine term={text.faceValue} amount={told?.face_value ?? undefined} />
          <hr />
          <SumLine term={text.fromWallet} amount={cost} />
          <SumLine term={text.margin} amount={told?.margin ?? undefined} isMargin />
          <SumLine term={text.walletNow} amount={told?.balance ?? balance.data?.data.balance} />
          <SumLine term={text.walletAfter} amount={told?.balance_after ?? undefined} />
          <div>
            <span className="mid">{text.refid}</span>
            <span className="mono small cut refid">{form.body.refid}</span>
          </div>
          {blocked === null ? null : <Note tone="warning">{text.blocked[blocked]}</Note>}
          <Warnings form={form} />
          {pricedOption(product, form.values)?.has_loss_risk === true ? (
            <Note tone="warning">{text.loss}</Note>
          ) : null}
          {isStale ? <Note tone="info">{text.stale}</Note> : null}
          {form.refusal === null ? <OtherProblems form={form} product={product} /> : null}
          <Refusal error={form.refusal ?? error} />
          <PayButtons {...props} cost={cost} />
          <Mend form={form} />
        </div>
      </Panel>
      <div className="paybar">
        {price === undefined ? null : (
          <span>
            <small className="sub">{text.customerPays}</small>
            <b className="strong">
              <Money amount={price} currency="MYR" />
            </b>
          </span>
        )}
        <PayButtons {...props} cost={cost} />
      </div>
    </>
  )
}

/** Why there is no price: the form is not filled in, it is being asked for, or the service refuses this payment. */
function NoPrice({ form }: { form: SellForm }) {
  const text = useText(SELL)
  const about = {
    open: text.priceLater,
    asking: text.askingPrice,
    refused: [text.priceRefused, form.refusedBecause].filter((part) => part !== undefined).join(' '),
    untold: '',
  }
  return (
    <p className="sub small" role="status">
      {about[form.pricing]}
    </p>
  )
}

function SumLine({
  term,
  amount,
  isMargin = false,
}: {
  term: string
  amount: string | undefined
  isMargin?: boolean
}) {
  if (amount === undefined) return null
  const tone = amount.startsWith('-') ? 'bad strong' : 'ok strong'
  return (
    <div>
      <span className="mid">{term}</span>
      <span className={isMargin ? tone : undefined}>
        <Money amount={amount} currency="MYR" />
      </span>
    </div>
  )
}

/** Error of the payment. It is brought into view, because the button that paid may stand elsewhere. */
function Refusal({ error }: { error: unknown }) {
  const element = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    if (error !== null) element.current?.scrollIntoView({ block: 'center' })
  }, [error])
  return (
    <span ref={element}>
      <ActionProblem error={error} />
    </span>
  )
}

/** Remarks that hinder no payment. A repeated payment is asked about when it is paid, and an interruption has its note. */
function Warnings({ form }: { form: SellForm }) {
  const text = useText(SELL)
  const codes = new Set(form.quote.told?.warnings.map(({ code }) => code))
  return (
    <>
      {codes.has('operator_differs') ? <Note tone="warning">{text.operatorDiffers}</Note> : null}
      {codes.has('balance_low_after') ? <Note tone="warning">{text.balanceLow}</Note> : null}
    </>
  )
}

/** Problems that belong to no field of the form. */
function OtherProblems({ form, product }: { form: SellForm; product: Product }) {
  const others = form.quote.problems.filter(
    ({ message }) => !form.fields.some(({ id }) => form.quote.messageOf(product, id) === message),
  )
  return others.map(({ token, message }) => (
    <Note key={token} tone="bad">
      {message}
    </Note>
  ))
}

function PayButtons(props: TillProps & { cost: string | undefined }) {
  const { form, first, isFull, onPay, onAdd, cost } = props
  const text = useText(SELL)
  const basket = useText(BASKET)
  const maySell = useMay('sell')
  if (!maySell) return <Note tone="info">{text.viewer}</Note>
  const isBlocked = form.quote.blocked !== null
  if (isFull) return <Note tone="info">{basket.full(LINES_MAX)}</Note>
  return (
    <>
      <Button
        look="primary"
        size="lg"
        isWide
        onClick={onPay}
        disabled={isBlocked}
        aria-keyshortcuts="Enter Control+Enter"
      >
        {first === 'add'
          ? basket.add
          : cost === undefined
            ? text.pay
            : text.payAmount(moneyText(cost, 'MYR'))}{' '}
        <Key>Enter</Key>
      </Button>
      {first === 'add' ? null : (
        <Button icon="plus" className="to-basket" onClick={onAdd} disabled={isBlocked} aria-keyshortcuts="+">
          {basket.add} <Key>+</Key>
        </Button>
      )}
    </>
  )
}

/** Says what is missing, once somebody has tried to pay. */
function Mend({ form }: { form: SellForm }) {
  const text = useText(SELL)
  const wrong = form.fields.filter(({ id }) => form.shownMessage(id) !== undefined)
  const [first] = wrong
  if (first === undefined) return null
  return (
    <p className="kb small sub row" role="status">
      <Shape tone="bad" isColoured />
      <span>{text.mend(wrong.length, first.label)}</span>
    </p>
  )
}

/** Request as a program sends it to the reseller API. */
export function RequestPanel({ body }: { body: PaymentRequest }) {
  const text = useText(SELL)
  const json = JSON.stringify(body, null, 2)
  return (
    <Panel className="code-panel" title={text.asSent} actions={<CopyButton value={json} />}>
      <pre className="code">{`POST /v2/topup\n${json}`}</pre>
    </Panel>
  )
}
