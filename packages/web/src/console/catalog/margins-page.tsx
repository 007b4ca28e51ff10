import type { MarginLine, ProductMargin } from '../../api/operator.generated.ts'
import { useOperator } from '../../api/operator.ts'
import { PageLink, useFilters } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { percentText } from '../../text/numbers.ts'
import { Checkbox, Segment } from '../../ui/field.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { Money } from '../../ui/money.tsx'
import { PageHead, Panel } from '../../ui/panel.tsx'
import { Shape, State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { CONSOLE } from '../messages.ts'
import { Tabs } from '../parts/pages.tsx'
import { CATALOG, MARGINS } from './messages.ts'
import { PageSteps, priceText, SearchChip } from './parts.tsx'
import { RealisedMargins } from './realised-margins.tsx'
import './supply.css'

const PAGE_PRODUCTS = 25

/** Answers where we earn, and where we lose. */
export function Page() {
  const text = useText(MARGINS)
  const pages = useText(CONSOLE)
  const [search] = useFilters()
  const open = search.tab === 'realised' ? 'realised' : 'listed'
  return (
    <>
      <PageHead title={pages.margins} about={text.about} />
      <Tabs
        label={text.views}
        to="/operator/margins"
        open={open}
        tabs={(['listed', 'realised'] as const).map((value) => ({ value, label: text.tabs[value] }))}
      />
      {open === 'realised' ? <RealisedMargins /> : <ListedMargins />}
    </>
  )
}

function ListedMargins() {
  const text = useText(MARGINS)
  const [search, change] = useFilters()
  const isNegative = search.negative === 'true'
  const reading = useOperator(
    'listMargins',
    {
      query: {
        limit: PAGE_PRODUCTS,
        ...(search.search === undefined ? {} : { search: search.search }),
        ...(isNegative ? { negative: true } : {}),
        ...(search.active === 'true' ? { is_active: true } : {}),
        ...(search.cursor === undefined ? {} : { cursor: search.cursor }),
      },
    },
    { keepsFormer: true },
  )
  return (
    <Panel isFlush>
      <div className="filters">
        <Segment
          label={text.filter}
          value={isNegative ? 'true' : ''}
          onValue={(negative) => change({ negative, cursor: undefined })}
          options={[
            { value: '', label: text.all },
            {
              value: 'true',
              label: (
                <>
                  <Shape tone="critical" isColoured />
                  {text.negative}
                </>
              ),
            },
          ]}
        />
        <SearchChip label={text.find} />
        <Checkbox
          label={text.onSale}
          isOn={search.active === 'true'}
          onToggle={(isOn) => change({ active: isOn ? 'true' : undefined, cursor: undefined })}
        />
      </div>
      <Loaded reading={reading} bones={12}>
        {({ data, cursor, has_more: hasMore }) =>
          data.length === 0 && isNegative ? (
            <Empty icon="check" title={text.noneNegative} about={text.noneNegativeAbout} />
          ) : (
            <>
              <MarginTable products={data} onlyNegative={isNegative} />
              <PageSteps
                onFirst={search.cursor === undefined ? undefined : () => change({ cursor: undefined })}
                onNext={hasMore && cursor !== null ? () => change({ cursor }) : undefined}
              >
                {text.shown(data.length)}
              </PageSteps>
            </>
          )
        }
      </Loaded>
    </Panel>
  )
}

type RouteMargin = ProductMargin['levels'][number]['routes'][number]

type Row = {
  readonly key: string
  readonly product: ProductMargin
  readonly level: ProductMargin['levels'][number]
  /** Undefined: the product has no route. */
  readonly route: RouteMargin | undefined
  readonly cost: string | null
}

type MarginTableProps = {
  readonly products: readonly ProductMargin[]
  /** True on the page of one product: its name is known. */
  readonly isAlone?: boolean
  /** True: routes that lose nothing are left out. */
  readonly onlyNegative?: boolean
}

/** Margin of each product at each level through each route. A negative one is red, and says so. */
export function MarginTable({ products, isAlone = false, onlyNegative = false }: MarginTableProps) {
  const text = useText(MARGINS)
  const columns = useColumns(isAlone)
  const rows = products.flatMap(rowsOf).filter(({ route }) => !onlyNegative || route?.negative === true)
  if (rows.length === 0) return <Empty icon="scale" title={text.none} about={text.noneAbout} />
  return (
    <Table
      caption={text.caption}
      columns={columns}
      rows={rows}
      rowKey={({ key }) => key}
      rowClass={({ route }) => (route?.negative ? 'loses' : undefined)}
    />
  )
}

function rowsOf(product: ProductMargin): Row[] {
  return product.levels.flatMap((level): Row[] => {
    const key = `${product.product} ${level.level}`
    if (level.routes.length === 0) return [{ key, product, level, route: undefined, cost: null }]
    return level.routes.map((route) => ({
      key: `${key} ${route.provider}`,
      product,
      level,
      route,
      cost: product.routes.find(({ provider }) => provider === route.provider)?.cost ?? null,
    }))
  })
}

function useColumns(isAlone: boolean): readonly Column<Row>[] {
  const text = useText(MARGINS)
  const catalog = useText(CATALOG)
  const product: Column<Row> = {
    key: 'product',
    head: catalog.product,
    folded: 'name',
    cell: ({ product: { product: code, name, is_active: isActive } }) => (
      <div className="who2">
        <PageLink className="mid-weight" to={`/operator/catalogue/products/${code}`}>
          {name}
        </PageLink>
        <small>
          <span className="mono">{code}</span>
          {isActive ? '' : ` · ${catalog.inactive}`}
        </small>
      </div>
    ),
  }
  return [
    {
      key: 'state',
      head: text.state,
      folded: 'shape',
      width: 120,
      cell: ({ route }) => <MarginState route={route} />,
    },
    ...(isAlone ? [] : [product]),
    {
      key: 'level',
      head: text.level,
      folded: isAlone ? 'name' : 'detail',
      cell: ({ level }) => (
        <div className="who2">
          <span className="mono">{level.level}</span>
          <small>{priceText(level.price, catalog)}</small>
        </div>
      ),
    },
    {
      key: 'route',
      head: text.route,
      ...(isAlone ? { folded: 'detail' as const } : {}),
      cell: ({ route, cost }) =>
        route === undefined ? (
          <span className="sub">{text.noRoute}</span>
        ) : (
          <div className="who2">
            <span className="mono">{route.provider}</span>
            <small>
              {cost ?? catalog.noCost}
              {route.takes_orders ? '' : `, ${text.takesNone}`}
            </small>
          </div>
        ),
    },
    {
      key: 'lowest',
      head: text.lowest,
      isRight: true,
      folded: 'amount',
      cell: ({ route }) => <Line line={route?.lowest ?? null} />,
    },
    {
      key: 'highest',
      head: text.highest,
      isRight: true,
      folded: 'time',
      cell: ({ route }) => <Line line={route?.highest ?? null} />,
    },
  ]
}

function MarginState({ route }: { route: RouteMargin | undefined }) {
  const text = useText(MARGINS)
  if (route === undefined || route.lowest === null) return <State tone="off">{text.unknown}</State>
  return route.negative ? <State tone="critical">{text.loses}</State> : <State tone="ok">{text.earns}</State>
}

function Line({ line }: { line: MarginLine | null }) {
  if (line === null) return <span className="sub">–</span>
  const isLoss = line.margin.startsWith('-')
  return (
    <div className="who2">
      <span className={isLoss ? 'bad strong' : undefined}>
        <Money amount={line.margin} />
        {line.margin_rate === null ? '' : ` (${percentText(line.margin_rate, 2)}%)`}
      </span>
      <small>
        <span className="mono">{line.sample}</span> <Money amount={line.price} /> −{' '}
        <Money amount={line.cost} />
      </small>
    </div>
  )
}
