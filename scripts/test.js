// `npm test`: compile (the acceptance tests start the compiled service), then every test. Further arguments
// go to vitest: `npm test -- nonces` runs the files whose path contains "nonces".
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { build } from './build.js'

build()
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))
const run = spawn(process.execPath, [vitest, 'run', ...process.argv.slice(2)], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  stdio: 'inherit',
})
run.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 128)))
