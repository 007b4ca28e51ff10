import { useQueryClient } from '@tanstack/react-query'
import { isLanguage } from '@warung/forms/texts'
import { useEffect, useRef, useState } from 'react'
import { useLatest } from '../../api/latest.ts'
import { portal, portalKey, usePortal } from '../../api/portal.ts'
import { isStaging } from '../../shell/device-panel.tsx'
import { PageLink, useFilters } from '../../shell/navigation.tsx'
import { LANGUAGES, useText } from '../../text/language.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Checkbox, SelectField } from '../../ui/field.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { Money } from '../../ui/money.tsx'
import { Facts, Panel } from '../../ui/panel.tsx'
import { ActionProblem } from '../../ui/problem.tsx'
import { Note } from '../../ui/state.tsx'
import { useAction } from '../../ui/use-action.ts'
import { useMay } from '../session.ts'
import { StateOf } from '../states.ts'
import type { OrderValues } from './code-panel.tsx'
import { CodePanel } from './code-panel.tsx'
import { OrdersHead } from './head.tsx'
import { ORDER } from './messages.ts'
import { ORDER_READS } from './order-page.tsx'
import { PLAYGROUND } from './playground-messages.ts'
import type { Order } from './units.ts'
import { isOpen } from './units.ts'

const PATH = '/portal/orders/playground'
const USER = 'playground'

/**
 * Makes an order, and shows its form beside the code that makes it. The order's id is in the address, so that a reload
 * and the way back from the form go on with the same order; its token never is.
 */
export function Page() {
  const text = useText(PLAYGROUND)
  const mayChange = useMay('orders.write')
  const [search] = useFilters()
  const [values, setValues] = useState<OrderValues>({
    baseUrl: location.origin,
    language: 'en',
    product: undefined,
    expiresSeconds: 900,
    showsResults: true,
  })
  const id = search.order_id ?? ''
  const reading = usePortal('portalGetOrder', { params: { order_id: id } }, { isEnabled: id !== '' })
  const order = id === '' ? undefined : reading.data?.data
  return (
    <>
      <OrdersHead about={text.about} />
      <Note tone="info">{isStaging() ? text.staging : text.production}</Note>
      <div className="grid c2 playground">
        <div className="grid">
          {mayChange ? (
            <MakePanel values={values} onValues={setValues} hasOrder={order !== undefined} />
          ) : null}
          {id === '' ? (
            <Panel title={text.form} about={text.formAbout}>
              <Empty icon="sell" title={text.noForm} />
            </Panel>
          ) : (
            <Loaded reading={reading} bones={4}>
              {({ data }) => <OrderPanels key={data.order_id} order={data} />}
            </Loaded>
          )}
        </div>
        <CodePanel values={values} order={order} />
      </div>
    </>
  )
}

type MakeProps = {
  readonly values: OrderValues
  readonly onValues: (values: OrderValues) => void
  readonly hasOrder: boolean
}

function MakePanel({ values, onValues, hasOrder }: MakeProps) {
  const text = useText(PLAYGROUND)
  const [, change] = useFilters()
  const action = useAction({
    act: () => portal.call('portalCreateOrder', { body: orderOf(values) }),
    done: () => text.made,
    refresh: [portalKey('portalListOrders')],
    onDone: ({ data }) => change({ order_id: data.order_id, status: undefined }),
  })
  return (
    <Panel title={text.order}>
      <form
        className="grid"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!action.isBusy) action.run()
        }}
      >
        <OrderFields values={values} onValues={onValues} />
        <ActionProblem error={action.error} />
        <div className="row">
          <Button type="submit" look={hasOrder ? 'plain' : 'primary'} isBusy={action.isBusy}>
            {hasOrder ? text.another : text.make}
          </Button>
        </div>
      </form>
    </Panel>
  )
}

function orderOf({ language, product, expiresSeconds, showsResults }: OrderValues) {
  return {
    reference: `playground-${crypto.randomUUID()}`,
    user_id: USER,
    return_url: `${location.origin}${PATH}`,
    ...(product === undefined ? {} : { products: [product] }),
    expires_in_seconds: expiresSeconds,
    language,
    show_results: showsResults,
  }
}

