import { useQueries } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { SellQuote } from '../../../api/portal.generated.ts'
import { PageLink } from '../../../shell/navigation.tsx'
import { useText } from '../../../text/language.ts'
import { moneyText, sumText } from '../../../text/numbers.ts'
import { useRefusalText } from '../../../text/remarks.ts'
import { Button, IconButton, Key } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Figure, Money } from '../../../ui/money.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Note } from '../../../ui/state.tsx'
import { SELL } from '../messages.ts'
import { quoteQuery } from '../use-form.ts'
import type { Basket, BasketLine, Told } from './basket.ts'
import { changeOf } from './basket.ts'
import { BASKET } from './messages.ts'
import { leaveBasket, payBasket, removeLine } from './store.ts'
import './basket.css'

type PanelProps = {
  readonly basket: Basket
  /** Gives the focus back to the field of numbers. */
  readonly onField: () => void
}

/** Basket that is being filled: its lines with what they cost now, the total, the cash, and the button that pays all. */
export function BasketPanel({ basket, onField }: PanelProps) {
  const text = useText(BASKET)
  const quotes = useQuotes(basket.lines)
  const [cash, setCash] = useState('')
  const [isWanted, setWanted] = useState(false)
  const shown = quotes.flatMap(({ data }) => data?.data ?? [])
  const isTold = shown.length === basket.lines.length
  const total = sumText(shown.map(({ price }) => price ?? '0'))
  const cost = sumText(shown.map((each) => each.cost ?? '0'))
  const left = sumText([shown.at(-1)?.balance ?? '0', `-${cost}`])
  const isLow = isTold && left.startsWith('-')
  const change = changeOf(cash, total)
  const blocked = shown.find((each) => each.blocked !== null)?.blocked ?? null
  const isPayable =
    isTold &&
    shown.every(({ quote_id: id, price }) => id !== null && price !== null) &&
    !isLow &&
    blocked === null &&
    (change.kind === 'none' || change.kind === 'change')
  const pay = () => {
    if (!isTold) setWanted(true)
    else if (isPayable) payBasket(basket, toldOf(basket, shown), cash.trim())
  }
  // Enter before the last price is there pays when it is.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the prices are there.
  useEffect(() => {
    if (!isWanted || !isTold) return
    setWanted(false)
    pay()
  }, [isWanted, isTold])
  return (
    <Panel
      className="basket"
      title={text.title}
      count={basket.lines.length}
      actions={
        <Button size="sm" onClick={() => leaveBasket(basket)}>
          {text.empty}
        </Button>
      }
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the field and the buttons inside it take the keys. */}
      <div
        className="basket-in"
        onKeyDown={(event) => {
          if (event.key === 'Escape') onField()
        }}
      >
        <ul className="basket-lines">
          {basket.lines.map((line, index) => (
            <DraftLine key={line.sale.refid} line={line} quote={quotes[index]?.data?.data} basket={basket} />
          ))}
        </ul>
        <div className="basket-sum">
          <span className="mid">{text.total}</span>
          {isTold ? (
            <Figure amount={total} currency="MYR" size="s" />
          ) : (
            <span className="sub">{text.asking}</span>
          )}
          <Blocked blocked={blocked} />
          {isLow ? <Note tone="warning">{text.lowBalance(moneyText(left.slice(1), 'MYR'))}</Note> : null}
          <TextField
            label={text.cash}
            hint={cash === '' ? text.cashHint : undefined}
            error={change.kind === 'unreadable' ? text.cashForm : undefined}
            before="MYR"
            value={cash}
            onValue={setCash}
            inputMode="decimal"
            autoComplete="off"
            data-cash=""
            onKeyDown={(event) => {
              if (event.key === 'Enter') pay()
            }}
          />
          <p role="status" className="basket-change">
            {change.kind === 'missing' ? text.missing(moneyText(change.amount, 'MYR')) : null}
            {change.kind === 'change' ? (
              <>
                {text.change}{' '}
                <b>
                  <Money amount={change.amount} currency="MYR" />
                </b>
              </>
            ) : null}
          </p>
          <Button
            look="primary"
            size="lg"
            isWide
            isBusy={isWanted}
            disabled={isTold && !isPayable}
            onClick={pay}
          >
            {isTold ? text.payAmount(moneyText(cost, 'MYR')) : text.pay} <Key>Enter</Key>
          </Button>
          <p className="sub small">{text.cashKey}</p>
        </div>
      </div>
    </Panel>
  )
}

function useQuotes(lines: readonly BasketLine[]) {
  return useQueries({
    queries: lines.map(({ sale: { refid, body } }) => {
      const { refid: _, allow_duplicate: __, ...asked } = body ?? {}
      return quoteQuery(JSON.stringify(asked), refid)
    }),
  })
}

function toldOf({ lines }: Basket, shown: readonly SellQuote[]): ReadonlyMap<string, Told> {
  return new Map(
    lines.flatMap(({ sale }, index) => {
      const { quote_id: quoteId, price } = shown[index] ?? {}
      return quoteId == null || price == null ? [] : [[sale.refid, { quoteId, price }] as const]
    }),
  )
}

function Blocked({ blocked }: Pick<SellQuote, 'blocked'>) {
  const text = useText(SELL)
  return blocked === null ? null : <Note tone="warning">{text.blocked[blocked]}</Note>
}

type DraftProps = {
  readonly line: BasketLine
  readonly quote: SellQuote | undefined
  readonly basket: Basket
}

function DraftLine({ line, quote, basket }: DraftProps) {
  const text = useText(BASKET)
  const sell = useText(SELL)
  const reasonOf = useRefusalText()
  const { sale, name, account } = line
  const reason = quote?.problems[0]
  return (
    <li>
      <span className="t">
        <b>{name}</b>
        <small className="mono">{account}</small>
        {quote === undefined || quote.quote_id !== null ? null : (
          <span className="small bad" role="status">
            {reason === undefined ? sell.priceRefused : reasonOf(reason)} {text.refused}
          </span>
        )}
      </span>
      {quote?.price == null ? null : <Money amount={quote.price} currency="MYR" />}
      <IconButton icon="close" small label={text.remove(name)} onClick={() => removeLine(basket, sale)} />
    </li>
  )
}

/** Says on the page of a product that a basket waits, and leads to it. */
export function BasketHint({ basket }: { readonly basket: Basket }) {
  const text = useText(BASKET)
  return (
    <div className="going-on">
      <Note tone="info">
        {text.goesOn(text.lines(basket.lines.length))}{' '}
        <PageLink className="link" to="/portal/sell">
          {text.open}
        </PageLink>
      </Note>
    </div>
  )
}
