// @ts-check
// `npm run build`: compiles and builds what changed since the last time. `npm start` calls it with --beside.
import { existsSync } from 'node:fs'
import { complain, mayWrite, NOT_COMPILED } from './checkout.js'
import { load } from './load.js'

/** @typedef {typeof import('../tools/src/build/command.ts')} Tool */

const compiled = new URL('../packages/server/dist/cli/main.js', import.meta.url)
if (mayWrite()) {
  const { build, buildBeside } = /** @type {Tool} */ (await load('build/command.ts'))
  await (process.argv.includes('--beside') ? buildBeside() : build())
} else if (!existsSync(compiled)) {
  complain(NOT_COMPILED)
  process.exitCode = 1
}
