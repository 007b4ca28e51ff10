import type { SupplierPack } from '../../../api/operator.generated.ts'
import { useOperator } from '../../../api/operator.ts'
import { SelectFilter, TextFilter } from '../../../shell/filters.tsx'
import { useFilters } from '../../../shell/navigation.tsx'
import { currentLanguage, useText } from '../../../text/language.ts'
import { Empty, Loaded } from '../../../ui/loaded.tsx'
import { Panel } from '../../../ui/panel.tsx'
import type { Column } from '../../../ui/table.tsx'
import { Table } from '../../../ui/table.tsx'
import { FilterLine } from '../../parts/pages.tsx'
import { ADD } from './messages.ts'
import { ADDING, packsFor } from './rules.ts'

/** Suppliers that are known, by name, country and what they sell. */
export function ChooseStep({ mayChange }: { mayChange: boolean }) {
  const text = useText(ADD)
  const [search] = useFilters()
  const sortText = useSortText()
  const reading = useOperator('listSupplierPacks', {})
  const columns = useColumns()
  const all = reading.data?.data ?? []
  const found = packsFor(all, search)
  const link = ({ pack }: SupplierPack) => ({ to: ADDING, search: { pack, step: 'credentials' } })
  return (
    <Panel isFlush>
      <FilterLine>
        <SelectFilter
          name="country"
          label={text.country}
          options={distinct(all.flatMap(({ countries }) => countries).filter((each) => each !== '*')).map(
            (value) => ({ value, label: countryText(value) }),
          )}
        />
        <SelectFilter
          name="sells"
          label={text.sells}
          options={distinct(all.flatMap(({ sells }) => sells)).map((value) => ({
            value,
            label: sortText(value),
          }))}
        />
        <span className="push">
          <TextFilter name="search" label={text.find} isFinder />
        </span>
      </FilterLine>
      <Loaded reading={reading}>
        {() =>
          found.length === 0 ? (
            <Empty icon="plug" title={text.none} about={text.noneAbout} />
          ) : (
            <Table
              caption={text.packs}
              columns={columns}
              rows={found}
              rowKey={({ pack }) => pack}
              {...(mayChange ? { linkTo: link } : {})}
            />
          )
        }
      </Loaded>
    </Panel>
  )
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)].sort()
}

function countryText(code: string): string {
  return new Intl.DisplayNames([currentLanguage()], { type: 'region' }).of(code) ?? code
}

function useSortText(): (sort: string) => string {
  const { sorts } = useText(ADD)
  return (sort) =>
    Object.hasOwn(sorts, sort) ? sorts[sort as keyof typeof sorts] : sort.replaceAll('_', ' ')
}

function useColumns(): readonly Column<SupplierPack>[] {
  const text = useText(ADD)
  const sortText = useSortText()
  return [
    {
      key: 'name',
      head: text.provider,
      folded: 'name',
      className: 'wide-text',
      cell: ({ name, summary }) => (
        <span className="who2">
          <span className="mid-weight">{name}</span>
          <small>{summary}</small>
        </span>
      ),
    },
    {
      key: 'sells',
      head: text.sells,
      folded: 'detail',
      cell: ({ sells }) => sells.map(sortText).join(', '),
    },
    {
      key: 'countries',
      head: text.countries,
      folded: 'amount',
      cell: ({ countries }) =>
        countries.map((each) => (each === '*' ? text.many : countryText(each))).join(', '),
    },
    { key: 'currency', head: text.currency, rank: 2, cell: ({ currency }) => currency },
  ]
}
