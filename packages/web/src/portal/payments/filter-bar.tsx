import { useEffect, useState } from 'react'
import type { PaymentTotals } from '../../api/portal.generated.ts'
import { usePortal } from '../../api/portal.ts'
import type { Search } from '../../shell/navigation.tsx'
import { useFilters } from '../../shell/navigation.tsx'
import { dayText, momentOfDay } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { countText, percentText } from '../../text/numbers.ts'
import { CopyButton } from '../../ui/copy.tsx'
import { Segment } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Money } from '../../ui/money.tsx'
import { Shape } from '../../ui/state.tsx'
import { PORTAL } from '../messages.ts'
import { DateFilter } from './date-filter.tsx'
import { PAYMENTS } from './messages.ts'
import type { PaymentStatus } from './status.tsx'
import { STATUS_TONES, STATUSES } from './status.tsx'

/** Filters of the payments. They live in the address, which can be copied. */
export function FilterBar() {
  const text = useText(PAYMENTS)
  const pages = useText(PORTAL)
  const [search, change] = useFilters()
  // Days that the address leaves open are shown as the service has chosen them.
  const days = useTotals()
  const catalog = usePortal('portalGetCatalogue', {})
  const products = [...(catalog.data?.data.products ?? [])].sort((a, b) => a.name.localeCompare(b.name))
  return (
    <>
      <div className="filters">
        <Segment
          label={text.statusFilter}
          value={search.status ?? ''}
          onValue={(status) => change({ status, cursor: undefined })}
          options={[
            { value: '', label: text.all },
            ...STATUSES.map((status) => ({
              value: status,
              label: (
                <>
                  <Shape tone={STATUS_TONES[status]} isColoured />
                  {pages.status[status]}
                </>
              ),
            })),
          ]}
        />
        <DateFilter name="from" label={text.from} {...(days === undefined ? {} : { value: days.from })} />
        <DateFilter name="to" label={text.to} {...(days === undefined ? {} : { value: days.to })} />
        <label className={`chip${search.product === undefined ? '' : ' on'}`}>
          <span className="sub">{text.product}</span>
          <select
            value={search.product ?? ''}
            onChange={(event) => change({ product: event.target.value, cursor: undefined })}
          >
            <option value="">{text.anyProduct}</option>
            {products.map(({ code, name }) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <TextFilter name="account" label={text.account} />
        <span className="push">
          <TextFilter name="refid" label={text.findRefid} isFinder />
        </span>
      </div>
      <div className="view-line">
        <span className="sub small">{text.view}</span>
        <span className="mono small cut">{location.pathname + location.search}</span>
        <CopyButton value={location.href} label={text.copyLink} />
      </div>
    </>
  )
}

/** Text filter; it is used on Enter or when the field is left, so that typing asks nothing. */
function TextFilter({ name, label, isFinder = false }: { name: string; label: string; isFinder?: boolean }) {
  const [search, change] = useFilters()
  const current = search[name] ?? ''
  const [value, setValue] = useState(current)
  useEffect(() => setValue(current), [current])
  const use = () => {
    if (value.trim() !== current) change({ [name]: value.trim(), cursor: undefined })
  }
  return (
    <label className={`chip${current === '' ? '' : ' on'}`}>
      {isFinder ? <Icon name="search" /> : null}
      <input
        aria-label={label}
        placeholder={label}
        value={value}
        onChange={(event) => setValue(event.target.value)}
        onBlur={use}
        onKeyDown={(event) => {
          if (event.key === 'Enter') use()
        }}
        {...(isFinder ? { 'data-find': '' } : {})}
      />
    </label>
  )
}

const COUNTED = ['successful', 'pending', 'failed', 'refunded'] as const

/** Totals of all pages together. A refid names one payment, so there is nothing to add up. */
export function TotalsBar() {
  const text = useText(PAYMENTS)
  const pages = useText(PORTAL)
  const [search] = useFilters()
  const totals = useTotals()
  if (filterQuery(search).refid !== undefined) return null
  const span =
    totals === undefined
      ? ''
      : `: ${text.span(dayText(momentOfDay(totals.from)), dayText(momentOfDay(totals.to)))}`
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls on narrow screens, also for those who use keys alone.
    <section className="sum" aria-label={`${text.totals}${span}`} tabIndex={0}>
      <div>
        <small>{text.payments}</small>
        <b>{totals === undefined ? '…' : countText(totals.payments)}</b>
      </div>
      {COUNTED.map((status) => (
        <div key={status}>
          <small>
            <Shape tone={STATUS_TONES[status]} isColoured />
            {pages.status[status]}
          </small>
          <b>{totals === undefined ? '…' : countText(totals[status])}</b>
        </div>
      ))}
      <div>
        <small>{text.sales}</small>
        <b>{totals === undefined ? '…' : <Money amount={totals.sales} currency="MYR" />}</b>
      </div>
      <div>
        <small>{text.cost.split(',')[0]}</small>
        <b>{totals === undefined ? '…' : <Money amount={totals.cost} currency="MYR" />}</b>
      </div>
      <div>
        <small>{text.margin.split(',')[0]}</small>
        <b>{totals === undefined ? '…' : <Money amount={totals.margin} currency="MYR" />}</b>
      </div>
      <div>
        <small>{text.successRate}</small>
        <b>{totals?.success_rate == null ? '–' : `${percentText(totals.success_rate)}%`}</b>
      </div>
    </section>
  )
}

/**
 * Totals of all pages together, with the days that they count. None for a refid: it names one payment, of whatever
 * day.
 */
export function useTotals(): PaymentTotals | undefined {
  const [search] = useFilters()
  const { refid, ...query } = filterQuery(search)
  const isCounted = refid === undefined
  const { data } = usePortal('portalSumPayments', { query }, { keepsFormer: true, isEnabled: isCounted })
  return isCounted ? data?.data : undefined
}

/** Filters of the address as the API takes them. Values that cannot be are left out. */
export function filterQuery(search: Search) {
  const status = STATUSES.filter((each) => (search.status ?? '').split(',').includes(each))
  return {
    ...(status.length === 0 ? {} : { status: status as PaymentStatus[] }),
    ...pick(search, 'from'),
    ...pick(search, 'to'),
    ...pick(search, 'product'),
    ...pick(search, 'account'),
    ...pick(search, 'refid'),
  }
}

export function cursorQuery(search: Search) {
  return pick(search, 'cursor')
}

function pick<Name extends string>(search: Search, name: Name): { [K in Name]?: string } {
  const value = search[name]
  return (value === undefined || value === '' ? {} : { [name]: value }) as { [K in Name]?: string }
}
