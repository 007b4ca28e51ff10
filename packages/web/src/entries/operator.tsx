import { CONSOLE_PAGES } from '../console/pages.ts'
import { ConsoleShell } from '../console/shell.tsx'
import { offerLanguages } from '../text/language.ts'
import { start } from './start.tsx'

// No `await` at the top: modules that pages share with this one would then be files of their own.
void offerLanguages({ ms: () => import('virtual:malay/operator') }).then(() =>
  start(CONSOLE_PAGES, ConsoleShell),
)
