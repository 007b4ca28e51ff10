import { useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PageLink } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { PageHead } from '../../ui/panel.tsx'
import { Note } from '../../ui/state.tsx'
import { PORTAL } from '../messages.ts'
import { useMay } from '../session.ts'
import { ORDER_WORDS } from './messages.ts'
import './orders.css'

const TABS = [
  { to: '/portal/orders', name: 'orders' },
  { to: '/portal/orders/settings', name: 'settings' },
  { to: '/portal/orders/playground', name: 'playground' },
] as const

/** Head of the pages of the orders' room: its title and the line of tabs. */
export function OrdersHead({ about, actions }: { about?: ReactNode; actions?: ReactNode }) {
  const pages = useText(PORTAL)
  const text = useText(ORDER_WORDS)
  const mayChange = useMay('orders.write')
  const { pathname } = useLocation()
  const current = TABS.find(({ to }) => to === pathname)
  return (
    <>
      <PageHead
        title={
          <>
            {pages.orders}
            {current === undefined || current.name === 'orders' ? null : (
              <span className="hide">: {text.tabs[current.name]}</span>
            )}
          </>
        }
        about={about}
        actions={actions}
      />
      <nav className="tabs" aria-label={pages.orders}>
        {TABS.map(({ to, name }) => (
          <PageLink key={to} to={to} aria-current={to === pathname ? 'page' : undefined}>
            {text.tabs[name]}
          </PageLink>
        ))}
      </nav>
      {mayChange ? null : <Note tone="info">{text.viewer}</Note>}
    </>
  )
}
