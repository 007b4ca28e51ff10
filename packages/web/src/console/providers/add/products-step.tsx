import { useState } from 'react'
import type { GetProviderResponse } from '../../../api/operator.generated.ts'
import { setProviderProducts } from '../../../api/operator-acts.generated.ts'
import { PageLink } from '../../../shell/navigation.tsx'
import { useText } from '../../../text/language.ts'
import { Button, buttonClass, IconButton } from '../../../ui/button.tsx'
import { TextAreaField, TextField } from '../../../ui/field.tsx'
import { Empty } from '../../../ui/loaded.tsx'
import { Panel } from '../../../ui/panel.tsx'
import type { Column } from '../../../ui/table.tsx'
import { actionHead, Table } from '../../../ui/table.tsx'
import { ReadDialog } from '../../offers/dialogs.tsx'
import { ReadingsPanel } from '../../offers/readings-panel.tsx'
import { ConsoleAct } from '../../parts/act.tsx'
import { ProductFinder } from '../../parts/finders.tsx'
import { ADD } from './messages.ts'
import type { CodeLine } from './rules.ts'
import { ADDING, codesOf, readValues, withCode, withoutCode } from './rules.ts'

type ProviderProps = { readonly provider: GetProviderResponse['data'] }

/** Says by which codes of the supplier our products are ordered. */
export function ProductsStep({ provider }: ProviderProps) {
  const text = useText(ADD)
  return (
    <>
      <div className="stack">
        <ListPanel provider={provider} />
        <CodesPanel provider={provider} />
      </div>
      <p className="step-on">
        <PageLink
          className={buttonClass({ look: 'primary' })}
          to={ADDING}
          search={{ provider: provider.code, step: 'routes' }}
        >
          {text.next.routes}
        </PageLink>
      </p>
    </>
  )
}

function ListPanel({ provider: { code, config } }: ProviderProps) {
  const text = useText(ADD)
  const [isReading, setReading] = useState(false)
  if (config?.catalogue === undefined) {
    return (
      <Panel title={text.list}>
        <p className="sub small">{text.noList}</p>
      </Panel>
    )
  }
  return (
    <>
      <Panel title={text.list}>
        <div className="stack">
          <p className="mid">{text.listAbout}</p>
          <p className="row wrap">
            <Button icon="refresh" onClick={() => setReading(true)}>
              {text.readList}
            </Button>
            <PageLink className={buttonClass({})} to="/operator/offers" search={{ provider: code }}>
              {text.proposals}
            </PageLink>
          </p>
        </div>
      </Panel>
      <ReadingsPanel provider={code} />
      {isReading ? <ReadDialog provider={code} onClose={() => setReading(false)} /> : null}
    </>
  )
}

function CodesPanel({ provider: { code, config } }: ProviderProps) {
  const text = useText(ADD)
  const [isAdding, setAdding] = useState(false)
  const [removed, setRemoved] = useState<CodeLine | undefined>(undefined)
  const columns = useColumns(setRemoved)
  const rows = codesOf(config?.products)
  return (
    <Panel
      isFlush
      title={text.codes}
      count={rows.length || undefined}
      actions={
        <Button size="sm" icon="plus" onClick={() => setAdding(true)}>
          {text.addCode}
        </Button>
      }
    >
      {rows.length === 0 ? (
        <Empty icon="catalog" title={text.noCodes} about={text.noCodesAbout} />
      ) : (
        <Table
          caption={text.codes}
          columns={columns}
          rows={rows}
          rowKey={({ product, by, place }) => [product, by, place].join(' ')}
          rowClass={({ isClosed }) => (isClosed ? 'is-off' : undefined)}
        />
      )}
      {isAdding ? (
        <CodeDialog code={code} products={config?.products} onClose={() => setAdding(false)} />
      ) : null}
      {removed === undefined ? null : (
        <ConsoleAct
          isDangerous
          act={setProviderProducts}
          input={{ params: { code } }}
          members={{ products: withoutCode(config?.products, removed) }}
          title={text.removeCodeTitle(removed.product)}
          action={text.remove}
          done={text.codeRemoved}
          asked={text.asked}
          refresh={STALE}
          onClose={() => setRemoved(undefined)}
        >
          <p className="mid">{text.removeCodeAbout}</p>
        </ConsoleAct>
      )}
    </Panel>
  )
}

const STALE = ['getProvider', 'listApprovals'] as const

type CodeDialogProps = { readonly code: string; readonly products: unknown; readonly onClose: () => void }

function CodeDialog({ code, products, onClose }: CodeDialogProps) {
  const text = useText(ADD)
  const [product, setProduct] = useState('')
  const [amount, setAmount] = useState('')
  const [supplierCode, setSupplierCode] = useState('')
  const [lines, setLines] = useState('')
  const values = readValues(lines)
  const added = { product, amount: amount.trim(), code: supplierCode.trim(), values: values ?? {} }
  return (
    <ConsoleAct
      act={setProviderProducts}
      input={{ params: { code } }}
      members={{ products: withCode(products, added) }}
      isReady={product !== '' && added.code !== '' && values !== undefined}
      title={text.addCode}
      action={text.save}
      done={text.codeSaved}
      asked={text.asked}
      refresh={STALE}
      onClose={onClose}
    >
      <ProductFinder label={text.product} onCode={setProduct} />
      <div className="grid c2">
        <TextField
          label={text.amount}
          hint={text.amountHint}
          inputMode="decimal"
          autoComplete="off"
          value={amount}
          onValue={setAmount}
        />
        <TextField
          label={text.supplierCode}
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          value={supplierCode}
          onValue={setSupplierCode}
        />
      </div>
      <TextAreaField
        label={text.values}
        hint={text.valuesHint}
        error={values === undefined ? text.valuesWrong : undefined}
        rows={2}
        value={lines}
        onValue={setLines}
      />
    </ConsoleAct>
  )
}

function useColumns(onRemove: (line: CodeLine) => void): readonly Column<CodeLine>[] {
  const text = useText(ADD)
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
    {
      key: 'place',
      head: text.place,
      folded: 'detail',
      cell: ({ place }) => (place === '' ? <span className="sub">{text.everyAmount}</span> : place),
    },
    {
      key: 'code',
      head: text.supplierCode,
      folded: 'time',
      cell: ({ code, isClosed }) => (
        <>
          <span className="mono anywhere">{code}</span>{' '}
          {isClosed ? <span className="sub small">{text.isClosed}</span> : null}
        </>
      ),
    },
    {
      key: 'values',
      head: text.values,
      rank: 2,
      cell: ({ values }) => (
        <span className="mono small anywhere">
          {Object.entries(values)
            .map((pair) => pair.join('='))
            .join(', ')}
        </span>
      ),
    },
    {
      ...actionHead(text.remove),
      cell: (line) => (
        <IconButton small icon="close" label={text.removeCode(line.product)} onClick={() => onRemove(line)} />
      ),
    },
  ]
}
