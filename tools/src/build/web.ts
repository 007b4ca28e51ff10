import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const web = fileURLToPath(new URL('../../../packages/web', import.meta.url))
const SOURCES = [
  'src',
  'public',
  'portal.html',
  'operator.html',
  'vite.config.ts',
  'languages.ts',
  'package.json',
  '../forms/src',
]

/** Builds the dashboard's files if a source is newer than they are; `note` is called before the work. */
export async function buildWeb(note: (name: string) => void): Promise<void> {
  // The stamp comes last: an interrupted build is made again, and the service reads the files when it is there.
  const built = join(web, 'dist', 'stamp')
  if (existsSync(built) && newest(SOURCES.map((each) => join(web, each))) <= statSync(built).mtimeMs) return
  note('the dashboard')
  rmSync(built, { force: true })
  const { build } = await import('vite')
  await build({ root: web, configFile: join(web, 'vite.config.ts'), logLevel: 'error' })
  writeFileSync(built, '')
}

function newest(paths: readonly string[]) {
  return Math.max(...paths.map(newestBelow))
}

function newestBelow(path: string): number {
  const entry = statSync(path)
  if (!entry.isDirectory()) return entry.mtimeMs
  return Math.max(entry.mtimeMs, ...readdirSync(path).map((name) => newestBelow(join(path, name))))
}
