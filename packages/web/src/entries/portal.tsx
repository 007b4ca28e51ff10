import { PORTAL_PAGES } from '../portal/pages.ts'
import { PortalShell } from '../portal/shell.tsx'
import { offerLanguages } from '../text/language.ts'
import { start } from './start.tsx'

// No `await` at the top: modules that pages share with this one would then be files of their own.
void offerLanguages({
  ms: () => import('virtual:malay/portal'),
  id: () => import('../languages/id/index.ts'),
  zh: () => import('../languages/zh/index.ts'),
  ta: () => import('../languages/ta/index.ts'),
}).then(() => start(PORTAL_PAGES, PortalShell))
