import type { KeyboardEvent, ReactNode } from 'react'
import type { MoneyWriter, Values } from './form.ts'
import {
  canAskOptions,
  limitsOf,
  limitText,
  neededBy,
  optionDetail,
  shownBill,
  TEXT_LENGTH_MAX,
} from './form.ts'
import type { FormTexts } from './texts.ts'
import type { BillAnswer, Field, FormOption, FormProduct } from './types.ts'

// Fields of a product's form, as the dashboard and the checkout draw them. They hold no state and use no hook, so that
// whatever draws the page around them draws them, too.

/** Option of a select that are all shown; longer lists are searched as one types. */
const TILES_MAX = 24

/** Parts that the page brings along. */
export type FieldKit = {
  readonly text: FormTexts
  readonly money: MoneyWriter
  readonly currency: (code: string) => string
  /** Mark of a message, and sign of a field that searches. */
  readonly bad: ReactNode
  readonly search: ReactNode
  /** True where the person who types is the customer, whose browser may know the number. */
  readonly isOwn: boolean
  /** Key that chooses the tile at a place; left out: tiles have none. */
  readonly tileKey?: (index: number) => string | undefined
}

export type FieldProps<O extends FormOption = FormOption> = {
  readonly kit: FieldKit
  readonly product: FormProduct
  readonly fields: readonly Field[]
  readonly field: Field
  readonly values: Values<O>
  readonly onValue: (value: string | O | undefined) => void
  readonly onLeave: () => void
  /** Message of the field, once it is time to show it. */
  readonly error: string | undefined
  /** Beside the label, such as a button that takes over what is owed. */
  readonly aside?: ReactNode
}

/** Id of a field's control, under which an address or a script finds it. */
export const idOf = ({ id }: Field) => `f-${id.replace(/[^\w-]/g, '_')}`

/** Name of a field, and that it may be left empty. */
function Name({ kit, field }: Pick<FieldProps, 'kit' | 'field'>) {
  return (
    <>
      {field.label}
      {field.required ? null : <span className="sub optional"> {kit.text.optional}</span>}
    </>
  )
}

function Label({ kit, field, aside }: Pick<FieldProps, 'kit' | 'field' | 'aside'>) {
  return (
    <div className="l">
      <label htmlFor={idOf(field)}>
        <Name kit={kit} field={field} />
      </label>
      {aside === undefined ? null : <span className="push">{aside}</span>}
    </div>
  )
}

/** Message of a field, in the place that the field points to. */
function Message({ kit, field, error }: Pick<FieldProps, 'kit' | 'field' | 'error'>) {
  if (error === undefined) return null
  return (
    <p className="err" id={`${idOf(field)}-e`}>
      {kit.bad}
      <span>{error}</span>
    </p>
  )
}

type TypedFieldProps = Omit<FieldProps, 'onValue'> & {
  readonly onValue: (value: string) => void
  readonly hint?: string | undefined
  /** Mark of a value that is right. */
  readonly mark?: ReactNode
}

/** Field whose value is typed. */
export function TypedField({ hint, mark, ...props }: TypedFieldProps) {
  const { kit, field, values, onValue, onLeave, error } = props
  const value = values[field.id]
  const id = idOf(field)
  const about = hint ?? rangeOf(props)
  const places = [...(error === undefined ? [] : [`${id}-e`]), ...(about === undefined ? [] : [`${id}-h`])]
  const state = error === undefined ? (mark === undefined ? '' : ' is-ok') : ' is-bad'
  return (
    <div className="field">
      <Label {...props} />
      <div className={`input lg${state}`}>
        {field.type === 'money' ? (
          <span className="pre" aria-hidden="true">
            {kit.currency(field.currency ?? 'MYR')}
          </span>
        ) : null}
        <input
          id={id}
          type="text"
          inputMode={field.input_mode}
          placeholder={field.placeholder}
          maxLength={TEXT_LENGTH_MAX}
          autoComplete={kit.isOwn && field.input_mode === 'tel' ? 'tel' : 'off'}
          autoCapitalize="off"
          spellCheck="false"
          aria-required={field.required ? true : undefined}
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={places.join(' ') || undefined}
          value={typeof value === 'string' ? value : ''}
          onInput={(event) => onValue(event.currentTarget.value)}
          onBlur={onLeave}
        />
        {mark}
      </div>
      {about === undefined ? null : (
        <p className="hint" id={`${id}-h`}>
          {about}
        </p>
      )}
      <Message {...props} />
    </div>
  )
}

