import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants, setPriority } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildCheckout } from './checkout.ts'
import { buildClients, buildSdk, bundleCommand } from './clients.ts'
import { buildDocs } from './docs.ts'
import { buildWeb } from './web.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const COMPILED = join(root, 'packages', 'server', 'dist', 'cli', 'main.js')

/** Builds something if it is out of date; `note` is called before the work. */
type Make = (note: (name: string) => void) => Promise<void>

/**
 * Compiles and builds what changed since the last time. If it cannot, it ends the process with the compiler's messages.
 * A signal ends the compiler and this process.
 */
export async function build(): Promise<void> {
  if (!existsSync(COMPILED)) print('Compiling the service. The next time compiles only what changed.')
  const status = await compile()
  if (status !== 0) process.exit(status)
  await buildClients()
  for (const make of [buildWeb, buildCheckout, buildDocs]) await make((name) => print(`Building ${name}.`))
}

/**
 * Builds what a start does without: the pages, the integrators' command and the SDK. It runs beside the service, which
 * takes the pages as they get ready.
 */
export async function buildBeside(): Promise<void> {
  setPriority(constants.priority.PRIORITY_LOW)
  await bundleCommand()
  for (const make of [buildWeb, buildCheckout, buildDocs]) await timed(make)
  const status = await compile('packages/sdk')
  if (status !== 0) process.exit(status)
  buildSdk()
}

/** Says when work has begun and when it has ended; work that there is none of is not mentioned. */
async function timed(make: Make) {
  let ending: string | undefined
  const startedMs = performance.now()
  await make((name) => {
    ending = name
    print(`  building ${name}, beside the service`)
  })
  if (ending !== undefined)
    print(`  built ${ending}: ${Math.round((performance.now() - startedMs) / 1_000)} s`)
}

/** Returns the compiler's exit code; 130 when a signal ended it. */
function compile(project = '.'): Promise<number> {
  const manifest = createRequire(import.meta.url).resolve('typescript/package.json')
  const compiler = join(dirname(manifest), 'bin', 'tsc')
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [compiler, '-b', project], { cwd: root, stdio: ['ignore', 2, 2] })
    const end = () => {
      child.kill('SIGKILL')
      process.exit(130)
    }
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
    for (const name of signals) process.once(name, end)
    child.once('exit', (code) => {
      for (const name of signals) process.off(name, end)
      resolve(code ?? 130)
    })
  })
}

function print(text: string) {
  process.stdout.write(`${text}\n`)
}
