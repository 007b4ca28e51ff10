import type { NavigationGroup, NavigationItem } from '../shell/frame.tsx'
import type { Translated } from '../text/language.ts'
import { useText } from '../text/language.ts'
import { CONSOLE } from './messages.ts'
import type { Role } from './roles.ts'
import { mayOpen } from './roles.ts'

export type ConsoleCounts = {
  readonly stuck?: number | undefined
  readonly approvals?: number | undefined
  readonly cases?: number | undefined
  readonly alerts?: number | undefined
}

type ConsoleNavigation = {
  readonly groups: readonly NavigationGroup[]
  readonly phone: readonly NavigationItem[]
}

/** Pages of the console in the order of the side column. A page that the role may not read is absent. */
export function useConsoleNavigation(role: Role, counts: ConsoleCounts = {}): ConsoleNavigation {
  const text = useText(CONSOLE)
  const groups = groupsOf(text, counts).flatMap(({ items, ...group }) => {
    const readable = items.filter(({ to }) => mayOpen(role, to))
    return readable.length === 0 ? [] : [{ ...group, items: readable }]
  })
  const items = groups.flatMap((group) => group.items)
  const phone = PHONE_FIRST.flatMap((to) => items.filter((item) => item.to === to)).slice(0, PHONE_ITEMS)
  return { groups, phone: [...phone, { to: '/operator/more', icon: 'more', label: text.more }] }
}

/** Pages of the bottom bar on phones, by importance; the bar has room for four and "More". */
const PHONE_FIRST = [
  '/operator',
  '/operator/stuck',
  '/operator/approvals',
  '/operator/payments',
  '/operator/alerts',
  '/operator/catalogue',
]
const PHONE_ITEMS = 4

function groupsOf(
  text: Translated<(typeof CONSOLE)['en']>,
  counts: ConsoleCounts,
): readonly NavigationGroup[] {
  return [
    { items: [{ to: '/operator', icon: 'overview', label: text.overview }] },
    { title: text.work, items: workItems(text, counts) },
    {
      title: text.money,
      items: [
        {
          to: '/operator/resellers',
          icon: 'team',
          label: text.resellers,
          coversBelow: true,
        },
        {
          to: '/operator/deposits',
          icon: 'wallet',
          label: text.deposits,
          coversBelow: true,
        },
        { to: '/operator/ledger', icon: 'book', label: text.ledger },
        { to: '/operator/rates', icon: 'coin', label: text.rates },
      ],
    },
    { title: text.supply, items: supplyItems(text) },
    {
      title: text.watch,
      items: [
        {
          to: '/operator/deliveries',
          icon: 'send',
          label: text.deliveries,
          coversBelow: true,
        },
        { to: '/operator/blocks', icon: 'ban', label: text.blocks },
        { to: '/operator/audit', icon: 'log', label: text.audit },
        { to: '/operator/people', icon: 'lock', label: text.people },
      ],
    },
  ]
}

function workItems(
  text: Translated<(typeof CONSOLE)['en']>,
  counts: ConsoleCounts,
): readonly NavigationItem[] {
  return [
    {
      to: '/operator/payments',
      icon: 'payments',
      label: text.payments,
      coversBelow: true,
    },
    { to: '/operator/stuck', icon: 'clock', label: text.stuck, count: counts.stuck },
    {
      to: '/operator/approvals',
      icon: 'check',
      label: text.approvals,
      count: counts.approvals,
      coversBelow: true,
    },
    {
      to: '/operator/cases',
      icon: 'cases',
      label: text.cases,
      count: counts.cases,
      coversBelow: true,
    },
    { to: '/operator/alerts', icon: 'bell', label: text.alerts, count: counts.alerts },
  ]
}

function supplyItems(text: Translated<(typeof CONSOLE)['en']>): readonly NavigationItem[] {
  return [
    {
      to: '/operator/catalogue',
      icon: 'catalog',
      label: text.catalogue,
      coversBelow: true,
    },
    { to: '/operator/margins', icon: 'scale', label: text.margins },
    {
      to: '/operator/levels',
      icon: 'tree',
      label: text.levels,
      coversBelow: true,
    },
    {
      to: '/operator/providers',
      icon: 'plug',
      label: text.providers,
      coversBelow: true,
    },
    { to: '/operator/offers', icon: 'inbox', label: text.offers },
    { to: '/operator/notices', icon: 'flag', label: text.notices },
    { to: '/operator/numbers', icon: 'phone', label: text.numbers },
  ]
}
