import { CONSOLE_PAGES } from '../console/pages.ts'
import { ConsoleShell } from '../console/shell.tsx'
import { start } from './start.tsx'

start(CONSOLE_PAGES, ConsoleShell)
