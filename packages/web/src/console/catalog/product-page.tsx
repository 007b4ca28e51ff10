import { useState } from 'react'
import type { Route } from '../../api/operator.generated.ts'
import { useOperator, useOperatorAhead } from '../../api/operator.ts'
import { Crumbs, PageLink, useParam } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { Facts, PageHead, Panel } from '../../ui/panel.tsx'
import { Pill, State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { CONSOLE } from '../messages.ts'
import { EditProductDialog } from './change-review.tsx'
import { MarginTable } from './margins-page.tsx'
import { CATALOG } from './messages.ts'
import { OptionsPanel } from './options-panel.tsx'
import { priceText, useMayChangeCatalog } from './parts.tsx'
import type { ProductField, ProductFile } from './product-document.ts'
import { fieldsOf, textOf } from './product-document.ts'
import './supply.css'

/** One product: what it is, what it costs whom, who delivers it. */
export function Page() {
  const code = useParam('code')
  const pages = useText(CONSOLE)
  const reading = useOperator('getCatalogueProduct', { params: { code } })
  useOperatorAhead('listMargins', marginsInput(code))
  useOperatorAhead('listRoutes', { query: { product: code } })
  if (reading.data === undefined) {
    return (
      <>
        <PageHead title={code} crumbs={<PageLink to="/operator/catalogue">{pages.catalogue}</PageLink>} />
        <Loaded reading={reading} bones={8}>
          {() => null}
        </Loaded>
      </>
    )
  }
  return <Product file={reading.data.data} />
}

function Product({ file }: { file: ProductFile }) {
  const text = useText(CATALOG)
  const pages = useText(CONSOLE)
  const mayChange = useMayChangeCatalog()
  const [isEditing, setEditing] = useState(false)
  const { product } = file
  const code = textOf(product.code)
  const fields = fieldsOf(file)
  return (
    <>
      <PageHead
        crumbs={<Crumbs to="/operator/catalogue" label={pages.catalogue} here={code} />}
        title={
          <>
            {textOf(product.name)}{' '}
            <Pill tone={product.is_active === true ? 'ok' : 'off'}>
              {product.is_active === true ? text.active : text.inactive}
            </Pill>
          </>
        }
        about={textOf(product.note)}
        actions={
          mayChange ? (
            <Button icon="edit" onClick={() => setEditing(true)}>
              {text.edit}
            </Button>
          ) : null
        }
      />
      <div className="grid c84">
        <div className="stack">
          <PricesPanel file={file} />
          <MarginsPanel code={code} />
          <RoutesPanel code={code} />
          <FieldsPanel fields={fields} />
          {file.options.map(({ field, total }) => (
            <OptionsPanel key={field} code={code} field={field} total={total} />
          ))}
        </div>
        <div className="stack">
          <SeenPanel fields={fields} />
          <DetailsPanel file={file} />
        </div>
      </div>
      {isEditing ? <EditProductDialog file={file} onClose={() => setEditing(false)} /> : null}
    </>
  )
}

type Price = ProductFile['prices'][number]

function PricesPanel({ file }: { file: ProductFile }) {
  const text = useText(CATALOG)
  const columns: readonly Column<Price>[] = [
    {
      key: 'level',
      head: text.levels,
      folded: 'name',
      cell: ({ level }) => (
        <PageLink
          className="link mono"
          to={`/operator/levels/${level}`}
          search={{ search: textOf(file.product.code) }}
        >
          {level}
        </PageLink>
      ),
    },
    { key: 'price', head: text.price, folded: 'detail', cell: (price) => priceText(price, text) },
  ]
  return (
    <Panel isFlush title={text.prices} count={file.prices.length}>
      {file.prices.length === 0 ? (
        <Empty icon="tree" title={text.noPrices} about={text.noPricesAbout} />
      ) : (
        <Table caption={text.prices} columns={columns} rows={file.prices} rowKey={({ level }) => level} />
      )}
    </Panel>
  )
}

function marginsInput(code: string) {
  return { query: { search: code, limit: 50 } }
}

function MarginsPanel({ code }: { code: string }) {
  const text = useText(CATALOG)
  const reading = useOperator('listMargins', marginsInput(code))
  return (
    <Panel isFlush title={text.marginsOf}>
      <Loaded reading={reading} bones={2}>
        {({ data }) => <MarginTable products={data.filter(({ product }) => product === code)} isAlone />}
      </Loaded>
    </Panel>
  )
}

function RoutesPanel({ code }: { code: string }) {
  const text = useText(CATALOG)
  const reading = useOperator('listRoutes', { query: { product: code } })
  const columns: readonly Column<Route>[] = [
    {
      key: 'provider',
      head: text.provider,
      folded: 'name',
      cell: ({ provider }) => (
        <PageLink className="link mono" to={`/operator/providers/${provider}`}>
          {provider}
        </PageLink>
      ),
    },
    { key: 'priority', head: text.priority, isRight: true, folded: 'time', cell: ({ priority }) => priority },
    {
      key: 'cost',
      head: text.cost,
      isRight: true,
      folded: 'amount',
      cell: ({ cost }) => cost ?? text.noCost,
    },
    {
      key: 'enabled',
      head: text.takesOrders,
      folded: 'detail',
      cell: ({ enabled }) => <State tone={enabled ? 'ok' : 'off'}>{enabled ? text.yes : text.no}</State>,
    },
  ]
  return (
    <Panel isFlush title={text.routes}>
      <Loaded
        reading={reading}
        bones={2}
        empty={<Empty icon="plug" title={text.noRoutes} about={text.noRoutesAbout} />}
      >
        {({ data }) => (
          <Table caption={text.routes} columns={columns} rows={data} rowKey={({ provider }) => provider} />
        )}
      </Loaded>
    </Panel>
  )
}

function FieldsPanel({ fields }: { fields: readonly ProductField[] }) {
  const text = useText(CATALOG)
  const columns: readonly Column<ProductField>[] = [
    {
      key: 'label',
      head: text.field,
      folded: 'name',
      cell: ({ id, label }) => (
        <div className="who2">
          <span className="mid-weight">{label}</span>
          <small className="mono">{id}</small>
        </div>
      ),
    },
    {
      key: 'type',
      head: text.type,
      folded: 'amount',
      cell: ({ type }) => <span className="mono">{type}</span>,
    },
    { key: 'role', head: text.role, rank: 2, cell: ({ role }) => role },
    {
      key: 'rule',
      head: text.rule,
      folded: 'detail',
      cell: ({ isRequired, rule, choices }) =>
        [isRequired ? text.required : text.optional, choices === undefined ? '' : text.chooses(choices), rule]
          .filter((each) => each !== '')
          .join(', '),
    },
  ]
  return (
    <Panel isFlush title={text.fields} count={fields.length}>
      <Table caption={text.fields} columns={columns} rows={fields} rowKey={({ id }) => id} />
    </Panel>
  )
}

/** The form as resellers meet it; nothing can be sent from here. */
function SeenPanel({ fields }: { fields: readonly ProductField[] }) {
  const text = useText(CATALOG)
  return (
    <Panel title={text.seen}>
      <p className="sub small">{text.seenAbout}</p>
      <div className="preview-form">
        {fields.map(({ id, type, label, placeholder, choices, rule }) =>
          type === 'select' ? (
            <SelectField
              key={id}
              label={label}
              hint={rule || undefined}
              value=""
              disabled
              onValue={() => {}}
              placeholder={choices === undefined ? placeholder : text.chooses(choices)}
              options={[]}
            />
          ) : (
            <TextField
              key={id}
              label={label}
              hint={rule || undefined}
              value=""
              disabled
              placeholder={placeholder}
              onValue={() => {}}
            />
          ),
        )}
      </div>
    </Panel>
  )
}

function DetailsPanel({ file: { product } }: { file: ProductFile }) {
  const text = useText(CATALOG)
  const fact = (term: string, value: unknown) =>
    textOf(value) === '' ? undefined : { term, value: <span className="mono">{textOf(value)}</span> }
  const yesNo = (term: string, value: unknown) => ({ term, value: value === true ? text.yes : text.no })
  return (
    <Panel title={text.details}>
      <Facts
        facts={[
          fact(text.category, product.category),
          fact(text.kind, product.kind),
          fact(text.denominations, product.denomination),
          fact(text.unit, product.denomination_unit_price),
          fact(text.processing, product.processing_time),
          { ...yesNo(text.isHidden, product.is_hidden), isApart: true },
          yesNo(text.isRestricted, product.is_restricted),
          yesNo(text.isRefundable, product.is_refundable),
        ]}
      />
    </Panel>
  )
}
