import type { NavigationItem } from '../shell/frame.tsx'
import { useText } from '../text/language.ts'
import { mayOpen } from './access.ts'
import { PORTAL } from './messages.ts'
import type { Member } from './session.ts'

type PortalNavigation = {
  readonly items: readonly NavigationItem[]
  /** Pages of the developers' room, which has tabs of its own. */
  readonly developers: readonly NavigationItem[]
  readonly phone: readonly NavigationItem[]
}

/** Pages of the portal that a member may read, in the order of the side column. */
export function usePortalNavigation(member: Pick<Member, 'permissions'>): PortalNavigation {
  const text = useText(PORTAL)
  const overview = { to: '/portal', icon: 'overview', label: text.overview } as const
  const payments = {
    to: '/portal/payments',
    icon: 'payments',
    label: text.payments,
    coversBelow: true,
  } as const
  const sell = { to: '/portal/sell', icon: 'sell', label: text.sell, coversBelow: true } as const
  const statement = { to: '/portal/statement', icon: 'statement', label: text.statement } as const
  const readable = (items: readonly NavigationItem[]) => items.filter(({ to }) => mayOpen(member, to))
  return {
    items: readable([
      overview,
      payments,
      sell,
      { to: '/portal/bulk', icon: 'inbox', label: text.bulk },
      { to: '/portal/shifts', icon: 'clock', label: text.shifts, coversBelow: true },
      { to: '/portal/orders', icon: 'coin', label: text.orders, coversBelow: true },
      statement,
      { to: '/portal/reports', icon: 'scale', label: text.reports },
      { to: '/portal/deposits', icon: 'wallet', label: text.deposits },
      { to: '/portal/catalogue', icon: 'catalog', label: text.catalogue },
      { to: '/portal/cases', icon: 'cases', label: text.cases, coversBelow: true },
      { to: '/portal/developers', icon: 'developers', label: text.developers, coversBelow: true },
      { to: '/portal/team', icon: 'team', label: text.team },
    ]),
    developers: readable([
      { to: '/portal/developers', icon: 'flag', label: text.start },
      { to: '/portal/developers/keys', icon: 'lock', label: text.keys },
      { to: '/portal/developers/webhooks', icon: 'send', label: text.webhooks, coversBelow: true },
      { to: '/portal/developers/requests', icon: 'log', label: text.requests, coversBelow: true },
      { to: '/portal/developers/events', icon: 'bell', label: text.events },
      { to: '/portal/developers/access', icon: 'globe', label: text.access },
    ]),
    phone: readable([
      overview,
      sell,
      payments,
      statement,
      { to: '/portal/more', icon: 'more', label: text.more },
    ]),
  }
}
