import type { RealisedMargin } from '../../api/operator.generated.ts'
import { useOperator } from '../../api/operator.ts'
import { DayFilters, daysOf, filterOf } from '../../shell/filters.tsx'
import { PageLink, useFilters } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { countText, moneyText } from '../../text/numbers.ts'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { Money } from '../../ui/money.tsx'
import { Panel } from '../../ui/panel.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { FilterLine, Pages } from '../parts/pages.tsx'
import { MARGINS } from './messages.ts'

const PAGE_ROWS = 50

/** Margins by what suppliers said that they took, beside the costs of their routes. */
export function RealisedMargins() {
  const text = useText(MARGINS)
  const [search] = useFilters()
  const columns = useColumns()
  const reading = useOperator(
    'listRealisedMargins',
    { query: { limit: PAGE_ROWS, ...daysOf(search), ...filterOf(search, 'cursor') } },
    { keepsFormer: true },
  )
  return (
    <Panel isFlush>
      <FilterLine>
        <DayFilters />
      </FilterLine>
      <Loaded
        reading={reading}
        bones={8}
        empty={<Empty icon="scale" title={text.noneTold} about={text.noneToldAbout} />}
      >
        {({ data, cursor, has_more: hasMore }) => (
          <>
            <Table
              caption={text.realisedCaption}
              columns={columns}
              rows={data}
              rowKey={({ product, provider, currency, margin }) =>
                [product, provider, currency, margin === null].join(' ')
              }
              rowClass={({ margin }) => (margin?.startsWith('-') ? 'loses' : undefined)}
            />
            <Pages rows={data.length} cursor={cursor} hasMore={hasMore} />
          </>
        )}
      </Loaded>
    </Panel>
  )
}

function useColumns(): readonly Column<RealisedMargin>[] {
  const text = useText(MARGINS)
  return [
    {
      key: 'product',
      head: text.product,
      folded: 'name',
      cell: ({ product, provider }) => (
        <div className="who2">
          <PageLink className="mono" to={`/operator/catalogue/products/${product}`}>
            {product}
          </PageLink>
          <small>{provider}</small>
        </div>
      ),
    },
    {
      key: 'payments',
      head: text.payments,
      isRight: true,
      rank: 2,
      cell: ({ payments }) => countText(payments),
    },
    { key: 'charged', head: text.charged, isRight: true, cell: ({ charged }) => <Money amount={charged} /> },
    {
      key: 'took',
      head: text.took,
      isRight: true,
      folded: 'detail',
      cell: ({ cost, currency, cost_ringgit: ringgit }) => (
        <div className="who2">
          <Money amount={cost} currency={currency} />
          {currency === 'MYR' ? null : (
            <small>{ringgit === null ? text.noRate : moneyText(ringgit, 'MYR')}</small>
          )}
        </div>
      ),
    },
    {
      key: 'margin',
      head: text.realisedMargin,
      isRight: true,
      folded: 'amount',
      cell: ({ margin }) => <Signed amount={margin} />,
    },
    {
      key: 'listed',
      head: text.listedMargin,
      isRight: true,
      cell: ({ listed_margin: margin }) => <Signed amount={margin} />,
    },
    {
      key: 'drift',
      head: text.drift,
      isRight: true,
      folded: 'time',
      cell: ({ drift_percent: drift }) => (drift === null ? '–' : `${drift > 0 ? '+' : ''}${drift}%`),
    },
  ]
}

function Signed({ amount }: { amount: string | null }) {
  if (amount === null) return <span className="sub">–</span>
  return (
    <span className={amount.startsWith('-') ? 'bad strong' : undefined}>
      <Money amount={amount} />
    </span>
  )
}
