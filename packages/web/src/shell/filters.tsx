import type { ReactNode } from 'react'
import { useEffect, useState } from 'react'
import { isoDayFromToday } from '../text/dates.ts'
import { useText } from '../text/language.ts'
import { WORDS } from '../text/messages.ts'
import { Button } from '../ui/button.tsx'
import { Segment } from '../ui/field.tsx'
import { Icon } from '../ui/icon.tsx'
import type { EmptyProps } from '../ui/loaded.tsx'
import { Empty } from '../ui/loaded.tsx'
import type { Tone } from '../ui/state.tsx'
import { Shape } from '../ui/state.tsx'
import type { Search } from './navigation.tsx'
import { useFilters } from './navigation.tsx'

// Filters live in the address. A change of one begins at the first page again.

type FilterProps = { readonly name: string; readonly label: string }

function chipClass(value: string | undefined): string {
  return value === undefined || value === '' ? 'chip' : 'chip on'
}

/** Text filter; it is used on Enter or when the field is left, so that typing asks nothing. */
export function TextFilter({ name, label, isFinder = false }: FilterProps & { isFinder?: boolean }) {
  const [search, change] = useFilters()
  const current = search[name] ?? ''
  const [value, setValue] = useState(current)
  useEffect(() => setValue(current), [current])
  const use = () => {
    if (value.trim() !== current) change({ [name]: value.trim(), cursor: undefined })
  }
  return (
    <label className={chipClass(current)}>
      {isFinder ? <Icon name="search" /> : null}
      <input
        aria-label={label}
        placeholder={label}
        value={value}
        spellCheck={false}
        onChange={(event) => setValue(event.target.value)}
        onBlur={use}
        onKeyDown={(event) => {
          if (event.key === 'Enter') use()
        }}
        {...(isFinder ? { 'data-find': '' } : {})}
      />
    </label>
  )
}

type FilterOption = { readonly value: string; readonly label: string; readonly tone?: Tone }
type ChoiceProps = FilterProps & {
  readonly options: readonly FilterOption[]
  /** Choice that leaves nothing out. */
  readonly any?: string
}

export function SelectFilter({ name, label, options, any }: ChoiceProps) {
  const text = useText(WORDS)
  const [search, change] = useFilters()
  return (
    <label className={chipClass(search[name])}>
      <span className="sub">{label}</span>
      <select
        value={search[name] ?? ''}
        onChange={(event) => change({ [name]: event.target.value, cursor: undefined })}
      >
        <option value="">{any ?? text.all}</option>
        {options.map((each) => (
          <option key={each.value} value={each.value}>
            {each.label}
          </option>
        ))}
      </select>
    </label>
  )
}

export function SegmentFilter({ name, label, options, any }: ChoiceProps) {
  const text = useText(WORDS)
  const [search, change] = useFilters()
  return (
    <Segment
      label={label}
      value={search[name] ?? ''}
      onValue={(value) => change({ [name]: value, cursor: undefined })}
      options={[
        { value: '', label: any ?? text.all },
        ...options.map(({ value, label: word, tone }) => ({ value, label: optionLabel(word, tone) })),
      ]}
    />
  )
}

/** Choices of which several hold at once; the address has them with commas between. */
export function ManyFilter({ name, label, options, any }: ChoiceProps) {
  const text = useText(WORDS)
  const [search, change] = useFilters()
  const chosen = (search[name] ?? '').split(',').filter((each) => each !== '')
  const choose = (next: readonly string[]) => change({ [name]: next.join(','), cursor: undefined })
  return (
    <fieldset className="seg many" aria-label={label}>
      <button type="button" aria-pressed={chosen.length === 0} onClick={() => choose([])}>
        {any ?? text.all}
      </button>
      {options.map(({ value, label: word, tone }) => {
        const isOn = chosen.includes(value)
        return (
          <button
            key={value}
            type="button"
            aria-pressed={isOn}
            onClick={() => choose(isOn ? chosen.filter((each) => each !== value) : [...chosen, value])}
          >
            {optionLabel(word, tone)}
          </button>
        )
      })}
    </fieldset>
  )
}

function optionLabel(word: string, tone: Tone | undefined): ReactNode {
  if (tone === undefined) return word
  return (
    <>
      <Shape tone={tone} isColoured />
      {word}
    </>
  )
}

/** Day of the address, in GMT+8. `shown`: the day that the service has chosen while the address names none. */
function DayFilter({ name, label, shown }: FilterProps & { shown?: string | undefined }) {
  const [search, change] = useFilters()
  return (
    <label className={`${chipClass(search[name])} day`}>
      <span className="sub">{label}</span>
      <input
        type="date"
        value={search[name] ?? shown ?? ''}
        onChange={(event) => change({ [name]: event.target.value, cursor: undefined })}
      />
    </label>
  )
}

/** Days from and to. */
export function DayFilters({ shown }: { shown?: { from: string; to: string } | undefined }) {
  const text = useText(WORDS)
  return (['from', 'to'] as const).map((name) => (
    <DayFilter key={name} name={name} label={text[name]} shown={shown?.[name]} />
  ))
}

/** Returns filters of the address as parts of a query; those that are not set are left out. */
export function filterOf<Name extends string>(
  search: Search,
  ...names: readonly Name[]
): { [K in Name]?: string } {
  const given = names.filter((name) => search[name] !== undefined && search[name] !== '')
  return Object.fromEntries(given.map((name) => [name, search[name]])) as { [K in Name]?: string }
}

/** Returns a filter whose value is one of few; any other value of the address is left out. */
export function choiceOf<Name extends string, Value extends string>(
  search: Search,
  name: Name,
  values: readonly Value[],
): { [K in Name]?: Value } {
  const value = values.find((each) => each === search[name])
  return (value === undefined ? {} : { [name]: value }) as { [K in Name]?: Value }
}

/** Returns `from` and `to` of the address as the API's range of days. One day alone reaches to today, or is that day. */
export function daysOf({ from, to }: Search): { days?: string } {
  if (from === undefined && to === undefined) return {}
  const first = from ?? to ?? ''
  const last = to ?? isoDayFromToday(0)
  return { days: first <= last ? `${first} - ${last}` : `${last} - ${first}` }
}

type NoneMatchProps = Omit<EmptyProps, 'action'> & {
  /** Text of the button that takes the filters away. */
  readonly clear: string
  readonly filters: Readonly<Record<string, undefined>>
}

/** Place of a list in which nothing fits the filters. */
export function NoneMatch({ clear, filters, ...shown }: NoneMatchProps) {
  const [, change] = useFilters()
  return (
    <Empty
      {...shown}
      action={
        <Button size="sm" onClick={() => change(filters)}>
          {clear}
        </Button>
      }
    />
  )
}
