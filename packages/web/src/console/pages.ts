import type { PageEntry } from '../shell/router.tsx'
import type { ConsolePath } from './paths.ts'

/** Page among those for people who are not signed in. */
const publicPage = (name: keyof typeof import('./people/public-pages.tsx')) => async () => ({
  Page: (await import('./people/public-pages.tsx'))[name],
})

const PAGES: Readonly<Record<ConsolePath, Omit<PageEntry, 'path'>>> = {
  '/operator': { load: () => import('./overview/page.tsx') },
  '/operator/payments': { load: () => import('./payments/page.tsx') },
  '/operator/payments/$id': { load: () => import('./payments/payment-page.tsx') },
  '/operator/stuck': { load: () => import('./payments/stuck-page.tsx') },
  '/operator/approvals': { load: () => import('./approvals/page.tsx') },
  '/operator/approvals/$id': { load: () => import('./approvals/approval-page.tsx') },
  '/operator/cases': { load: () => import('./cases/page.tsx') },
  '/operator/cases/$number': { load: () => import('./cases/case-page.tsx') },
  '/operator/alerts': { load: () => import('./alerts/page.tsx') },
  '/operator/resellers': { load: () => import('./resellers/page.tsx') },
  '/operator/resellers/$account': { load: () => import('./resellers/reseller-page.tsx') },
  '/operator/deposits': { load: () => import('./deposits/page.tsx') },
  '/operator/deposits/$id': { load: () => import('./deposits/deposit-page.tsx') },
  '/operator/ledger': { load: () => import('./ledger/page.tsx') },
  '/operator/rates': { load: () => import('./rates/page.tsx') },
  '/operator/catalogue': { load: () => import('./catalog/page.tsx') },
  '/operator/catalogue/import': { load: () => import('./catalog/import-page.tsx') },
  '/operator/catalogue/products/$code': { load: () => import('./catalog/product-page.tsx') },
  '/operator/margins': { load: () => import('./catalog/margins-page.tsx') },
  '/operator/levels': { load: () => import('./levels/page.tsx') },
  '/operator/levels/$code': { load: () => import('./levels/level-page.tsx') },
  '/operator/providers': { load: () => import('./providers/page.tsx') },
  '/operator/providers/new': { load: () => import('./providers/add/page.tsx') },
  '/operator/providers/$code': { load: () => import('./providers/provider-page.tsx') },
  '/operator/offers': { load: () => import('./offers/page.tsx') },
  '/operator/numbers': { load: () => import('./numbers/page.tsx') },
  '/operator/notices': { load: () => import('./notices/page.tsx') },
  '/operator/deliveries': { load: () => import('./deliveries/page.tsx') },
  '/operator/deliveries/$account/$stream': { load: () => import('./deliveries/receiver-page.tsx') },
  '/operator/blocks': { load: () => import('./blocks/page.tsx') },
  '/operator/audit': { load: () => import('./audit/page.tsx') },
  '/operator/people': { load: () => import('./people/people-page.tsx') },
  '/operator/account': { load: () => import('./people/account-page.tsx') },
  '/operator/more': { load: () => import('./more/page.tsx') },
  '/operator/sign-in': { load: () => import('./people/sign-in-page.tsx'), isPublic: true },
  '/operator/forgot': { load: publicPage('ForgotPage'), isPublic: true },
  '/operator/reset-password': { load: publicPage('ResetPage'), isPublic: true },
}

/** Pages of the console, each in a file that is loaded when it is opened. */
export const CONSOLE_PAGES: readonly PageEntry[] = Object.entries(PAGES).map(([path, entry]) => ({
  path,
  ...entry,
}))
