// `npm run pictures`: starts the demo on a free port and in a directory of its own, and writes docs/screens of
// what a browser shows. It needs Chromium, as the tests of the dashboard do.
import { runBody } from './harness.ts'

process.exit(await runBody('pictures'))