function rangeOf({ kit, product, field, values }: TypedFieldProps): string | undefined {
  const { min, max } = limitsOf(product, field, values)
  if (field.role !== 'pricing' || min === undefined || max === undefined) return undefined
  return kit.text.rangeHint(limitText(field, min, kit.money), limitText(field, max, kit.money))
}

/** Options of a select, as far as the service has told them. */
export type Choices<O extends FormOption = FormOption> = {
  readonly items: readonly O[]
  readonly total: number
  /** State of the question for what is typed: these items are of the question before. */
  readonly asking?: 'open' | 'failed' | undefined
}

/** List of a field that searches as one types. */
export type Combo = { readonly search: string; readonly isOpen: boolean; readonly at: number }

export const CLOSED: Combo = { search: '', isOpen: false, at: 0 }

type SelectFieldProps<O extends FormOption> = FieldProps<O> & {
  /** Choices; undefined while `instead` says why there are none. */
  readonly choices: Choices<O> | undefined
  readonly instead: ReactNode
  /** State of the search; undefined until somebody has searched. */
  readonly combo: Combo | undefined
  readonly onCombo: (part: Partial<Combo>) => void
}

/** Field whose value is chosen: tiles while all options can be shown, else a field that searches on the server. */
export function SelectField<O extends FormOption>(props: SelectFieldProps<O>) {
  const { kit, product, fields, field, values, choices, combo } = props
  if (!canAskOptions(product, fields, field, values)) {
    const needed = fields.filter(({ id }) => neededBy(field).includes(id)).map(({ label }) => label)
    return <Without {...props} instead={<Off>{kit.text.fillFirst(needed.join(', '))}</Off>} />
  }
  if (choices === undefined) return <Without {...props} />
  if (combo !== undefined || choices.total > TILES_MAX) return <SearchedField {...props} choices={choices} />
  if (choices.items.length === 0) return <Without {...props} instead={<Off>{kit.text.noOptions}</Off>} />
  return <Tiles {...props} choices={choices} />
}

function Off({ children }: { children: ReactNode }) {
  return <p className="input lg is-off">{children}</p>
}

/** Field without a control. */
function Without<O extends FormOption>({ instead, ...props }: SelectFieldProps<O>) {
  return (
    <div className="field">
      <div className="l">
        <span>
          <Name {...props} />
        </span>
      </div>
      {instead}
      <Message {...props} />
    </div>
  )
}

type ChoiceProps<O extends FormOption> = SelectFieldProps<O> & { readonly choices: Choices<O> }

function Tiles<O extends FormOption>(props: ChoiceProps<O>) {
  const { kit, field, values, onValue, error, choices } = props
  const value = values[field.id]
  const chosen = typeof value === 'object' ? value.code : undefined
  return (
    <fieldset
      className={error === undefined ? 'field tiles-field' : 'field tiles-field is-wrong'}
      aria-describedby={error === undefined ? undefined : `${idOf(field)}-e`}
    >
      <legend className="l">
        <Name {...props} />
      </legend>
      <div className="tiles">
        {choices.items.map((option, index) => (
          <label key={option.code} className={option.code === chosen ? 'radio-card on' : 'radio-card'}>
            <input
              type="radio"
              name={idOf(field)}
              checked={option.code === chosen}
              aria-keyshortcuts={kit.tileKey?.(index)}
              onChange={() => onValue(option)}
            />
            <span className="t">
              <b>{kit.text.standard(option.label)}</b>
              <small>{optionDetail(option, kit.money)}</small>
            </span>
            <TileKey name={kit.tileKey?.(index)} />
          </label>
        ))}
      </div>
      <Message {...props} />
    </fieldset>
  )
}

function TileKey({ name }: { name: string | undefined }) {
  return name === undefined ? null : (
    <span className="kbd" aria-hidden="true">
      {name}
    </span>
  )
}

