#!/usr/bin/env node
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const packageDir = fileURLToPath(new URL('..', import.meta.url))
const entry = new URL('../dist/cli/main.js', import.meta.url)

// A fresh checkout has the source and no build yet.
if (!existsSync(entry) && existsSync(join(packageDir, 'src')) && !build()) process.exit(1)

const { main } = await import(entry.href)
process.exitCode = await main(process.argv.slice(2))

function build() {
  try {
    accessSync(packageDir, constants.W_OK)
  } catch {
    process.stderr.write(
      'warungd: this checkout is not compiled yet, and you may not write to it.\n' +
        'Let its owner run `npm run build` once, or use a checkout of your own.\n',
    )
    return false
  }
  const manifest = createRequire(import.meta.url).resolve('typescript/package.json')
  const compiler = join(dirname(manifest), 'bin', 'tsc')
  const { status, stdout, stderr } = spawnSync(process.execPath, [compiler, '-b', packageDir], {
    encoding: 'utf8',
  })
  if (status !== 0) process.stderr.write(`warungd: the build failed\n${stdout}${stderr}`)
  return status === 0
}
