import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Plugin } from 'rolldown'
import { rolldown } from 'rolldown'
import type { TestProject } from 'vitest/node'
import { findTools, searchPath, TOOLS } from './tools/tools.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Program that the runtime runs as `warungd`. */
    program: string
    /** Runtime of the service under test. */
    runtime: { readonly program: string; readonly isBun: boolean }
  }
}

const SERVER = new URL('../../server/', import.meta.url)
const INSTALLED = fileURLToPath(new URL('bin/warungd.js', SERVER))
const compiled = (path: string) => fileURLToPath(new URL(`dist/${path}`, SERVER))
/** First file of a bundle, as `npm start` makes it too. */
const FIRST = new URL('../../../scripts/program/first.cjs', import.meta.url)
/** Compiled files that are programs of their own, under the names that they have in the bundle. */
const PROGRAMS = { main: compiled('cli/main.js'), 'app/catalog-worker': compiled('app/catalog-worker.js') }
/** Module with what a process needs to run the service, and its commands, beside its own work (inside.ts). */
const INSIDE = 'warung:inside'
const INSIDE_EXPORTS = {
  'config.js': 'readConfig',
  'logger.js': 'createLogger',
  'runtime.js': 'shareReach',
  'cli/main.js': 'main',
  'cli/serve.js': 'start, stop',
}
/** Compiled files that start one of these programs: they find it at the same place beside them in the bundle. */
const STARTERS = new Map(
  ['cli/workers.js', 'cli/runtimes.js', 'app/catalog-thread.js'].map(
    (path) => [compiled(path), path] as const,
  ),
)

/**
 * Sets up vitest globally: bundles the compiled service, with the packages it uses, into a few files instead of more
 * than a thousand, which Node compiles once for the whole run (first.cjs). Finding, reading and compiling them is
 * over half of the cost of a start, and the run starts it hundreds of times. The code is the same; some tests in start/
 * show that it runs from the installed files.
 */
export default async function bundleProgram(project: TestProject): Promise<() => Promise<void>> {
  const runtime = await findRuntime(process.env)
  project.provide('runtime', runtime)
  // The service is not compiled yet; the installed program compiles it by itself.
  if (!existsSync(PROGRAMS.main)) {
    project.provide('program', INSTALLED)
    return async () => {}
  }
  const dir = await mkdtemp(join(tmpdir(), 'warung-program-'))
  const program = await writeProgram(dir)
  project.provide('program', program)
  // A process that is just ending may still write the cache; the next attempt removes its new files.
  return () => rm(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
}

/** Bundles the compiled service into a directory, with further changes of its files. Returns the program's path. */
export async function writeProgram(dir: string, changes: readonly Plugin[] = []): Promise<string> {
  // Some tests run the program as another user.
  await chmod(dir, 0o755)
  const bundle = await rolldown({
    input: { ...PROGRAMS, inside: INSIDE },
    platform: 'node',
    plugins: [
      ...changes,
      exportInside,
      leaveInPlace,
      importInPlace,
      keepAddresses(dir),
      cheapenPasswords,
      openFailpoints,
    ],
    logLevel: 'silent',
  })
  // Names stay as they are: errors and logs show them.
  const minify = { mangle: false, compress: false, codegen: { removeWhitespace: true } }
  await bundle.write({ dir: join(dir, 'dist'), format: 'cjs', minify })
  await bundle.close()
  await writeFile(join(dir, 'package.json'), '{ "type": "commonjs" }\n')
  await mkdir(join(dir, 'bin'))
  const program = join(dir, 'bin', 'warungd.js')
  await copyFile(fileURLToPath(FIRST), program)
  return program
}

const RUNTIME_SETTING = 'WARUNG_TEST_RUNTIME'

/** Finds the runtime of the service: this Node, or the one that the environment names. */
async function findRuntime(env: NodeJS.ProcessEnv): Promise<{ program: string; isBun: boolean }> {
  const wanted = env[RUNTIME_SETTING] ?? ''
  if (wanted === '') return { program: process.execPath, isBun: false }
  if (wanted !== 'bun') {
    if (isAbsolute(wanted) && existsSync(wanted)) return { program: wanted, isBun: false }
    throw new Error(`${RUNTIME_SETTING} is "bun", or the absolute path of another Node`)
  }
  const { bun } = await findTools(
    TOOLS.filter(({ name }) => name === 'bun'),
    env,
  )
  if (bun === undefined) throw new Error(`${RUNTIME_SETTING}=bun: no bun in ${searchPath(env)}`)
  return { program: bun, isBun: true }
}

const exportInside: Plugin = {
  name: 'export-inside',
  resolveId: (id) => (id === INSIDE ? id : null),
  load: (id) =>
    id === INSIDE
      ? Object.entries(INSIDE_EXPORTS)
          .map(([path, names]) => `export { ${names} } from ${JSON.stringify(compiled(path))}\n`)
          .join('')
      : null,
}

/** Packages with machine code, fonts or modules of a kind that cannot be bundled here. */
const IN_PLACE = /^(@node-rs\/argon2|pdfkit|\.\/shaping\.js)$/

const leaveInPlace: Plugin = {
  name: 'leave-in-place',
  resolveId: {
    filter: { id: IN_PLACE },
    async handler(name, importer, { kind }) {
      const found = await this.resolve(name, importer, { kind, skipSelf: true })
      if (found === null) return null
      const isDynamic = kind === 'dynamic-import'
      return { id: isDynamic ? pathToFileURL(found.id).href : found.id, external: 'absolute' }
    },
  },
}

/** Imports through a function of first.cjs: Node has no modules for a script that is compiled from a cache. */
const importInPlace: Plugin = {
  name: 'import-in-place',
  renderChunk: (code) => code.replaceAll('import("file:', 'importInPlace("file:'),
}

const PASSWORD_COST = 'memoryCost: 19_456, timeCost: 2,'

/**
 * Makes a password hash cheap. The run makes thousands, and each is made to be slow; beside the code,
 * `lib/secrets/passwords.test.ts` holds its real cost.
 */
const cheapenPasswords: Plugin = {
  name: 'cheapen-passwords',
  transform: {
    filter: { id: /\/lib\/secrets\/passwords\.js$/ },
    handler(code) {
      if (!code.includes(PASSWORD_COST)) throw new Error(`no ${PASSWORD_COST} in passwords.js`)
      return code.replace(PASSWORD_COST, 'memoryCost: 64, timeCost: 1,')
    },
  },
}

const NO_FAILPOINT = 'return noFailpoint'

/**
 * Calls a function of the process at the named places of the code, if a file that was loaded before the service has
 * made one (faults/control.cjs). So a test chooses a place while the service runs.
 */
const openFailpoints: Plugin = {
  name: 'open-failpoints',
  transform: {
    filter: { id: /\/lib\/failpoints\.js$/ },
    handler(code) {
      if (!code.includes(NO_FAILPOINT)) throw new Error(`no “${NO_FAILPOINT}” in failpoints.js`)
      return code.replace(NO_FAILPOINT, 'return (name) => globalThis.failpointReached?.(name)')
    },
  },
}

/** Keeps the addresses of migrations and manifests as seen from the file that reads them. */
function keepAddresses(dir: string): Plugin {
  const addressOf = (id: string) => {
    const path = STARTERS.get(id)
    return path === undefined ? id : join(dir, 'dist', path)
  }
  return {
    name: 'keep-addresses',
    transform: {
      filter: { code: 'import.meta.url' },
      handler: (code, id) =>
        code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(addressOf(id)).href)),
    },
  }
}
