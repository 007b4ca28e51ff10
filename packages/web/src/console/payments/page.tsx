import type { FormEvent } from 'react'
import { useEffect, useRef, useState } from 'react'
import type { ResellerPayment } from '../../api/operator.generated.ts'
import type { OperatorOperations } from '../../api/operator.ts'
import { useOperator } from '../../api/operator.ts'
import { NoneMatch } from '../../shell/filters.tsx'
import type { Search } from '../../shell/navigation.tsx'
import { useFilters, usePaging } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Field, SelectField, TextField } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PageHead, Panel } from '../../ui/panel.tsx'
import { Pager, Table } from '../../ui/table.tsx'
import { CONSOLE } from '../messages.ts'
import { useWords } from '../states.ts'
import { usePaymentColumns } from './columns.tsx'
import { PAYMENTS } from './messages.ts'
import { PaymentTabs } from './tabs.tsx'
import './payments.css'

const PAGE_ROWS = 50

/** Page that searches the payments of all resellers. */
export function Page() {
  const text = useText(PAYMENTS)
  const pages = useText(CONSOLE)
  const [search, _change] = useFilters()
  const paging = usePaging()
  const query = searchQuery(search)
  const reading = useOperator(
    'searchPayments',
    { query: { ...query, limit: PAGE_ROWS } },
    { keepsFormer: true },
  )
  return (
    <>
      <PageHead
        title={pages.payments}
        about={text.about}
        actions={<span className="live">{text.live}</span>}
      />
      <PaymentTabs current="search" />
      <Panel isFlush className="payments">
        <SearchForm />
        <Loaded
          reading={reading}
          bones={12}
          empty={
            <NoneMatch
              icon="payments"
              title={text.none}
              about={text.noneAbout}
              clear={text.clear}
              filters={NO_FILTERS}
            />
          }
        >
          {({ data, ...around }) => (
            <>
              <Rows rows={data} />
              <Pager
                onNewer={paging.onNewer}
                onOlder={around.has_more ? paging.olderFrom(around.cursor) : undefined}
              >
                {text.shown(data.length)}
              </Pager>
            </>
          )}
        </Loaded>
      </Panel>
    </>
  )
}

function Rows({ rows }: { rows: readonly ResellerPayment[] }) {
  const text = useText(PAYMENTS)
  const columns = usePaymentColumns()
  const known = useRef<ReadonlySet<string> | undefined>(undefined)
  const former = known.current
  useEffect(() => {
    known.current = new Set(rows.map(({ id }) => id))
  }, [rows])
  return (
    <Table
      caption={text.caption}
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      linkTo={({ id }) => ({ to: `/operator/payments/${id}` })}
      rowClass={({ id }) => (former !== undefined && !former.has(id) ? 'is-new' : undefined)}
    />
  )
}

/** Fields of the search. They are used together, by the button or Enter, and stand in the address afterwards. */
function SearchForm() {
  const [search] = useFilters()
  // Another address, for instance by going back, fills the fields anew.
  return <Fields key={JSON.stringify({ ...search, cursor: undefined })} search={search} />
}

function draftOf(search: Search) {
  const kind = KEYS.find((each) => (search[each] ?? '') !== '') ?? 'customer'
  return {
    kind: kind as Key,
    value: search[kind] ?? '',
    account: search.account ?? '',
    product: search.product ?? '',
    provider: search.provider ?? '',
    state: search.state ?? '',
    ...daysOf(search),
  }
}

function Fields({ search }: { search: Search }) {
  const text = useText(PAYMENTS)
  const [, change] = useFilters()
  const [draft, setDraft] = useState(() => draftOf(search))
  const set = (changes: Partial<typeof draft>) => setDraft({ ...draft, ...changes })
  const labels = { ...useWords('payment'), pending: text.pending, stuck: text.stuck }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change({
      ...NO_FILTERS,
      [draft.kind]: draft.value.trim(),
      account: draft.account.trim(),
      product: draft.product.trim(),
      provider: draft.provider.trim(),
      state: draft.state,
      days: daysText(draft.from, draft.to),
    })
  }
  return (
    <form className="ask" onSubmit={submit}>
      <KeyField
        kind={draft.kind}
        value={draft.value}
        onKind={(kind) => set({ kind })}
        onValue={(value) => set({ value })}
      />
      <TextField
        label={text.reseller}
        placeholder={text.account}
        value={draft.account}
        onValue={(account) => set({ account })}
        inputMode="numeric"
      />
      <TextField
        label={text.product}
        placeholder={text.productCode}
        value={draft.product}
        onValue={(product) => set({ product })}
      />
      <TextField
        label={text.provider}
        placeholder={text.productCode}
        value={draft.provider}
        onValue={(provider) => set({ provider })}
      />
      <SelectField
        label={text.state}
        value={draft.state}
        onValue={(state) => set({ state })}
        placeholder={text.any}
        options={STATES.map((state) => ({
          value: state,
          label: labels[state],
        }))}
      />
      <TextField label={text.from} type="date" value={draft.from} onValue={(from) => set({ from })} />
      <TextField label={text.to} type="date" value={draft.to} onValue={(to) => set({ to })} />
      <Button type="submit" look="primary">
        {text.search}
      </Button>
    </form>
  )
}

type KeyFieldProps = {
  readonly kind: Key
  readonly value: string
  readonly onKind: (kind: Key) => void
  readonly onValue: (value: string) => void
}

/** Field with the way to find before it: customer, refid, reference at the supplier or payment id. */
function KeyField({ kind, value, onKind, onValue }: KeyFieldProps) {
  const text = useText(PAYMENTS)
  return (
    <Field label={text.findBy}>
      {(attributes) => (
        <div className="input key">
          <select
            aria-label={text.findBy}
            value={kind}
            onChange={(event) => onKind(event.target.value as Key)}
          >
            {KEYS.map((each) => (
              <option key={each} value={each}>
                {text.keys[each]}
              </option>
            ))}
          </select>
          <input
            {...attributes}
            aria-label={`${text.keys[kind]}, ${text.exactly}`}
            value={value}
            onChange={(event) => onValue(event.target.value)}
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            data-find=""
          />
        </div>
      )}
    </Field>
  )
}

type Query = OperatorOperations['searchPayments']['query']

/** Ways to name one payment or one customer; a search uses one of them. */
export const KEYS = ['customer', 'refid', 'reference', 'id'] as const
export type Key = (typeof KEYS)[number]

export const STATES = ['pending', 'stuck', 'succeeded', 'failed', 'voided'] as const

const TEXTS = [
  'customer',
  'refid',
  'reference',
  'id',
  'account',
  'product',
  'provider',
  'days',
  'cursor',
] as const

/** Filters of the address as the API takes them. Values that cannot be are left out. */
function searchQuery(search: Search): Query {
  const state = STATES.find((each) => each === search.state)
  const query: Query = state === undefined ? {} : { state }
  for (const name of TEXTS) {
    const value = search[name]
    if (value !== undefined && value !== '') query[name] = value
  }
  return query
}

/** Days in the address: one day, or two with " - " between. */
export function daysOf(search: Search): { readonly from: string; readonly to: string } {
  const [from = '', to = from] = (search.days ?? '').split(' - ')
  return { from, to }
}

function daysText(from: string, to: string): string {
  const [first, last] = [from === '' ? to : from, to === '' ? from : to]
  return first === last ? first : `${first} - ${last}`
}

export const NO_FILTERS = {
  customer: undefined,
  refid: undefined,
  reference: undefined,
  id: undefined,
  account: undefined,
  product: undefined,
  provider: undefined,
  state: undefined,
  days: undefined,
  cursor: undefined,
}
