import { useEffect, useState } from 'react'
import { useFilters } from '../../shell/navigation.tsx'
import { useDelayed } from '../../shell/use-delayed.ts'
import { Icon } from '../../ui/icon.tsx'

const TYPING_MS = 250

/** Search field whose text is a filter in the address; the server searches as one types. */
export function SearchChip({ name = 'search', label }: { name?: string; label: string }) {
  const [search, change] = useFilters()
  const current = search[name] ?? ''
  const [value, setValue] = useState(current)
  const settled = useDelayed(value, TYPING_MS)
  useEffect(() => setValue(current), [current])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing changes the address, not the address itself.
  useEffect(() => {
    if (settled.trim() !== current && settled === value) change({ [name]: settled.trim(), cursor: undefined })
  }, [settled])
  return (
    <label className={current === '' ? 'chip' : 'chip on'}>
      <Icon name="search" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={value}
        onChange={(event) => setValue(event.target.value)}
        data-find=""
      />
    </label>
  )
}
