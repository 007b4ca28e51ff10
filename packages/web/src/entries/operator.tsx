import { CONSOLE_PAGES } from '../console/pages.ts'
import { ConsoleShell } from '../console/shell.tsx'
import { offerLanguages } from '../text/language.ts'
import { start } from './start.tsx'

await offerLanguages({ ms: () => import('virtual:malay/operator') })
start(CONSOLE_PAGES, ConsoleShell)
