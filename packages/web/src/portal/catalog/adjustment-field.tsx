import { useState } from 'react'
import type { CataloguePreview, PortalProduct, PriceLine } from '../../api/portal.generated.ts'
import type { Translated } from '../../text/language.ts'
import { useText } from '../../text/language.ts'
import { moneyParts, percentOfFactor } from '../../text/numbers.ts'
import { Icon } from '../../ui/icon.tsx'
import { Money } from '../../ui/money.tsx'
import type { TypedAdjustment } from './adjustment.ts'
import { readAdjustment } from './adjustment.ts'
import { CATALOG } from './messages.ts'

type AdjustmentFieldProps = {
  /** Name of the product, for screen readers. */
  readonly name: string
  readonly value: TypedAdjustment
  readonly isChanged: boolean
  readonly isDisabled: boolean
  /** Id of the text that says why the service refuses it; undefined: it does not. */
  readonly refusedBy?: string | undefined
  readonly onValue: (value: TypedAdjustment) => void
}

/** Amount or percentage that is added to the price, with its unit. */
export function AdjustmentField(props: AdjustmentFieldProps) {
  const { name, value, isChanged, isDisabled, refusedBy, onValue } = props
  const text = useText(CATALOG)
  // The unit that is chosen before a number is typed changes nothing yet, so that it stays in the field.
  const [chosen, setChosen] = useState(value.type)
  const unit = value.text === '' ? chosen : value.type
  const isUnreadable = readAdjustment(value) === undefined
  const isBad = isUnreadable || refusedBy !== undefined
  const classes = ['adj', isChanged ? 'ch' : '', isBad ? 'is-bad' : '', value.text === '' ? 'none' : '']
  return (
    <span className={classes.filter((each) => each !== '').join(' ')}>
      <fieldset className="seg2" aria-label={text.unitOf(name)}>
        {(['fixed', 'percentage'] as const).map((type) => (
          <button
            type="button"
            key={type}
            disabled={isDisabled}
            aria-pressed={unit === type}
            onClick={() => {
              setChosen(type)
              if (value.text !== '') onValue({ type, text: value.text })
            }}
          >
            {type === 'fixed' ? 'MYR' : '%'}
          </button>
        ))}
      </fieldset>
      <input
        aria-label={text.adjustmentOf(name)}
        aria-invalid={isBad || undefined}
        aria-describedby={refusedBy}
        title={isUnreadable ? text.unreadable : undefined}
        placeholder={unit === 'fixed' ? '0.00' : '0'}
        inputMode="text"
        autoComplete="off"
        maxLength={12}
        value={value.text}
        disabled={isDisabled}
        onChange={(event) => onValue({ type: unit, text: event.target.value })}
      />
    </span>
  )
}

type Side = CataloguePreview['products'][number]['after']
export type Sides = { readonly before: Side; readonly after: Side }

/** Lowest and highest of a figure, as the API gives them. */
export type Range = { readonly min: string; readonly max: string }

/** Ends of the prices. The numbers only choose which lines are shown. */
export function priceRange(lines: readonly PriceLine[]): Range | null {
  const active = lines.filter((line) => line.is_active)
  const sorted = [...(active.length === 0 ? lines : active)].sort((a, b) => Number(a.price) - Number(b.price))
  const [first, last] = [sorted[0], sorted.at(-1)]
  return first === undefined || last === undefined ? null : { min: first.price, max: last.price }
}

function isLoss({ min }: Range): boolean {
  return min.startsWith('-')
}

function RangeText({ range }: { range: Range | null }) {
  if (range === null) return <>–</>
  if (range.min === range.max) return <Money amount={range.min} />
  return (
    <span className="m">
      <Money amount={range.min} />–<Money amount={range.max} />
    </span>
  )
}

type BeforeAfterProps = {
  readonly before: Range | null
  readonly after: Range | null
  /** True: an amount below zero is marked as a loss. */
  readonly marksLoss?: boolean
}

/** Figure before and after in one line; once where nothing changes. */
export function BeforeAfter({ before, after, marksLoss = false }: BeforeAfterProps) {
  const isBad = marksLoss && after !== null && isLoss(after)
  if (before?.min === after?.min && before?.max === after?.max) {
    return (
      <span className={isBad ? 'bad strong' : 'mid'}>
        <RangeText range={after} />
      </span>
    )
  }
  return (
    <span className="ba">
      <s>
        <RangeText range={before} />
      </s>
      <span className="ar">
        <Icon name="arrow" small />
      </span>
      <b className={isBad ? 'bad' : undefined}>
        <RangeText range={after} />
      </b>
    </span>
  )
}

export function once(amount: string): Range {
  return { min: amount, max: amount }
}

type Text = Translated<(typeof CATALOG)['en']>

/** Cost in words: a part of the face value, or an amount beside it. */
export function costText({ discount }: Pick<PortalProduct, 'discount'>, text: Text): string {
  if (discount === null) return text.noPrice
  if (discount.type === 'percentage') return `${percentOfFactor(discount.unit_price)}%`
  const value = discount.unit_price
  const { main, beyond } = moneyParts(value.replace('-', '').includes('.') ? value : `${value}.00`)
  return value.startsWith('-') ? text.faceLess(main + beyond) : text.facePlus(main + beyond)
}
