import type { ReactNode } from 'react'
import { useId } from 'react'
import { Checkbox, Segment, SelectField, TextAreaField, TextField } from './field.tsx'

/** Field of an act as the API declares it. */
export type Bounds = {
  readonly type?: string
  readonly isRequired?: true
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly choices?: readonly (string | number | boolean | null)[]
}

/** Value of a field while it is asked for. */
export type Typed = string | boolean | readonly string[]

export type Option = { readonly value: string; readonly label: string; readonly about?: string }

export type Control = {
  readonly value: Typed
  /** Changes the field, and with it perhaps others. */
  readonly onValue: (value: Typed, others?: Readonly<Record<string, Typed>>) => void
  readonly error: string | undefined
}

/** Words of a field, and how it is drawn where its declaration does not say. */
export type FieldWords = {
  readonly label: ReactNode
  readonly hint?: ReactNode
  /** Choices in their order. */
  readonly options?: readonly Option[]
  /** Choices that are all visible: beside each other, or below each other with what they mean. */
  readonly look?: 'segment' | 'cards'
  readonly placeholder?: string
  /** Before the text, such as a currency. */
  readonly before?: ReactNode
  readonly type?: 'email' | 'password' | 'date' | 'datetime-local'
  readonly inputMode?: 'decimal' | 'email' | 'numeric'
  /** Last day of a date. */
  readonly max?: string
  /** Lines of a longer text. */
  readonly rows?: number
  /** Stands beside the next field. */
  readonly isHalf?: boolean
  /** True: has to be filled or ticked although the service would do without; false: the page knows better. */
  readonly isNeeded?: boolean
  /** Complaint about what is typed, before it is sent. */
  readonly check?: (value: string) => string | undefined
  /** Draws a control of the page's own. */
  readonly draw?: (control: Control) => ReactNode
  /** Stands below the field. */
  readonly below?: ReactNode
}

type ActFieldProps = Control & { readonly bounds: Bounds; readonly words: FieldWords }

/** Draws a field of an act from its declaration and its words. */
export function ActField({ bounds, words, value, onValue, error }: ActFieldProps) {
  const { label, hint, options, look, placeholder, before, type, inputMode, max, rows, draw } = words
  if (draw !== undefined) return draw({ value, onValue, error })
  if (typeof value === 'boolean') return <Checkbox label={label} isOn={value} onToggle={onValue} />
  const frame = { label, hint, error, value: String(value), onValue }
  const limits = bounds.maxLength === undefined ? {} : { maxLength: bounds.maxLength }
  if (options !== undefined) {
    const first = placeholder === undefined ? {} : { placeholder }
    if (look === 'segment') return <SegmentChoice {...frame} options={options} />
    if (look === 'cards') return <Cards {...frame} options={options} />
    return <SelectField {...frame} {...first} options={options} />
  }
  if (rows !== undefined)
    return <TextAreaField {...frame} {...limits} rows={rows} placeholder={placeholder} />
  return (
    <TextField
      {...frame}
      {...limits}
      before={before}
      placeholder={placeholder}
      type={type}
      max={max}
      inputMode={inputMode ?? (bounds.type === 'integer' ? 'numeric' : undefined)}
      autoComplete={type === 'password' ? 'current-password' : 'off'}
      spellCheck={false}
    />
  )
}

type ChoiceProps = {
  readonly label: ReactNode
  readonly hint?: ReactNode
  readonly value: string
  readonly onValue: (value: string) => void
  readonly options: readonly Option[]
}

function SegmentChoice({ label, hint, value, onValue, options }: ChoiceProps) {
  return (
    <div className="stack tight">
      <span className="strong">{label}</span>
      <Segment label={String(label)} value={value} onValue={onValue} options={options} />
      {hint === undefined ? null : <p className="sub small">{hint}</p>}
    </div>
  )
}

/** Choice of one among few, each with what it means. */
function Cards({ label, value, onValue, options }: ChoiceProps) {
  const name = useId()
  return (
    <fieldset className="stack tight" aria-label={String(label)}>
      {options.map((each) => (
        <label key={each.value} className={each.value === value ? 'radio-card on' : 'radio-card'}>
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
