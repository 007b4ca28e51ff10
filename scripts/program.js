// @ts-check
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { chmod, copyFile, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { complain, mayWrite, NOT_COMPILED } from './checkout.js'

// The service as a program of a checkout: its TypeScript and the packages that it uses, bundled into a few files. That
// takes a second; to compile with types takes many, and to load over a thousand files takes longer than to bundle them.

const server = fileURLToPath(new URL('../packages/server', import.meta.url))
const programs = join(server, 'dist', 'program')
/** @param {string} path */
const source = (path) => join(server, 'src', path)
const ENTRIES = { main: source('cli/main.ts'), 'app/catalog-worker': source('app/catalog-worker.ts') }
/** Sources that start one of the entries: they find it at the same place beside them in the bundle. */
const STARTERS = new Set(['cli/workers.ts', 'cli/runtimes.ts', 'app/catalog-thread.ts'].map(source))
const FIRST = new URL('program/first.cjs', import.meta.url)
const SHAPED = 'shaping.mjs'
const LIST = 'sources.json'

/**
 * Finds the program that was made of the sources as they are now; undefined: there is none, or `npm run build` compiled
 * the service since.
 */
export function findProgram() {
  const found = findCurrent()
  const compiled = statSync(join(server, 'dist', '.tsbuildinfo'), { throwIfNoEntry: false })
  return found === undefined || madeAt(found) < (compiled?.mtimeMs ?? 0) ? undefined : found
}

/**
 * Finds the program or makes it, and says so. Returns its folder; undefined: it could not be made, and the reason was
 * said.
 */
export async function prepareProgram() {
  const found = findCurrent()
  if (found !== undefined) return found
  if (!mayWrite()) {
    complain(NOT_COMPILED)
    return undefined
  }
  process.stderr.write('Bundling the service. The next start bundles only what changed.\n')
  try {
    return await makeProgram()
  } catch (error) {
    complain(`The service cannot be bundled: ${error instanceof Error ? error.message : error}`)
    return undefined
  }
}

/**
 * Runs the program in this process, with the words of the command line.
 *
 * @param {string} dir
 */
export async function runProgram(dir) {
  await import(pathToFileURL(join(dir, 'bin', 'warungd.js')).href)
}

function findCurrent() {
  return listMade().find((dir) => isCurrent(readList(dir)))
}

/** @param {string} dir */
function madeAt(dir) {
  return statSync(join(dir, LIST)).mtimeMs
}

/** Lists the programs that were made, the newest first. */
function listMade() {
  if (!existsSync(programs)) return []
  return readdirSync(programs)
    .map((name) => join(programs, name))
    .filter((dir) => existsSync(join(dir, LIST)))
    .sort((a, b) => madeAt(b) - madeAt(a))
}

/**
 * Reads the sources of a program: path, time of the last change, size.
 *
 * @param {string} dir
 * @returns {[path: string, mtimeMs: number, size: number][]}
 */
function readList(dir) {
  return JSON.parse(readFileSync(join(dir, LIST), 'utf8'))
}

/**
 * The list holds absolute paths: in a checkout that was moved or copied no program is current.
 *
 * @param {ReturnType<typeof readList>} list
 */
function isCurrent(list) {
  return list.every(([path, mtimeMs, size]) => {
    const found = statSync(path, { throwIfNoEntry: false })
    return found !== undefined && found.mtimeMs === mtimeMs && found.size === size
  })
}

/** Bundles the sources into a folder of its own, because a running service still loads parts of an earlier one. */
async function makeProgram() {
  const earlier = listMade()
  mkdirSync(programs, { recursive: true })
  const draft = await mkdtemp(join(programs, 'draft-'))
  const dir = draft.replace('draft-', '')
  const { rolldown } = await import('rolldown')
  const shaping = bundleShaping(rolldown, draft)
  const bundle = await rolldown({
    input: ENTRIES,
    platform: 'node',
    plugins: [leaveInPlace, leaveShaping(dir), importInPlace, keepAddresses(dir)],
    logLevel: 'silent',
  })
  try {
    const { output } = await bundle.write({ dir: join(draft, 'dist'), format: 'cjs' })
    await shaping
    await finishProgram(draft)
    const paths = output
      .flatMap((each) => ('moduleIds' in each ? each.moduleIds : []))
      .filter((id) => existsSync(id))
    const list = [fileURLToPath(import.meta.url), fileURLToPath(FIRST), ...paths].map((path) => {
      const { mtimeMs, size } = statSync(path)
      return [path, mtimeMs, size]
    })
    await writeFile(join(draft, LIST), JSON.stringify(list))
    // Other users may run the service.
    await chmod(draft, 0o755)
    await rename(draft, dir)
  } finally {
    await bundle.close()
    await rm(draft, { recursive: true, force: true })
  }
  for (const old of earlier.slice(1)) await rm(old, { recursive: true, force: true })
  return dir
}

/**
 * Puts the program's first file beside its bundle.
 *
 * @param {string} dir
 */
async function finishProgram(dir) {
  await writeFile(join(dir, 'package.json'), '{ "type": "commonjs" }\n')
  await mkdir(join(dir, 'bin'))
  await copyFile(fileURLToPath(FIRST), join(dir, 'bin', 'warungd.js'))
}

/**
 * Packages with machine code or fonts, which stay where they are.
 *
 * @type {import('rolldown').Plugin}
 */
const leaveInPlace = {
  name: 'leave-in-place',
  resolveId: {
    filter: { id: /^(@node-rs\/argon2|pdfkit|fontkit|harfbuzzjs)$/ },
    async handler(name, importer, { kind }) {
      const found = await this.resolve(name, importer, { kind, skipSelf: true })
      return found === null ? null : { id: found.id, external: 'absolute' }
    },
  },
}

/**
 * Leaves the module to a bundle of its own, as `bundleShaping` makes it.
 *
 * @param {string} dir
 * @returns {import('rolldown').Plugin}
 */
function leaveShaping(dir) {
  const id = pathToFileURL(join(dir, 'dist', SHAPED)).href
  return {
    name: 'leave-shaping',
    resolveId: { filter: { id: /^\.\/shaping\.ts$/ }, handler: () => ({ id, external: 'absolute' }) },
  }
}

/**
 * Bundles the only module that cannot be a script: a package that it imports waits while it loads.
 *
 * @param {typeof import('rolldown').rolldown} rolldown
 * @param {string} dir
 */
async function bundleShaping(rolldown, dir) {
  const bundle = await rolldown({
    input: source('lib/text/shaping.ts'),
    platform: 'node',
    plugins: [leaveInPlace],
    logLevel: 'silent',
  })
  await bundle.write({ file: join(dir, 'dist', SHAPED), format: 'esm' })
  await bundle.close()
}

/**
 * Imports through a function of first.cjs: Node has no modules for a script that is compiled from a cache.
 *
 * @type {import('rolldown').Plugin}
 */
const importInPlace = {
  name: 'import-in-place',
  renderChunk: (code) => code.replaceAll('import("file:', 'importInPlace("file:'),
}

/**
 * Keeps the addresses of migrations, pages and packages as seen from the source that names them.
 *
 * @param {string} dir
 * @returns {import('rolldown').Plugin}
 */
function keepAddresses(dir) {
  /** @param {string} id */
  const addressOf = (id) => (STARTERS.has(id) ? join(dir, 'dist', relative(source(''), id)) : id)
  return {
    name: 'keep-addresses',
    transform: {
      filter: { code: 'import.meta.url' },
      handler: (code, id) =>
        code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(addressOf(id)).href)),
    },
  }
}
