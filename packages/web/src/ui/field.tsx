import type { InputHTMLAttributes, ReactNode, SelectHTMLAttributes, TextareaHTMLAttributes } from 'react'
import { useId } from 'react'
import { Icon } from './icon.tsx'
import { Shape } from './state.tsx'

export type FieldFrame = {
  readonly label: ReactNode
  readonly hint?: ReactNode
  /** Says what to type, not that it is wrong. */
  readonly error?: string | undefined
  /** Beside the label, at its right end. */
  readonly aside?: ReactNode
  readonly isLarge?: boolean
}

type Described = { id: string; 'aria-describedby': string | undefined; 'aria-invalid': true | undefined }

/** Label, control, hint and message, tied together for screen readers. */
export function Field({
  label,
  hint,
  error,
  aside,
  children,
}: FieldFrame & { children: (attributes: Described) => ReactNode }) {
  const id = useId()
  const describes = error !== undefined || hint !== undefined
  return (
    <div className="field">
      <div className="l">
        <label htmlFor={id}>{label}</label>
        {aside === undefined ? null : <span className="push">{aside}</span>}
      </div>
      {children({
        id,
        'aria-describedby': describes ? `${id}-about` : undefined,
        'aria-invalid': error === undefined ? undefined : true,
      })}
      {error !== undefined ? (
        <span className="err" id={`${id}-about`}>
          <Shape tone="bad" />
          {error}
        </span>
      ) : hint === undefined ? null : (
        <span className="hint" id={`${id}-about`}>
          {hint}
        </span>
      )}
    </div>
  )
}

type TextFieldProps = FieldFrame & {
  readonly value: string
  readonly onValue: (value: string) => void
  /** Before the text, such as a currency. */
  readonly before?: ReactNode
  /** After the text, such as a button that shows a password. */
  readonly after?: ReactNode
  readonly isChecked?: boolean
} & Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange' | 'size'>

export function TextField(props: TextFieldProps) {
  const { label, hint, error, aside, isLarge, value, onValue, before, after, isChecked, ...rest } = props
  return (
    <Field label={label} hint={hint} error={error} aside={aside}>
      {(attributes) => (
        <div className={inputClass({ isLarge, error, isChecked, isOff: rest.disabled })}>
          {before === undefined ? null : <span className="pre">{before}</span>}
          <input {...rest} {...attributes} value={value} onChange={(event) => onValue(event.target.value)} />
          {isChecked ? <Shape tone="ok" isColoured /> : null}
          {after}
        </div>
      )}
    </Field>
  )
}

type SelectFieldProps = FieldFrame & {
  readonly value: string
  readonly onValue: (value: string) => void
  readonly options: readonly { readonly value: string; readonly label: string }[]
  /** Shown while nothing is chosen. */
  readonly placeholder?: string
} & Omit<SelectHTMLAttributes<HTMLSelectElement>, 'value' | 'onChange' | 'size'>

export function SelectField(props: SelectFieldProps) {
  const { label, hint, error, aside, isLarge, value, onValue, options, placeholder, ...rest } = props
  return (
    <Field label={label} hint={hint} error={error} aside={aside}>
      {(attributes) => (
        <div className={`${inputClass({ isLarge, error, isOff: rest.disabled })} select`}>
          <select {...rest} {...attributes} value={value} onChange={(event) => onValue(event.target.value)}>
            {placeholder === undefined ? null : <option value="">{placeholder}</option>}
            {options.map((each) => (
              <option key={each.value} value={each.value}>
                {each.label}
              </option>
            ))}
          </select>
          <Icon name="chevronDown" />
        </div>
      )}
    </Field>
  )
}

type TextAreaFieldProps = FieldFrame & {
  readonly value: string
  readonly onValue: (value: string) => void
} & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'value' | 'onChange'>

export function TextAreaField(props: TextAreaFieldProps) {
  const { label, hint, error, aside, isLarge: _, value, onValue, ...rest } = props
  return (
    <Field label={label} hint={hint} error={error} aside={aside}>
      {(attributes) => (
        <textarea
          rows={3}
          {...rest}
          {...attributes}
          className={`input${error === undefined ? '' : ' is-bad'}`}
          value={value}
          onChange={(event) => onValue(event.target.value)}
        />
      )}
    </Field>
  )
}

type InputState = {
  isLarge?: boolean | undefined
  error?: string | undefined
  isChecked?: boolean | undefined
  isOff?: boolean | undefined
}

function inputClass({ isLarge, error, isChecked, isOff }: InputState): string {
  const parts = ['input']
  if (isLarge) parts.push('lg')
  if (error !== undefined) parts.push('is-bad')
  else if (isChecked) parts.push('is-ok')
  if (isOff) parts.push('is-off')
  return parts.join(' ')
}

type CheckProps = {
  readonly label: ReactNode
  readonly isOn: boolean
  readonly onToggle: (isOn: boolean) => void
  readonly isDisabled?: boolean
}

export function Checkbox({ label, isOn, onToggle, isDisabled = false }: CheckProps) {
  return (
    <label className="row choice">
      <span className="check-box">
        <input
          type="checkbox"
          checked={isOn}
          disabled={isDisabled}
          onChange={(event) => onToggle(event.target.checked)}
        />
        <Icon name="check" />
      </span>
      <span>{label}</span>
    </label>
  )
}

/** Switch that acts at once. `label` is read out; what stands beside it is the caller's. */
export function Switch({
  label,
  isOn,
  onToggle,
  isDisabled = false,
}: Omit<CheckProps, 'label'> & { label: string }) {
  return (
    <button
      type="button"
      className="switch"
      role="switch"
      aria-checked={isOn}
      aria-label={label}
      disabled={isDisabled}
      onClick={() => onToggle(!isOn)}
    />
  )
}

type SegmentProps<Value extends string> = {
  readonly label: string
  readonly value: Value
  readonly onValue: (value: Value) => void
  readonly options: readonly { readonly value: Value; readonly label: ReactNode }[]
}

/** Choice of one among few, all visible. */
export function Segment<Value extends string>({ label, value, onValue, options }: SegmentProps<Value>) {
  return (
    <fieldset className="seg" aria-label={label}>
      {options.map((each) => (
        <button
          type="button"
          key={each.value}
          aria-pressed={each.value === value}
          onClick={() => onValue(each.value)}
        >
          {each.label}
        </button>
      ))}
    </fieldset>
  )
}
