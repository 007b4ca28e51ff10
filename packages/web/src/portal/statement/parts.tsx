import type { PortalEntry } from '../../api/portal.generated.ts'
import { choiceOf, filterOf } from '../../shell/filters.tsx'
import type { Search } from '../../shell/navigation.tsx'
import { PageLink } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import type { IconName } from '../../ui/icon.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Money } from '../../ui/money.tsx'
import { PORTAL } from '../messages.ts'
import { STATEMENT } from './messages.ts'

export type Total = { readonly amount: string; readonly count: number }

export type Line = { readonly label: string; readonly total: Total }

type SummaryBarProps = {
  readonly label: string
  readonly opening: string
  readonly lines: readonly Line[]
  readonly closing: string
}

/** Opening balance, movements by type and closing balance, as the service has added them up. */
export function SummaryBar({ label, opening, lines, closing }: SummaryBarProps) {
  const text = useText(STATEMENT)
  return (
    <section className="sum wraps books" aria-label={label}>
      <div>
        <small>{text.opening}</small>
        <b>
          <Money amount={opening} currency="MYR" />
        </b>
      </div>
      {lines.map((line) => (
        <div key={line.label}>
          <small>{line.label}</small>
          <b>
            <Money amount={line.total.amount} currency="MYR" />
          </b>
          <small>{text.entryCount(line.total.count)}</small>
        </div>
      ))}
      <div>
        <small>{text.closing}</small>
        <b>
          <Money amount={closing} currency="MYR" />
        </b>
      </div>
    </section>
  )
}

const ICONS: Readonly<Record<PortalEntry['kind'], IconName>> = {
  deposit: 'wallet',
  adjustment: 'edit',
  payment: 'payments',
  refund: 'undo',
  commission: 'coin',
}

/** Type of an entry. It is no state, so it has an icon and no colour. */
export function EntryKind({ kind }: { kind: PortalEntry['kind'] }) {
  const { kinds } = useText(STATEMENT)
  return (
    <span className="row entry-kind">
      <Icon name={ICONS[kind]} />
      <span className="w">{kinds[kind]}</span>
    </span>
  )
}

export const TYPES = ['deposit', 'payment', 'refund', 'commission'] as const

/** Filters of the address as the API takes them. Values that cannot be are left out. */
export function entryQuery(search: Search) {
  return { ...choiceOf(search, 'type', TYPES), ...filterOf(search, 'from', 'to') }
}

export const NO_FILTERS = { type: undefined, from: undefined, to: undefined, cursor: undefined }

/** Month of the address, such as 2026-10; undefined when there is none. */
export function monthOf({ month }: Search): string | undefined {
  return month !== undefined && /^\d{4}-(0[1-9]|1[0-2])$/.test(month) ? month : undefined
}

type View = 'entries' | 'months' | 'reconciliation'

/** Ways through the books of the wallet. */
export function StatementTabs({ current }: { current: View }) {
  const text = useText(STATEMENT)
  const pages = useText(PORTAL)
  const mark = (view: View) => ({ 'aria-current': view === current ? ('page' as const) : undefined })
  return (
    <nav className="tabs" aria-label={pages.statement}>
      <PageLink to="/portal/statement" search={{}} {...mark('entries')}>
        {text.entries}
      </PageLink>
      <PageLink to="/portal/statement" search={{ view: 'months' }} {...mark('months')}>
        {text.months}
      </PageLink>
      <PageLink to="/portal/reconciliation" {...mark('reconciliation')}>
        {pages.reconciliation}
      </PageLink>
    </nav>
  )
}
