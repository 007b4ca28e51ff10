import type { PageEntry } from '../shell/router.tsx'
import type { PortalPath } from './paths.ts'

/** Page among those for people who are not signed in. */
const publicPage = (name: keyof typeof import('./people/public-pages.tsx')) => async () => ({
  Page: (await import('./people/public-pages.tsx'))[name],
})

const PAGES: Readonly<Record<PortalPath, Omit<PageEntry, 'path'>>> = {
  '/portal': { load: () => import('./overview/page.tsx') },
  '/portal/payments': { load: () => import('./payments/page.tsx') },
  '/portal/payments/$id': { load: () => import('./payments/payment-page.tsx') },
  '/portal/sell': { load: () => import('./sell/page.tsx') },
  '/portal/sell/$product': { load: () => import('./sell/product-page.tsx') },
  '/portal/bulk': { load: () => import('./bulk/page.tsx') },
  '/portal/orders': { load: () => import('./orders/page.tsx') },
  '/portal/orders/settings': { load: () => import('./orders/settings-page.tsx') },
  '/portal/orders/playground': { load: () => import('./orders/playground-page.tsx') },
  '/portal/orders/$id': { load: () => import('./orders/order-page.tsx') },
  '/portal/reports': { load: () => import('./reports/page.tsx') },
  '/portal/shifts': { load: () => import('./tills/page.tsx') },
  '/portal/shifts/$id': { load: () => import('./tills/shift-page.tsx') },
  '/portal/statement': { load: () => import('./statement/page.tsx') },
  '/portal/reconciliation': { load: () => import('./statement/reconciliation-page.tsx') },
  '/portal/deposits': { load: () => import('./deposits/page.tsx') },
  '/portal/catalogue': { load: () => import('./catalog/page.tsx') },
  '/portal/cases': { load: () => import('./cases/page.tsx') },
  '/portal/cases/$number': { load: () => import('./cases/case-page.tsx') },
  '/portal/developers': { load: () => import('./developers/page.tsx') },
  '/portal/developers/keys': { load: () => import('./developers/keys-page.tsx') },
  '/portal/developers/webhooks': { load: () => import('./webhooks/page.tsx') },
  '/portal/developers/webhooks/$stream': { load: () => import('./webhooks/page.tsx') },
  '/portal/developers/requests': { load: () => import('./requests/page.tsx') },
  '/portal/developers/requests/$id': { load: () => import('./requests/request-page.tsx') },
  '/portal/developers/events': { load: () => import('./developers/events-page.tsx') },
  '/portal/developers/access': { load: () => import('./developers/access-page.tsx') },
  '/portal/team': { load: () => import('./team/page.tsx') },
  '/portal/account': { load: () => import('./people/account-page.tsx') },
  '/portal/more': { load: () => import('./more/page.tsx') },
  '/portal/sign-in': { load: () => import('./people/sign-in-page.tsx'), isPublic: true },
  '/portal/forgot': { load: publicPage('ForgotPage'), isPublic: true },
  '/portal/reset-password': { load: publicPage('ResetPage'), isPublic: true },
  '/portal/invitation': { load: publicPage('InvitationPage'), isPublic: true },
  '/portal/stop': { load: publicPage('StopPage'), isPublic: true },
}

/** Pages of the portal, each in a file that is loaded when it is opened. */
export const PORTAL_PAGES: readonly PageEntry[] = Object.entries(PAGES).map(([path, entry]) => ({
  path,
  ...entry,
}))
