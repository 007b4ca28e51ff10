import type { NavigationGroup, NavigationItem } from '../shell/frame.tsx'
import { useText } from '../text/language.ts'
import { CONSOLE } from './messages.ts'

export type ConsoleCounts = {
  readonly stuck?: number
  readonly approvals?: number
  readonly cases?: number
  readonly alerts?: number
}

export type ConsoleNavigation = {
  readonly groups: readonly NavigationGroup[]
  readonly phone: readonly NavigationItem[]
}

/** Pages of the console in the order of the side column. */
export function useConsoleNavigation(counts: ConsoleCounts = {}): ConsoleNavigation {
  const text = useText(CONSOLE)
  const overview = { to: '/operator', icon: 'overview', label: text.overview } as const
  const payments = {
    to: '/operator/payments',
    icon: 'payments',
    label: text.payments,
    coversBelow: true,
  } as const
  const stuck = { to: '/operator/stuck', icon: 'clock', label: text.stuck, count: counts.stuck } as const
  const approvals = {
    to: '/operator/approvals',
    icon: 'check',
    label: text.approvals,
    count: counts.approvals,
    coversBelow: true,
  } as const
  return {
    groups: [
      { items: [overview] },
      {
        title: text.work,
        items: [
          payments,
          stuck,
          approvals,
          { to: '/operator/cases', icon: 'cases', label: text.cases, count: counts.cases, coversBelow: true },
          { to: '/operator/alerts', icon: 'bell', label: text.alerts, count: counts.alerts },
        ],
      },
      {
        title: text.money,
        items: [
          { to: '/operator/resellers', icon: 'team', label: text.resellers, coversBelow: true },
          { to: '/operator/deposits', icon: 'wallet', label: text.deposits },
          { to: '/operator/ledger', icon: 'book', label: text.ledger },
        ],
      },
      {
        title: text.supply,
        items: [
          { to: '/operator/catalogue', icon: 'catalog', label: text.catalogue, coversBelow: true },
          { to: '/operator/margins', icon: 'scale', label: text.margins },
          { to: '/operator/levels', icon: 'tree', label: text.levels, coversBelow: true },
          { to: '/operator/providers', icon: 'plug', label: text.providers, coversBelow: true },
          { to: '/operator/notices', icon: 'flag', label: text.notices },
        ],
      },
      {
        title: text.watch,
        items: [
          { to: '/operator/deliveries', icon: 'send', label: text.deliveries, coversBelow: true },
          { to: '/operator/blocks', icon: 'ban', label: text.blocks },
          { to: '/operator/audit', icon: 'log', label: text.audit },
          { to: '/operator/people', icon: 'lock', label: text.people },
        ],
      },
    ],
    phone: [overview, stuck, approvals, payments, { to: '/operator/more', icon: 'more', label: text.more }],
  }
}
