import { billerFieldOf } from '@warung/forms/form'
import type { Field } from '@warung/forms/types'
import { useEffect, useRef, useState } from 'react'
import type { Catalog, Product } from '../../api/portal.generated.ts'
import { usePortal, usePortalAhead } from '../../api/portal.ts'
import { PageLink, useFilters, useParam } from '../../shell/navigation.tsx'
import { useShortcuts } from '../../shell/shortcuts.ts'
import { useText } from '../../text/language.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Switch } from '../../ui/field.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { PageHead, Panel } from '../../ui/panel.tsx'
import { Note, State } from '../../ui/state.tsx'
import { PORTAL } from '../messages.ts'
import { useIsAdmin } from '../session.ts'
import { SellBill, SellField } from './fields.tsx'
import { useFirstFocus } from './focus.ts'
import { SELL } from './messages.ts'
import { Picker } from './picker.tsx'
import { RepeatDialog } from './repeat-dialog.tsx'
import { GoingOn, KnownSale, SentSale } from './sale-view.tsx'
import { RequestPanel, Till } from './till.tsx'
import type { SellForm } from './use-form.ts'
import { useForm } from './use-form.ts'
import { useSale } from './use-sale.ts'
import './sell.css'

/** Form of one product, drawn from its definition, and the till beside it. */
export function Page() {
  const code = useParam('product')
  const [search] = useFilters()
  const reading = usePortal('portalGetSellCatalog', {})
  usePortalAhead('portalGetNetwork', { query: { product: code } })
  return (
    <Loaded reading={reading} bones={12}>
      {(catalog) => <Counter key={`${code} ${search.biller ?? ''}`} catalog={catalog} code={code} />}
    </Loaded>
  )
}

function Counter({ catalog, code }: { catalog: Catalog; code: string }) {
  const text = useText(SELL)
  const pages = useText(PORTAL)
  const [search] = useFilters()
  const [hasDefinitions, setDefinitions] = useState(false)
  const product = catalog.products[code]
  return (
    <>
      <PageHead
        title={pages.sell}
        about={text.about}
        actions={
          <span className="row small mid wide-only">
            <Switch label={text.definitions} isOn={hasDefinitions} onToggle={setDefinitions} />
            {text.definitions}
          </span>
        }
      />
      <GoingOn except={code} />
      <div className="till">
        <Picker
          catalog={catalog}
          current={code}
          {...(search.biller === undefined ? {} : { currentBiller: search.biller })}
        />
        {product === undefined ? (
          <Panel>
            <Empty
              icon="sell"
              title={text.unknownProduct}
              about={text.unknownProductAbout}
              action={
                <PageLink className={buttonClass({ size: 'sm' })} to="/portal/sell">
                  {text.pickAnother}
                </PageLink>
              }
            />
          </Panel>
        ) : (
          <ProductSale product={product} hasDefinitions={hasDefinitions} />
        )}
      </div>
    </>
  )
}

function ProductSale({ product, hasDefinitions }: { product: Product; hasDefinitions: boolean }) {
  const { state, pay, leave } = useSale(product.code)
  const isAdmin = useIsAdmin()
  const form = useForm(product, {})
  useNamedBiller(product, form)
  const { setRefusal, renewRefid, clear } = form
  const refused = state.kind === 'none' ? state.error : null
  // A refusal stands beside what was typed. The next attempt is a payment of its own.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new refusal counts.
  useEffect(() => {
    if (refused === null) return
    setRefusal(refused)
    renewRefid()
  }, [refused])
  const [isAsking, setAsking] = useState(false)
  const repeated = form.quote.judged?.warnings.find(({ payment }) => payment !== null)?.payment
  const send = (more: { readonly allow_duplicate?: true } = {}) =>
    pay({ ...form.body, ...more }, form.quote.judged?.price ?? null)
  const tryToPay = () => {
    form.setTried()
    if (!form.isRight) focusFirstProblem()
    else if (isAdmin && form.quote.blocked === null && state.kind === 'none') {
      if (repeated == null) send()
      else setAsking(true)
    }
  }
  useShortcuts({ 'ctrl+enter': tryToPay })
  const sellAgain = () => {
    leave()
    clear()
  }
  if (state.kind === 'known') {
    return (
      <div className="ended">
        <KnownSale sale={state.sale} paymentId={state.paymentId} onAnother={sellAgain} />
      </div>
    )
  }
  if (state.kind === 'sent') {
    return (
      <div className="ended">
        <SentSale sale={state.sale} error={state.error} />
      </div>
    )
  }
  return (
    <>
      <FormPanel product={product} form={form} hasDefinitions={hasDefinitions} />
      <div className="stack">
        <Till product={product} form={form} onPay={tryToPay} isStale={state.isStale} />
        {isAsking && repeated != null ? (
          <RepeatDialog
            payment={repeated}
            onClose={() => setAsking(false)}
            onPay={() => {
              setAsking(false)
              send({ allow_duplicate: true })
            }}
          />
        ) : null}
        {hasDefinitions ? <RequestPanel body={form.body} /> : null}
      </div>
    </>
  )
}

