import { useState } from 'react'
import type {
  GetLevelResponse,
  LevelPrice,
  LevelPriceRequest,
  SetLevelPriceResponse,
} from '../../api/operator.generated.ts'
import { operator, operatorKey, useOperator, useOperatorAhead } from '../../api/operator.ts'
import { updateLevel } from '../../api/operator-acts.generated.ts'
import { Crumbs, PageLink, useFilters, useParam } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { factorOfPercent, percentOfFactor } from '../../text/numbers.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { Facts, PageHead, Panel } from '../../ui/panel.tsx'
import type { Column } from '../../ui/table.tsx'
import { actionHead, Table } from '../../ui/table.tsx'
import { MeasuredDialog } from '../catalog/comparison.tsx'
import { CATALOG } from '../catalog/messages.ts'
import { priceText, SearchChip, useMayChangeCatalog } from '../catalog/parts.tsx'
import { CONSOLE } from '../messages.ts'
import { ConsoleAct, ReasonField } from '../parts/act.tsx'
import { ProductFinder } from '../parts/finders.tsx'
import { LevelLimits } from '../parts/limits.tsx'
import { useMay } from '../roles.ts'
import { LEVELS } from './messages.ts'
import '../catalog/supply.css'

/** One level: what it pays for each product. */
export function Page() {
  const code = useParam('code')
  const pages = useText(CONSOLE)
  const may = useMay()
  const reading = useOperator('getLevel', { params: { code } })
  useOperatorAhead('getLevelLimits', { params: { code } }, may('limits.read'))
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
  const may = useMay()
  const [search] = useFilters()
  const [edited, setEdited] = useState<LevelPrice | 'new' | undefined>(undefined)
  const [isRenaming, setRenaming] = useState(false)
  const wanted = (search.search ?? '').toLowerCase()
  const shown = level.prices.filter(({ product }) => product.toLowerCase().includes(wanted))
  const columns = useColumns(mayChange ? setEdited : undefined)
  return (
    <>
      <PageHead
        crumbs={<Crumbs to="/operator/levels" label={pages.levels} here={level.code} />}
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
      {may('limits.read') ? <LevelLimits code={level.code} /> : null}
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
    ...actionHead(text.set),
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

type PriceDialogProps = {
  readonly level: string
  /** Price that is changed; undefined for a new one. */
  readonly price: LevelPrice | undefined
  readonly onClose: () => void
}

type Kind = LevelPriceRequest['discount_type']
type Measured = SetLevelPriceResponse['data']

const AMOUNT = /^\d{1,9}(?:\.\d{1,4})?$/

/** Sets a price: the service measures it first, and the operator sees what it would cost. */
function PriceDialog({ level, price, onClose }: PriceDialogProps) {
  const text = useText(LEVELS)
  const [product, setProduct] = useState<string | undefined>(price?.product)
  const [kind, setKind] = useState<Kind>(price?.discount_type ?? 'percentage')
  const [value, setValue] = useState(price === undefined ? '' : typedValue(price))
  const [reason, setReason] = useState('')
  const sent = sentValue(kind, value)
  return (
    <MeasuredDialog<Measured>
      title={text.setTitle(level)}
      isFilled={product !== undefined && (kind === 'none' || sent !== undefined) && reason.trim() !== ''}
      call={(isDry) =>
        operator.call('setLevelPrice', {
          params: { code: level, product: product ?? '' },
          body: {
            discount_type: kind,
            ...(kind === 'none' ? {} : { value: sent ?? '' }),
            ...(isDry ? { dry_run: true } : {}),
            reason: reason.trim(),
          },
        })
      }
      measured={(measured) => <MeasuredPrice measured={measured} />}
      saved={text.saved}
      refresh={STALE}
      onClose={onClose}
      form={
        <>
          {price === undefined ? (
            <ProductFinder
              label={text.product}
              onCode={(code) => setProduct(code === '' ? undefined : code)}
            />
          ) : (
            <Facts facts={[{ term: text.product, value: <span className="mono">{price.product}</span> }]} />
          )}
          <SelectField
            label={text.kind}
            value={kind}
            onValue={(next) => setKind(next as Kind)}
            options={[
              { value: 'percentage', label: text.percentage },
              { value: 'fixed', label: text.fixed },
              { value: 'none', label: text.takeAway },
            ]}
          />
          <ValueField kind={kind} value={value} onValue={setValue} />
          <ReasonField value={reason} onValue={setReason} />
        </>
      }
    />
  )
}

const STALE = (
  ['getLevel', 'listLevels', 'listMargins', 'getCatalogueProduct', 'listApprovals'] as const
).map((id) => operatorKey(id))

function ValueField({
  kind,
  value,
  onValue,
}: {
  kind: Kind
  value: string
  onValue: (value: string) => void
}) {
  const text = useText(LEVELS)
  if (kind === 'none') return null
  const isPercentage = kind === 'percentage'
  return (
    <TextField
      label={isPercentage ? text.percent : text.amount}
      hint={isPercentage ? text.percentHint : text.amountHint}
      error={value !== '' && sentValue(kind, value) === undefined ? text.bad : undefined}
      before={isPercentage ? '%' : 'MYR'}
      inputMode="decimal"
      value={value}
      maxLength={14}
      onValue={onValue}
    />
  )
}

function typedValue({ discount_type: type, value }: LevelPrice): string {
  return type === 'percentage' ? percentOfFactor(value) : value
}

function sentValue(kind: Kind, typed: string): string | undefined {
  if (kind === 'percentage') return factorOfPercent(typed)
  return AMOUNT.test(typed.trim()) ? typed.trim() : undefined
}

function MeasuredPrice({ measured }: { measured: Measured }) {
  const text = useText(LEVELS)
  const catalog = useText(CATALOG)
  return (
    <>
      <Facts
        facts={[
          { term: text.product, value: <span className="mono">{measured.product}</span> },
          {
            term: text.becomes,
            value: measured.price === null ? text.isNone : priceText(measured.price, catalog),
          },
        ]}
      />
      <p className="mid">{text.affects(measured.summary.accounts_affected)}</p>
    </>
  )
}
