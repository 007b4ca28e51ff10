import { moneyParts } from '../text/numbers.ts'

type MoneyProps = {
  /** Amount as the API gives it. */
  readonly amount: string
  /** Left out only in columns whose head names the currency. */
  readonly currency?: string
  /** Invisible digits that let a column align on the point; the number of digits beyond the sen in the column. */
  readonly alignTo?: number
}

/** Amount with its currency; digits beyond the sen are paler. */
export function Money({ amount, currency, alignTo = 0 }: MoneyProps) {
  const { sign, main, beyond } = moneyParts(amount)
  const filler = '0'.repeat(Math.max(0, alignTo - beyond.length))
  return (
    <span className="m">
      {currency === undefined ? null : <i>{currency}</i>}
      {sign}
      {main}
      {beyond === '' ? null : <u>{beyond}</u>}
      {filler === '' ? null : <em aria-hidden="true">{filler}</em>}
    </span>
  )
}

/** Amount as a large figure. */
export function Figure({ amount, currency, size }: MoneyProps & { size?: 'xl' | 's' }) {
  const { sign, main, beyond } = moneyParts(amount)
  return (
    <div className={size === undefined ? 'fig' : `fig ${size}`}>
      {currency === undefined ? null : <i>{currency}</i>}
      {sign}
      {main}
      {beyond === '' ? null : <small>{beyond}</small>}
    </div>
  )
}
