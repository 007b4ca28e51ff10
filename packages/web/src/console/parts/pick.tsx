import type { ReactNode } from 'react'
import { useId } from 'react'
import './parts.css'

export type PickProps<Value extends string> = {
  readonly label: string
  readonly value: Value | undefined
  readonly onValue: (value: Value) => void
  readonly options: readonly {
    readonly value: Value
    readonly label: ReactNode
    readonly about?: ReactNode
  }[]
}

/** Choice of one among few, each with what it means. */
export function Pick<Value extends string>({ label, value, onValue, options }: PickProps<Value>) {
  const name = useId()
  return (
    <fieldset className="stack tight" aria-label={label}>
      {options.map((each) => (
        <label key={each.value} className={each.value === value ? 'pick on' : 'pick'}>
          <input
            type="radio"
            name={name}
            checked={each.value === value}
            onChange={() => onValue(each.value)}
          />
          <span>
            {each.label}
            {each.about === undefined ? null : <small>{each.about}</small>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
