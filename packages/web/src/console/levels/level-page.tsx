import { useState } from 'react'
import type { GetLevelResponse, LevelPrice } from '../../api/operator.generated.ts'
import { useOperator } from '../../api/operator.ts'
import { updateLevel } from '../../api/operator-acts.generated.ts'
import { PageLink, useFilters, useParam } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { PageHead, Panel } from '../../ui/panel.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { CATALOG } from '../catalog/messages.ts'
import { useMayChangeCatalog } from '../catalog/permission.ts'
import { priceText } from '../catalog/price-text.ts'
import { SearchChip } from '../catalog/search-chip.tsx'
import { CONSOLE } from '../messages.ts'
import { ConsoleAct } from '../parts/act.tsx'
import { LEVELS } from './messages.ts'
import { PriceDialog } from './price-dialog.tsx'
import '../catalog/supply.css'

/** One level: what it pays for each product. */
export function Page() {
  const code = useParam('code')
  const pages = useText(CONSOLE)
  const reading = useOperator('getLevel', { params: { code } })
  if (reading.data === undefined) {
    return (
      <>
        <PageHead title={code} crumbs={<PageLink to="/operator/levels">{pages.levels}</PageLink>} />
        <Loaded reading={reading} bones={8}>
          {() => null}
        </Loaded>
      </>
    )
  }
  return <Level level={reading.data.data} />
}

type LevelData = GetLevelResponse['data']

function Level({ level }: { level: LevelData }) {
  const text = useText(LEVELS)
  const pages = useText(CONSOLE)
  const mayChange = useMayChangeCatalog()
  const [search] = useFilters()
  const [edited, setEdited] = useState<LevelPrice | 'new' | undefined>(undefined)
  const [isRenaming, setRenaming] = useState(false)
  const wanted = (search.search ?? '').toLowerCase()
  const shown = level.prices.filter(({ product }) => product.toLowerCase().includes(wanted))
  const columns = useColumns(mayChange ? setEdited : undefined)
  return (
    <>
      <PageHead
        crumbs={
          <>
            <PageLink to="/operator/levels">{pages.levels}</PageLink> ›{' '}
            <span className="mono">{level.code}</span>
          </>
        }
        title={level.name}
        actions={
          mayChange ? (
            <>
              <Button icon="edit" onClick={() => setRenaming(true)}>
                {text.rename}
              </Button>
              <Button look="primary" icon="plus" onClick={() => setEdited('new')}>
                {text.set}
              </Button>
            </>
          ) : null
        }
      />
      <Panel isFlush>
        <div className="filters">
          <SearchChip label={text.find} />
          <span className="sub small">{text.shown(shown.length, level.prices.length)}</span>
        </div>
        {shown.length === 0 ? (
          <Empty icon="tree" title={text.noPrice} about={text.noPriceAbout} />
        ) : (
          <Table caption={text.prices} columns={columns} rows={shown} rowKey={({ product }) => product} />
        )}
      </Panel>
      {edited === undefined ? null : (
        <PriceDialog
          level={level.code}
          price={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
      {isRenaming ? (
        <ConsoleAct
          act={updateLevel}
          input={{ params: { code: level.code } }}
          title={text.rename}
          action={text.save}
          done={text.renamed}
          refresh={['listLevels', 'getLevel']}
          onClose={() => setRenaming(false)}
          from={{ name: level.name }}
          fields={{ name: { label: text.name } }}
        />
      ) : null}
    </>
  )
}

function useColumns(onEdit: ((price: LevelPrice) => void) | undefined): readonly Column<LevelPrice>[] {
  const text = useText(LEVELS)
  const catalog = useText(CATALOG)
  const edit: Column<LevelPrice> = {
    key: 'edit',
    head: <span className="hide">{text.set}</span>,
    isRight: true,
    folded: 'amount',
    cell: (price) => (
      <IconButton small icon="edit" label={text.edit(price.product)} onClick={() => onEdit?.(price)} />
    ),
  }
  return [
    {
      key: 'product',
      head: text.product,
      folded: 'name',
      cell: ({ product }) => (
        <PageLink className="link mono" to={`/operator/catalogue/products/${product}`}>
          {product}
        </PageLink>
      ),
    },
    { key: 'price', head: text.price, folded: 'detail', cell: (price) => priceText(price, catalog) },
    ...(onEdit === undefined ? [] : [edit]),
  ]
}
