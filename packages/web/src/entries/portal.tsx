import { PORTAL_PAGES } from '../portal/pages.ts'
import { PortalShell } from '../portal/shell.tsx'
import { offerLanguages } from '../text/language.ts'
import { start } from './start.tsx'

await offerLanguages({ ms: () => import('virtual:malay/portal') })
start(PORTAL_PAGES, PortalShell)
