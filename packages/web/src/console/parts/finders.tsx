import { useState } from 'react'
import { useOperator } from '../../api/operator.ts'
import { useDelayed } from '../../shell/use-delayed.ts'
import type { ComboOption } from '../../ui/combobox.tsx'
import { Combobox } from '../../ui/combobox.tsx'

const FOUND_MAX = 20

type Found = { readonly options: readonly ComboOption[]; readonly isReading: boolean }

type FinderProps = {
  readonly label: string
  /** Option that is chosen at first. */
  readonly first?: ComboOption | undefined
  readonly onCode: (code: string) => void
  readonly error?: string | undefined
}

/** Field that finds a product by code or name. */
export function ProductFinder(props: FinderProps) {
  return <Finder {...props} useFound={useProducts} />
}

/** Field that finds a reseller by account, name or address. */
export function ResellerFinder(props: FinderProps) {
  return <Finder {...props} useFound={useResellers} />
}

function useProducts(search: string): Found {
  const query = { limit: FOUND_MAX, ...(search === '' ? {} : { search }) }
  const { data, isFetching } = useOperator('listCatalogueProducts', { query })
  const options = (data?.data ?? []).map(({ code, name }) => ({ value: code, label: name, detail: code }))
  return { options, isReading: isFetching }
}

function useResellers(search: string): Found {
  const query = { limit: FOUND_MAX, ...(search === '' ? {} : { search }) }
  const { data, isFetching } = useOperator('listResellers', { query })
  const options = (data?.data ?? []).map(({ account, name }) => ({
    value: account,
    label: name,
    detail: account,
  }))
  return { options, isReading: isFetching }
}

function Finder({
  label,
  first,
  onCode,
  error,
  useFound,
}: FinderProps & { useFound: (search: string) => Found }) {
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState(first)
  const asked = useDelayed(search.trim())
  const { options, isReading } = useFound(asked)
  const isSettled = asked === search.trim()
  return (
    <Combobox
      label={label}
      chosen={chosen}
      onChoose={(option) => {
        setChosen(option)
        onCode(option?.value ?? '')
      }}
      search={search}
      onSearch={setSearch}
      // Options of a former text must not be chosen for this one.
      options={isSettled ? options : []}
      isReading={isReading || !isSettled}
      error={error}
    />
  )
}
