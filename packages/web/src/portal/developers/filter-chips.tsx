import { useEffect, useState } from 'react'
import { useFilters } from '../../shell/navigation.tsx'

type ChipProps = { readonly name: string; readonly label: string }

/** Day in the address, by which a list is filtered. */
export function DateChip({ name, label }: ChipProps) {
  const [search, change] = useFilters()
  const value = search[name] ?? ''
  return (
    <label className={value === '' ? 'chip' : 'chip on'}>
      <span className="sub">{label}</span>
      <input
        type="date"
        value={value}
        onChange={(event) => change({ [name]: event.target.value, cursor: undefined })}
      />
    </label>
  )
}

/** Text in the address; it is used on Enter or when the field is left, so that typing asks nothing. */
export function TextChip({ name, label }: ChipProps) {
  const [search, change] = useFilters()
  const current = search[name] ?? ''
  const [value, setValue] = useState(current)
  useEffect(() => setValue(current), [current])
  const use = () => {
    if (value.trim() !== current) change({ [name]: value.trim(), cursor: undefined })
  }
  return (
    <label className={current === '' ? 'chip' : 'chip on'}>
      <input
        aria-label={label}
        placeholder={label}
        value={value}
        spellCheck={false}
        maxLength={100}
        onChange={(event) => setValue(event.target.value)}
        onBlur={use}
        onKeyDown={(event) => {
          if (event.key === 'Enter') use()
        }}
      />
    </label>
  )
}
