import { useState } from 'react'
import { useText } from '../../text/language.ts'
import type { TypedAdjustment } from './adjustment.ts'
import { readAdjustment } from './adjustment.ts'
import { CATALOG } from './messages.ts'

export type AdjustmentFieldProps = {
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