/** Puts the cursor into the first field that needs mending, once its message is drawn. */
function focusFirstProblem(): void {
  requestAnimationFrame(() => {
    document.querySelector<HTMLElement>('.frm [aria-invalid="true"], .frm .is-wrong input')?.focus()
  })
}

/** Chooses the biller that the address names. */
function useNamedBiller(product: Product, { setValue, values }: SellForm): void {
  const [search] = useFilters()
  const field = billerFieldOf(product)
  const code = search.biller
  const isNamed = field !== undefined && code !== undefined
  const { data } = usePortal(
    'portalGetSellOptions',
    { query: { product_code: product.code, field_id: field ?? '', biller_code: code ?? '', limit: 1 } },
    { isEnabled: isNamed },
  )
  const biller = data?.items.find((each) => each.code === code)
  const isChosen = field !== undefined && values[field] !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the biller is known.
  useEffect(() => {
    if (biller !== undefined && field !== undefined && !isChosen) setValue(field, biller)
  }, [biller])
}

type FormPanelProps = { product: Product; form: SellForm; hasDefinitions: boolean }

function FormPanel({ product, form, hasDefinitions }: FormPanelProps) {
  const text = useText(SELL)
  const frame = useRef<HTMLDivElement>(null)
  const [{ biller }] = useFilters()
  // The field of a biller that the address names is filled by itself.
  const skipped = biller === undefined ? undefined : billerFieldOf(product)
  const first = form.fields.findIndex(({ id }) => id !== skipped)
  useFirstFocus(frame, `[data-field="${first}"] :is(input, select)`)
  return (
    <Panel
      title={
        <>
          {product.name} <span className="mono sub small">{product.code}</span>
        </>
      }
      actions={
        <>
          <Health product={product.code} />
          <span className="tag">{text.times[product.processing_time]}</span>
        </>
      }
    >
      <div className="frm" ref={frame}>
        {product.note === null ? null : <p className="mid small">{text.standard(product.note)}</p>}
        <Interruption product={product.code} />
        {form.fields.map((field, index) => (
          <FieldRow
            key={field.id}
            at={index}
            product={product}
            form={form}
            field={field}
            hasDefinitions={hasDefinitions}
          />
        ))}
      </div>
    </Panel>
  )
}

function useIsInterrupted(product: string): boolean | undefined {
  const { data } = usePortal('portalGetNetwork', { query: { product } })
  return data === undefined ? undefined : data.data.network_status === 'Interruption'
}

function Health({ product }: { product: string }) {
  const text = useText(SELL)
  const isInterrupted = useIsInterrupted(product)
  if (isInterrupted === undefined) return null
  return (
    <State tone={isInterrupted ? 'warning' : 'ok'}>{isInterrupted ? text.interrupted : text.healthy}</State>
  )
}

function Interruption({ product }: { product: string }) {
  const text = useText(SELL)
  return useIsInterrupted(product) ? <Note tone="warning">{text.interruptedAbout}</Note> : null
}

function FieldRow({
  product,
  form,
  field,
  at,
  hasDefinitions,
}: FormPanelProps & { field: Field; at: number }) {
  return (
    <>
      <div className={hasDefinitions ? 'fr' : undefined} data-field={at}>
        <SellField product={product} form={form} field={field} />
        {hasDefinitions ? <Definition product={product} field={field} /> : null}
      </div>
      {field.id === product.fulfillment.account.from_field ? <SellBill form={form} /> : null}
    </>
  )
}

/** Definition of a field, beside it: its id, its kind, and where its value goes. */
function Definition({ product, field }: { product: Product; field: Field }) {
  const { account, amount, extras } = product.fulfillment
  const goes = [
    ...(account.from_field === field.id ? ['account'] : []),
    ...(amount.from_field === field.id ? ['amount'] : []),
    ...Object.entries(extras ?? {}).flatMap(([name, each]) =>
      each.from_field === field.id ? [`extras.${name}`] : [],
    ),
  ]
  return (
    <div className="def">
      <b>{field.id}</b>
      <br />
      {[field.type, field.role, ...(field.data_source === undefined ? [] : [field.data_source.type])].join(
        ', ',
      )}
      <br />
      {goes.join(', ')}
      {field.validation.pattern === undefined ? null : (
        <>
          <br />
          {field.validation.pattern}
        </>
      )}
    </div>
  )
}
