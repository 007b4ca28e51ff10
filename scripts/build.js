import { spawn } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildCheckout } from './build-checkout.js'
import { buildClients } from './build-clients.js'
import { buildDocs } from './build-docs.js'
import { buildWeb } from './build-web.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const server = join(root, 'packages', 'server')

/**
 * Compiles what changed since the last time. If it cannot, it ends the process with the compiler's messages. A signal
 * ends the compiler and this process.
 */
export async function build() {
  const isCompiled = existsSync(join(server, 'dist', 'cli', 'main.js'))
  if (!isWritable(server)) {
    // The checkout belongs to another user, who has compiled it, or must do it.
    if (isCompiled) return
    complain(
      'This checkout is not compiled yet, and you may not write to it.',
      'Let its owner run `npm run build` once, or use a checkout of your own.',
    )
    process.exit(1)
  }
  if (!isCompiled) process.stdout.write('Compiling the service. The next start compiles only what changed.\n')
  const status = await compile()
  if (status !== 0) process.exit(status)
  await buildClients()
  await buildWeb()
  await buildCheckout()
  await buildDocs()
}

/** Returns the compiler's exit code; 130 when a signal ended it. */
function compile() {
  const manifest = createRequire(import.meta.url).resolve('typescript/package.json')
  const compiler = join(dirname(manifest), 'bin', 'tsc')
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [compiler, '-b'], { cwd: root, stdio: ['ignore', 2, 2] })
    const end = () => {
      child.kill('SIGKILL')
      process.exit(130)
    }
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
    for (const name of signals) process.once(name, end)
    child.once('exit', (code) => {
      for (const name of signals) process.off(name, end)
      resolve(code ?? 130)
    })
  })
}

function isWritable(dir) {
  try {
    accessSync(dir, constants.W_OK)
    return true
  } catch {
    return false
  }
}

function complain(...lines) {
  process.stderr.write(`${lines.join('\n')}\n`)
}

// `npm run build` compiles and ends.
if (process.argv[1] === fileURLToPath(import.meta.url)) await build()
