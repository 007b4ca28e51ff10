import { PORTAL_PAGES } from '../portal/pages.ts'
import { PortalShell } from '../portal/shell.tsx'
import { start } from './start.tsx'

start(PORTAL_PAGES, PortalShell)
