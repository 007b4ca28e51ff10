import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const web = fileURLToPath(new URL('../packages/web', import.meta.url))
const SOURCES = [
  'src',
  'public',
  'portal.html',
  'operator.html',
  'vite.config.ts',
  'package.json',
  '../forms/src',
]

/** Builds the dashboard's files if a source is newer than they are. */
export async function buildWeb() {
  const built = join(web, 'dist', 'pages.json')
  if (existsSync(built) && newest(SOURCES.map((each) => join(web, each))) <= statSync(built).mtimeMs) return
  const { build } = await import('vite')
  await build({ root: web, configFile: join(web, 'vite.config.ts'), logLevel: 'error' })
}

function newest(paths) {
  return Math.max(...paths.map(newestBelow))
}

function newestBelow(path) {
  const entry = statSync(path)
  if (!entry.isDirectory()) return entry.mtimeMs
  return Math.max(entry.mtimeMs, ...readdirSync(path).map((name) => newestBelow(join(path, name))))
}
