import { useText } from '../../text/language.ts'
import { Money } from '../../ui/money.tsx'
import { STATEMENT } from './messages.ts'

export type Total = { readonly amount: string; readonly count: number }

export type Line = { readonly label: string; readonly total: Total }

export type SummaryBarProps = {
  readonly label: string
  readonly opening: string
  readonly lines: readonly Line[]
  readonly closing: string
}

/** Opening balance, movements by type and closing balance, as the service has added them up. */
export function SummaryBar({ label, opening, lines, closing }: SummaryBarProps) {
  const text = useText(STATEMENT)
  return (
    <section className="sum wraps books" aria-label={label}>
      <div>
        <small>{text.opening}</small>
        <b>
          <Money amount={opening} currency="MYR" />
        </b>
      </div>
      {lines.map((line) => (
        <div key={line.label}>
          <small>{line.label}</small>
          <b>
            <Money amount={line.total.amount} currency="MYR" />
          </b>
          <small>{text.entryCount(line.total.count)}</small>
        </div>
      ))}
      <div>
        <small>{text.closing}</small>
        <b>
          <Money amount={closing} currency="MYR" />
        </b>
      </div>
    </section>
  )
}
