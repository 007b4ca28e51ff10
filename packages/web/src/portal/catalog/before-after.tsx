import type { CataloguePreview, PriceLine } from '../../api/portal.generated.ts'
import { Icon } from '../../ui/icon.tsx'
import { Money } from '../../ui/money.tsx'

export type Side = CataloguePreview['products'][number]['after']
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

export type BeforeAfterProps = {
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
