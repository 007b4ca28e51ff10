import type { CatalogueProduct } from '../../api/operator.generated.ts'
import { operator, useOperator } from '../../api/operator.ts'
import { NoneMatch, SelectFilter } from '../../shell/filters.tsx'
import { PageLink, useFilters } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { countText } from '../../text/numbers.ts'
import { buttonClass, LinkButton } from '../../ui/button.tsx'
import { Segment } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PageHead, Panel } from '../../ui/panel.tsx'
import { State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { CONSOLE } from '../messages.ts'
import { CATALOG } from './messages.ts'
import { PageSteps, SearchChip, useMayChangeCatalog } from './parts.tsx'
import './supply.css'

const PAGE_ROWS = 50
const CSV_KINDS = ['groups', 'categories', 'options', 'prices'] as const

/** Lists all that is sold. */
export function Page() {
  const text = useText(CATALOG)
  const pages = useText(CONSOLE)
  const mayChange = useMayChangeCatalog()
  const [search, change] = useFilters()
  const reading = useOperator('listCatalogueProducts', { query: queryOf(search) }, { keepsFormer: true })
  const columns = useProductColumns()
  return (
    <>
      <PageHead
        title={pages.catalogue}
        about={text.about}
        actions={
          <>
            <LinkButton icon="down" href={operator.urlOf('exportCatalogue', {})} download="catalog.json">
              {text.exportJson}
            </LinkButton>
            {mayChange ? (
              <PageLink className={buttonClass({ look: 'primary' })} to="/operator/catalogue/import">
                <Icon name="plus" />
                {text.import}
              </PageLink>
            ) : null}
          </>
        }
      />
      <Panel isFlush>
        <FilterBar />
        <Loaded
          reading={reading}
          bones={12}
          empty={
            <NoneMatch
              icon="catalog"
              title={text.none}
              about={text.noneAbout}
              clear={text.clear}
              filters={NO_FILTERS}
            />
          }
        >
          {({ data, cursor, has_more: hasMore }) => (
            <>
              <Table
                caption={text.caption}
                columns={columns}
                rows={data}
                rowKey={({ code }) => code}
                linkTo={({ code }) => ({ to: `/operator/catalogue/products/${code}` })}
              />
              <PageSteps
                onFirst={search.cursor === undefined ? undefined : () => change({ cursor: undefined })}
                onNext={hasMore && cursor !== null ? () => change({ cursor }) : undefined}
              >
                {text.shown(data.length)}
              </PageSteps>
            </>
          )}
        </Loaded>
      </Panel>
    </>
  )
}

const NO_FILTERS = { search: undefined, category: undefined, active: undefined, cursor: undefined }

function queryOf({ search, category, active, cursor }: Readonly<Record<string, string | undefined>>) {
  return {
    limit: PAGE_ROWS,
    ...(search === undefined ? {} : { search }),
    ...(category === undefined ? {} : { category }),
    ...(active === undefined ? {} : { is_active: active === 'true' }),
    ...(cursor === undefined ? {} : { cursor }),
  }
}

function FilterBar() {
  const text = useText(CATALOG)
  const [search, change] = useFilters()
  const catalog = useOperator('getCatalogue', {})
  const categories = (catalog.data?.data.categories ?? []).map(({ code, name }) => ({
    code: String(code),
    name: String(name),
  }))
  return (
    <div className="filters">
      <Segment
        label={text.state}
        value={search.active ?? ''}
        onValue={(active) => change({ active, cursor: undefined })}
        options={[
          { value: '', label: text.all },
          { value: 'true', label: text.active },
          { value: 'false', label: text.inactive },
        ]}
      />
      <SelectFilter
        name="category"
        label={text.category}
        any={text.anyCategory}
        options={categories.map(({ code, name }) => ({ value: code, label: name }))}
      />
      <SearchChip label={text.find} />
      <span className="csv-links small push">
        <span className="sub">{text.csvOf}</span>
        {CSV_KINDS.map((kind) => (
          <a
            key={kind}
            className="link"
            href={operator.urlOf('exportCatalogueCsv', { query: { kind } })}
            download={`${kind}.csv`}
          >
            {text.kinds[kind]}
          </a>
        ))}
      </span>
    </div>
  )
}

function useProductColumns(): readonly Column<CatalogueProduct>[] {
  const text = useText(CATALOG)
  const marks = (product: CatalogueProduct) => [
    ...(product.is_hidden ? [text.hidden] : []),
    ...(product.is_restricted ? [text.restricted] : []),
  ]
  return [
    {
      key: 'state',
      head: text.state,
      folded: 'shape',
      width: 140,
      cell: ({ is_active: isActive }) => (
        <State tone={isActive ? 'ok' : 'off'}>{isActive ? text.active : text.inactive}</State>
      ),
    },
    {
      key: 'name',
      head: text.product,
      folded: 'name',
      cell: (product) => (
        <>
          <span className="mid-weight">{product.name}</span>{' '}
          <span className="sub small">{marks(product).join(', ')}</span>
        </>
      ),
    },
    {
      key: 'code',
      head: text.code,
      folded: 'detail',
      cell: ({ code }) => <span className="mono">{code}</span>,
    },
    {
      key: 'category',
      head: text.category,
      rank: 2,
      cell: ({ category }) => <span className="mono">{category}</span>,
    },
    {
      key: 'kind',
      head: text.kind,
      rank: 2,
      folded: 'time',
      cell: ({ kind }) => <span className="sub">{kind}</span>,
    },
    { key: 'levels', head: text.levels, isRight: true, cell: ({ levels }) => countText(levels) },
    {
      key: 'options',
      head: text.options,
      isRight: true,
      folded: 'amount',
      cell: ({ options }) => countText(options),
    },
  ]
}
