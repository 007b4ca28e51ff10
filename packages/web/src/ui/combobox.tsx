import type { KeyboardEvent, ReactNode } from 'react'
import { useId, useState } from 'react'
import { useText } from '../text/language.ts'
import type { FieldFrame } from './field.tsx'
import { Field } from './field.tsx'
import { Icon } from './icon.tsx'
import { UI } from './messages.ts'

export type ComboOption = { readonly value: string; readonly label: string; readonly detail?: ReactNode }

type ComboboxProps = FieldFrame & {
  /** Option that is chosen; undefined while none is. */
  readonly chosen: ComboOption | undefined
  readonly onChoose: (option: ComboOption | undefined) => void
  /** Text that is searched for; the caller reads the options for it. */
  readonly search: string
  readonly onSearch: (search: string) => void
  readonly options: readonly ComboOption[]
  readonly isReading?: boolean
  readonly placeholder?: string
  readonly disabled?: boolean
}

/** Field that searches as one types, for lists too long to show. */
export function Combobox(props: ComboboxProps) {
  const { chosen, onChoose, search, onSearch, options, isReading = false, placeholder, disabled } = props
  const { label, hint, error, aside, isLarge } = props
  const text = useText(UI)
  const listId = useId()
  const [isOpen, setOpen] = useState(false)
  const [at, setAt] = useState(0)
  const choose = (option: ComboOption) => {
    onChoose(option)
    onSearch('')
    setOpen(false)
  }
  const move = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setOpen(true)
      const step = event.key === 'ArrowDown' ? 1 : -1
      setAt((index) => Math.min(Math.max(index + step, 0), Math.max(options.length - 1, 0)))
    } else if (event.key === 'Enter' && isOpen) {
      const option = options[at]
      event.preventDefault()
      if (option !== undefined) choose(option)
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault()
      event.stopPropagation()
      setOpen(false)
    }
  }
  return (
    <Field label={label} hint={hint} error={error} aside={aside}>
      {(attributes) => (
        <div className="combo">
          <div className={`input${isLarge ? ' lg' : ''}${error === undefined ? '' : ' is-bad'}`}>
            <Icon name="search" />
            <input
              {...attributes}
              role="combobox"
              aria-expanded={isOpen}
              aria-controls={listId}
              aria-activedescendant={isOpen && options[at] !== undefined ? `${listId}-${at}` : undefined}
              aria-autocomplete="list"
              autoComplete="off"
              placeholder={placeholder}
              disabled={disabled}
              value={isOpen ? search : (chosen?.label ?? search)}
              onChange={(event) => {
                onSearch(event.target.value)
                setAt(0)
                setOpen(true)
              }}
              onFocus={() => setOpen(true)}
              onBlur={() => setOpen(false)}
              onKeyDown={move}
            />
          </div>
          <div className="combo-list" id={listId} role="listbox" aria-label={String(label)} hidden={!isOpen}>
            {options.map((option, index) => (
              // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, as the pattern demands.
              <div
                key={option.value}
                id={`${listId}-${index}`}
                role="option"
                aria-selected={option.value === chosen?.value}
                className={index === at ? 'on' : undefined}
                onPointerDown={(event) => {
                  // Keeps the field focused, so that the list does not close before the choice.
                  event.preventDefault()
                  choose(option)
                }}
              >
                <span className="cut">{option.label}</span>
                {option.detail === undefined ? null : <span className="sub small push">{option.detail}</span>}
              </div>
            ))}
            {options.length === 0 ? (
              <p className="sub small">{isReading ? text.loading : text.noMatch}</p>
            ) : null}
          </div>
        </div>
      )}
    </Field>
  )
}
