import type { ReactNode } from 'react'
import type { ResellerPaymentDetails } from '../../api/operator.generated.ts'
import { useText } from '../../text/language.ts'
import { moneyText } from '../../text/numbers.ts'
import { PAYMENT } from './payment-messages.ts'

type Outcome = 'succeeded' | 'failed'

export type OutcomesProps = {
  readonly payment: ResellerPaymentDetails
  readonly value: Outcome | undefined
  readonly onValue: (value: Outcome) => void
}

/** Choice of what the supplier said. Nothing is chosen beforehand: a slip would move money. */
export function Outcomes({ payment, value, onValue }: OutcomesProps) {
  const text = useText(PAYMENT)
  const option = (outcome: Outcome, title: string, about: ReactNode) => (
    <label className={outcome === value ? 'radio-card on' : 'radio-card'}>
      <input type="radio" name="outcome" checked={outcome === value} onChange={() => onValue(outcome)} />
      <span>
        <b className="strong">{title}</b>
        <small>{about}</small>
      </span>
    </label>
  )
  return (
    <fieldset className="field outcomes">
      <legend>{text.said}</legend>
      <div className="stack tight">
        {option('succeeded', text.carriedOut, text.carriedOutAbout)}
        {option(
          'failed',
          text.notCarriedOut,
          text.notCarriedOutAbout(moneyText(payment.cost, 'MYR'), payment.reseller),
        )}
      </div>
    </fieldset>
  )
}
