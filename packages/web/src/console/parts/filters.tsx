import type { ReactNode } from 'react'
import { useEffect, useState } from 'react'
import { useFilters } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { Segment } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { PARTS } from './messages.ts'
import './parts.css'

// Filters live in the address. A change of one begins at the first page again.

export function FilterLine({ children }: { children: ReactNode }) {
  return <div className="find-bar">{children}</div>
}

type FilterProps = { readonly name: string; readonly label: string }

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
    <label className={`chip${current === '' ? '' : ' on'}`}>
      {isFinder ? <Icon name="search" /> : null}
      <input
        aria-label={label}
        placeholder={label}
        value={value}
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

export type FilterOption = { readonly value: string; readonly label: string }

export function SelectFilter({ name, label, options }: FilterProps & { options: readonly FilterOption[] }) {
  const text = useText(PARTS)
  const [search, change] = useFilters()
  const current = search[name] ?? ''
  return (
    <label className={`chip${current === '' ? '' : ' on'}`}>
      <span className="sub">{label}</span>
      <select value={current} onChange={(event) => change({ [name]: event.target.value, cursor: undefined })}>
        <option value="">{text.all}</option>
        {options.map((each) => (
          <option key={each.value} value={each.value}>
            {each.label}
          </option>
        ))}
      </select>
    </label>
  )
}

export function SegmentFilter({ name, label, options }: FilterProps & { options: readonly FilterOption[] }) {
  const text = useText(PARTS)
  const [search, change] = useFilters()
  return (
    <Segment
      label={label}
      value={search[name] ?? ''}
      onValue={(value) => change({ [name]: value, cursor: undefined })}
      options={[{ value: '', label: text.all }, ...options]}
    />
  )
}

/** Days from and to, both in GMT+8. */
export function DayFilters() {
  const text = useText(PARTS)
  const [search, change] = useFilters()
  return (
    <>
      {(['from', 'to'] as const).map((name) => (
        <label key={name} className={`chip${search[name] === undefined ? '' : ' on'}`}>
          <span className="sub">{text[name]}</span>
          <input
            type="date"
            value={search[name] ?? ''}
            onChange={(event) => change({ [name]: event.target.value, cursor: undefined })}
          />
        </label>
      ))}
    </>
  )
}
