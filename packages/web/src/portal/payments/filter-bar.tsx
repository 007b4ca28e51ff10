import { useEffect, useState } from 'react'
import { usePortal } from '../../api/portal.ts'
import { useFilters } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { CopyButton } from '../../ui/copy.tsx'
import { Segment } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Shape } from '../../ui/state.tsx'
import { PORTAL } from '../messages.ts'
import { DateFilter } from './date-filter.tsx'
import { PAYMENTS } from './messages.ts'
import { STATUS_TONES, STATUSES } from './status.tsx'
import { useTotals } from './use-totals.ts'

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
