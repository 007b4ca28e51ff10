import type { Reseller, WalletEntry } from '../../api/operator.generated.ts'
import { useOperator } from '../../api/operator.ts'
import { choiceOf, DayFilters, daysOf, filterOf, SegmentFilter } from '../../shell/filters.tsx'
import { PageLink, useFilters } from '../../shell/navigation.tsx'
import { whenText, ZONE_NAME } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { useRemarks } from '../../text/remarks.ts'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { Money } from '../../ui/money.tsx'
import { Panel } from '../../ui/panel.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { PARTS } from '../parts/messages.ts'
import { FilterLine, Pages } from '../parts/pages.tsx'
import { useMay } from '../roles.ts'
import { WALLET } from './wallet-messages.ts'

const PAGE_ROWS = 50
const TYPES = ['deposit', 'payment', 'refund', 'commission'] as const

/** Entries that the address asks for. */
export function useEntriesInput(account: string) {
  const [search] = useFilters()
  return {
    params: { account },
    query: {
      limit: PAGE_ROWS,
      ...choiceOf(search, 'type', TYPES),
      ...daysOf(search),
      ...filterOf(search, 'cursor'),
    },
  }
}

/** Entries of a reseller's wallet. */
export function WalletPanel({ reseller }: { reseller: Reseller }) {
  const text = useText(WALLET)
  const columns = useColumns()
  const input = useEntriesInput(reseller.account)
  const reading = useOperator('listWalletEntries', input, { keepsFormer: true })
  return (
    <Panel isFlush title={text.entries} about={text.entriesAbout}>
      <FilterLine>
        <SegmentFilter
          name="type"
          label={text.kind}
          options={TYPES.map((value) => ({ value, label: text.kinds[value] }))}
        />
        <DayFilters />
      </FilterLine>
      <Loaded reading={reading} bones={8} empty={<Empty icon="statement" title={text.none} />}>
        {({ data, cursor, has_more: hasMore }) => (
          <>
            <Table caption={text.caption} columns={columns} rows={data} rowKey={({ number }) => number} />
            <Pages rows={data.length} cursor={cursor} hasMore={hasMore} />
          </>
        )}
      </Loaded>
    </Panel>
  )
}

function useColumns(): readonly Column<WalletEntry>[] {
  const text = useText(WALLET)
  const say = useRemarks()
  const parts = useText(PARTS)
  const may = useMay()
  return [
    { key: 'number', head: text.number, rank: 2, className: 'sub', cell: ({ number }) => number },
    {
      key: 'time',
      head: parts.time(ZONE_NAME),
      folded: 'time',
      className: 'nowrap sub',
      cell: ({ created_at: at }) => whenText(at),
    },
    { key: 'kind', head: text.kind, folded: 'name', cell: ({ kind }) => text.kinds[kind] },
    {
      key: 'remarks',
      head: text.remarks,
      folded: 'detail',
      className: 'wide-text',
      cell: ({ remarks, payment_id: id }) =>
        id === null || !may('payments.read') ? (
          say(remarks)
        ) : (
          <PageLink className="link" to={`/operator/payments/${id}`}>
            {say(remarks)}
          </PageLink>
        ),
    },
    {
      key: 'refid',
      head: text.refid,
      rank: 2,
      className: 'cut',
      cell: ({ refid }) => <span className="sub mono">{refid}</span>,
    },
    {
      key: 'amount',
      head: parts.amountMyr,
      isRight: true,
      folded: 'amount',
      cell: ({ amount }) => <Money amount={amount} alignTo={4} />,
    },
    {
      key: 'balance',
      head: text.balance,
      isRight: true,
      cell: ({ balance }) => <Money amount={balance} alignTo={4} />,
    },
  ]
}