function OrderPanels({ order }: { order: Order }) {
  const text = useText(PLAYGROUND)
  const client = useQueryClient()
  const [search] = useFilters()
  // The token is kept while the page stays: the form shows the result after the order has ended.
  const [token] = useState(order.client_token)
  const refresh = () => void client.invalidateQueries({ queryKey: portalKey('portalGetOrder') })
  return (
    <>
      <Panel
        title={text.state}
        actions={
          <PageLink className={buttonClass({ size: 'sm' })} to={`/portal/orders/${order.order_id}`}>
            {text.toOrder}
          </PageLink>
        }
      >
        <Facts
          facts={[
            { term: text.state, value: <StateOf kind="order" state={order.status} /> },
            { term: text.total, value: <Money amount={order.total_amount} currency={order.currency} /> },
          ]}
        />
        {search.status === undefined || !isOpen(order.status) ? null : (
          <p className="sub small">{text.returned}</p>
        )}
        <StagingConfirm order={order} />
      </Panel>
      <Panel title={text.form} about={text.formAbout}>
        {token === null ? (
          <p className="sub small">{text.ended}</p>
        ) : (
          <EmbeddedForm order={order.order_id} token={token} language={order.language} onChange={refresh} />
        )}
      </Panel>
    </>
  )
}

/** Confirms in the place of a shop that got the money; in staging alone, where money is not real. */
function StagingConfirm({ order }: { order: Order }) {
  const text = useText(PLAYGROUND)
  const mayChange = useMay('orders.write')
  const { confirmedNow } = useText(ORDER)
  const confirmation = useAction({
    act: (reference: string) =>
      portal.call('portalConfirmOrder', {
        params: { order_id: order.order_id },
        body: { payment_reference: reference, total_amount: order.total_amount },
      }),
    done: () => confirmedNow,
    refresh: ORDER_READS.map((id) => portalKey(id)),
  })
  if (!isStaging() || !mayChange || order.status !== 'awaiting_payment') return null
  return (
    <>
      <Button
        look="primary"
        isBusy={confirmation.isBusy}
        onClick={() => confirmation.run(`playground-${order.reference}`)}
      >
        {text.confirm}
      </Button>
      <ActionProblem error={confirmation.error} />
    </>
  )
}

/** Script that the service serves to every site; it defines the element. */
const SCRIPT = '/checkout/warung-checkout.js'
/** Events with which the element says that the order has changed. */
const CHANGES = ['warung:submitted', 'warung:cancelled', 'warung:completed'] as const

type EmbeddedFormProps = {
  readonly order: string
  readonly token: string
  readonly language: string
  readonly onChange: () => void
}

/** The element as it stands on a reseller's page. The policy of the dashboard allows no script of another host. */
function EmbeddedForm({ order, token, language, onChange }: EmbeddedFormProps) {
  const text = useText(PLAYGROUND)
  const place = useRef<HTMLDivElement>(null)
  const [hasFailed, setFailed] = useState(false)
  const changed = useLatest(onChange)
  useEffect(() => {
    import(/* @vite-ignore */ SCRIPT).catch(() => setFailed(true))
  }, [])
  useEffect(() => {
    const element = document.createElement('warung-checkout')
    const attributes = { base: location.origin, order, token, language }
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
    const tell = () => changed.current()
    for (const name of CHANGES) element.addEventListener(name, tell)
    place.current?.append(element)
    return () => element.remove()
  }, [order, token, language])
  return (
    <>
      {hasFailed ? <Note tone="warning">{text.formFailed}</Note> : null}
      <div ref={place} className="embedded" />
    </>
  )
}

const EXPIRIES = [300, 900, 1_800] as const
const SECONDS_PER_MINUTE = 60

type OrderFieldsProps = {
  readonly values: OrderValues
  readonly onValues: (values: OrderValues) => void
}

/** Choices of an order in the playground. */
function OrderFields({ values, onValues }: OrderFieldsProps) {
  const text = useText(PLAYGROUND)
  const catalog = usePortal('portalGetCatalogue', {})
  const products = (catalog.data?.data.products ?? [])
    .filter((each) => each.is_active && each.is_enabled && !each.is_hidden)
    .sort((a, b) => a.name.localeCompare(b.name))
  return (
    <div className="order-fields">
      <SelectField
        label={text.product}
        value={values.product ?? ''}
        onValue={(code) => onValues({ ...values, product: code === '' ? undefined : code })}
        placeholder={text.everything}
        options={products.map(({ code, name }) => ({ value: code, label: name }))}
      />
      <SelectField
        label={text.language}
        value={values.language}
        onValue={(language) => onValues({ ...values, language: isLanguage(language) ? language : 'en' })}
        options={Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))}
      />
      <SelectField
        label={text.expiry}
        value={String(values.expiresSeconds)}
        onValue={(seconds) => onValues({ ...values, expiresSeconds: Number(seconds) })}
        options={EXPIRIES.map((seconds) => ({
          value: String(seconds),
          label: text.minutes(seconds / SECONDS_PER_MINUTE),
        }))}
      />
      <Checkbox
        label={text.results}
        isOn={values.showsResults}
        onToggle={(showsResults) => onValues({ ...values, showsResults })}
      />
    </div>
  )
}
