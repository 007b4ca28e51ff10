import type { ReactNode } from 'react'
import type { PaymentTotals } from '../../api/portal.generated.ts'
import { usePortal } from '../../api/portal.ts'
import { DayFilters, filterOf, ManyFilter, SelectFilter, TextFilter } from '../../shell/filters.tsx'
import type { Search } from '../../shell/navigation.tsx'
import { useFilters } from '../../shell/navigation.tsx'
import { dayText, momentOfDay } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { countText, percentText } from '../../text/numbers.ts'
import { CopyButton } from '../../ui/copy.tsx'
import { Money } from '../../ui/money.tsx'
import { Shape } from '../../ui/state.tsx'
import { PORTAL } from '../messages.ts'
import { useMay } from '../session.ts'
import { PAYMENTS } from './messages.ts'
import type { PaymentStatus } from './status.tsx'
import { STATUS_TONES, STATUSES } from './status.tsx'

/** Filters of the payments. They live in the address, which can be copied. */
export function FilterBar({ children }: { children: ReactNode }) {
  const text = useText(PAYMENTS)
  const pages = useText(PORTAL)
  // Days that the address leaves open are shown as the service has chosen them.
  const days = useTotals()
  const catalog = usePortal('portalGetCatalogue', {}, { isEnabled: useMay('catalogue.read') })
  const products = [...(catalog.data?.data.products ?? [])].sort((a, b) => a.name.localeCompare(b.name))
  return (
    <>
      <div className="filters">
        <ManyFilter
          name="status"
          label={text.statusFilter}
          options={STATUSES.map((value) => ({
            value,
            label: pages.status[value],
            tone: STATUS_TONES[value],
          }))}
        />
        <DayFilters shown={days} />
        <SelectFilter
          name="product"
          label={text.product}
          any={text.anyProduct}
          options={products.map(({ code, name }) => ({ value: code, label: name }))}
        />
        <TextFilter name="account" label={text.account} />
        <span className="push">
          <TextFilter name="q" label={text.find} isFinder />
        </span>
      </div>
      <div className="view-line">
        <span className="sub small">{text.view}</span>
        <span className="mono small cut">{location.pathname + location.search}</span>
        <CopyButton value={location.href} label={text.copyLink} />
        {children}
      </div>
    </>
  )
}

const COUNTED = ['successful', 'pending', 'failed', 'refunded'] as const

/** Totals of all pages together. What a refid or a search names is not added up. */
export function TotalsBar() {
  const text = useText(PAYMENTS)
  const pages = useText(PORTAL)
  const [search] = useFilters()
  const totals = useTotals()
  if (isSearch(search)) return null
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
 * Totals of all pages together, with the days that they count. None for a refid or a search: they name payments of
 * whatever day.
 */
function useTotals(): PaymentTotals | undefined {
  const [search] = useFilters()
  const { refid: _, q: __, ...query } = filterQuery(search)
  const isCounted = !isSearch(search)
  const { data } = usePortal('portalSumPayments', { query }, { keepsFormer: true, isEnabled: isCounted })
  return isCounted ? data?.data : undefined
}

/** True for what names payments of whatever day. */
function isSearch(search: Search): boolean {
  const { refid, q } = filterQuery(search)
  return refid !== undefined || q !== undefined
}

/** Filters of the address as the API takes them. Values that cannot be are left out. */
export function filterQuery(search: Search) {
  const status = STATUSES.filter((each) => (search.status ?? '').split(',').includes(each))
  return {
    ...(status.length === 0 ? {} : { status: status as PaymentStatus[] }),
    ...filterOf(search, 'from', 'to', 'product', 'account', 'refid', 'q'),
  }
}
