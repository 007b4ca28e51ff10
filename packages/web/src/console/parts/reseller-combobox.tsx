import { useState } from 'react'
import { useOperator } from '../../api/operator.ts'
import { useDelayed } from '../../shell/use-delayed.ts'
import type { ComboOption } from '../../ui/combobox.tsx'
import { Combobox } from '../../ui/combobox.tsx'

const FOUND_MAX = 20

export type ResellerComboboxProps = {
  readonly label: string
  readonly chosen: ComboOption | undefined
  readonly onChoose: (option: ComboOption | undefined) => void
  readonly error?: string | undefined
}

/** Field that finds a reseller by account, name or address. */
export function ResellerCombobox({ label, chosen, onChoose, error }: ResellerComboboxProps) {
  const [search, setSearch] = useState('')
  const asked = useDelayed(search.trim())
  const found = useOperator(
    'listResellers',
    { query: { limit: FOUND_MAX, ...(asked === '' ? {} : { search: asked }) } },
    { keepsFormer: true },
  )
  const options = (found.data?.data ?? []).map(({ account, name }) => ({
    value: account,
    label: name,
    detail: account,
  }))
  return (
    <Combobox
      label={label}
      chosen={chosen}
      onChoose={onChoose}
      search={search}
      onSearch={setSearch}
      options={options}
      isReading={found.isFetching}
      error={error}
    />
  )
}