/** Field that searches as one types. The focus stays in the field, as the pattern demands. */
function SearchedField<O extends FormOption>(props: ChoiceProps<O>) {
  const { kit, field, values, onValue, onLeave, error, choices, combo = CLOSED, onCombo } = props
  const { search, isOpen, at } = combo
  const { items } = choices
  const value = values[field.id]
  const chosen = typeof value === 'object' ? value : undefined
  const listId = `${idOf(field)}-list`
  const choose = (option: O | undefined) => {
    if (option === undefined) return
    onValue(option)
    onCombo(CLOSED)
  }
  const press = (event: KeyboardEvent) => {
    const next = moved(event.key, at, items.length)
    if (next !== undefined) onCombo({ isOpen: true, at: next })
    else if (event.key === 'Enter' && isOpen) choose(items[at])
    else if (event.key === 'Escape' && isOpen) onCombo({ isOpen: false })
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className="field">
      <Label {...props} />
      <div className="combo">
        <div className={error === undefined ? 'input lg' : 'input lg is-bad'}>
          {kit.search}
          <input
            id={idOf(field)}
            role="combobox"
            type="text"
            autoComplete="off"
            maxLength={TEXT_LENGTH_MAX}
            placeholder={field.placeholder === '' ? kit.text.choose : field.placeholder}
            aria-expanded={isOpen}
            aria-controls={listId}
            aria-autocomplete="list"
            aria-required={field.required ? true : undefined}
            aria-invalid={error === undefined ? undefined : true}
            aria-describedby={error === undefined ? undefined : `${idOf(field)}-e`}
            aria-activedescendant={isOpen && items[at] !== undefined ? `${listId}-${at}` : undefined}
            value={isOpen ? search : (chosen?.label ?? search)}
            onInput={(event) => onCombo({ search: event.currentTarget.value, isOpen: true, at: 0 })}
            onFocus={() => onCombo({ isOpen: true, at: 0 })}
            onBlur={() => {
              onCombo({ isOpen: false, search: '' })
              onLeave()
            }}
            onKeyDown={press}
          />
        </div>
        <div className="combo-list" id={listId} role="listbox" aria-label={field.label} hidden={!isOpen}>
          {items.map((option, index) => (
            // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: the focus and the keys are the field's, as the pattern demands.
            <div
              key={option.code}
              id={`${listId}-${index}`}
              role="option"
              aria-selected={option.code === chosen?.code}
              className={index === at ? 'on' : undefined}
              // The field keeps the focus, so that the list does not close before the choice.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => choose(option)}
            >
              <b>{option.label}</b>
              <small>
                {[optionDetail(option, kit.money), option.code].filter((part) => part !== '').join(' · ')}
              </small>
            </div>
          ))}
        </div>
      </div>
      <p className="hint" role="status">
        {isOpen ? aboutChoices(choices, kit.text) : ''}
      </p>
      <Message {...props} />
    </div>
  )
}

function aboutChoices({ items, total, asking }: Choices, text: FormTexts): string {
  if (asking !== undefined) return asking === 'failed' ? text.optionsFailed : text.loading
  if (items.length === 0) return text.noMatch
  return total > items.length ? text.foundOptions(items.length, total) : ''
}

function moved(key: string, at: number, count: number): number | undefined {
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return undefined
  const next = at + (key === 'ArrowDown' ? 1 : -1)
  return Math.min(Math.max(next, 0), Math.max(count - 1, 0))
}

export type BillPlaceProps = {
  readonly kit: FieldKit
  readonly bill: BillAnswer | undefined
  readonly isAsking: boolean
  /** Line above the parts of the bill. */
  readonly head: ReactNode
  readonly due: (day: string) => string
  readonly owed: (amount: string) => ReactNode
}

/** Bill as its biller knows it. A part that the biller did not return is not shown. */
export function BillPlace({ kit, bill, isAsking, head, due, owed }: BillPlaceProps) {
  const shown = bill === undefined ? undefined : shownBill(bill)
  return (
    <div className="bill-place" role="status">
      {isAsking ? <p className="sub small">{kit.text.askingBill}</p> : null}
      {shown === undefined ? null : (
        <div className="bill">
          {head}
          <span>
            <b>{shown.name}</b>
            <small>{shown.address}</small>
            <small>{shown.more}</small>
          </span>
          <span className="right">
            {shown.owed === undefined ? null : <b className="owed">{owed(shown.owed)}</b>}
            {shown.due === undefined ? null : <small>{due(shown.due)}</small>}
          </span>
        </div>
      )}
    </div>
  )
}
