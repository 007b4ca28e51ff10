import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const FOLDER = fileURLToPath(new URL('../../../.warung/node-releases', import.meta.url))
const PACKAGE = `node-${process.platform}-${process.arch}`

/** Returns the path of a Node of this major release. npm carries one for each platform; it is fetched once. */
export async function fetchNode(major: string): Promise<string> {
  const folder = join(FOLDER, major)
  const program = join(folder, 'node_modules', PACKAGE, 'bin', 'node')
  if (!existsSync(program)) {
    await mkdir(folder, { recursive: true })
    await run('npm', ['install', '--prefix', folder, '--no-save', '--ignore-scripts', `${PACKAGE}@${major}`])
  }
  const { stdout } = await run(program, ['--version'])
  if (!stdout.startsWith(`v${major}.`)) throw new Error(`${program} is ${stdout.trim()}, not Node ${major}`)
  return program
}
