import { existsSync, mkdirSync, statSync } from 'node:fs'
import { chmod, copyFile, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Plugin } from 'rolldown'

// Makes the service as a program of a checkout, as scripts/program.js finds it.

const root = fileURLToPath(new URL('../../..', import.meta.url))
const source = (path: string) => join(root, 'packages/server/src', path)
const ENTRIES = { main: source('cli/main.ts'), 'app/catalog-worker': source('app/catalog-worker.ts') }
/** Sources that start one of the entries: they find it at the same place beside them in the bundle. */
const STARTERS = new Set(['cli/workers.ts', 'cli/runtimes.ts', 'app/catalog-thread.ts'].map(source))
const FIRST = join(root, 'scripts/program/first.cjs')
const SELF = join(root, 'tools/src/build/program.ts')
const SHAPED = 'shaping.mjs'
const LIST = 'sources.json'

/**
 * Bundles the sources into a folder of its own below `programs`, because a running service still loads parts of an
 * earlier one; removes all of the `earlier` ones but the newest. Returns the folder.
 */
export async function makeProgram(programs: string, earlier: readonly string[]): Promise<string> {
  mkdirSync(programs, { recursive: true })
  const draft = await mkdtemp(join(programs, 'draft-'))
  const dir = draft.replace('draft-', '')
  const { rolldown } = await import('rolldown')
  const shaping = bundleShaping(draft)
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
    const list = [SELF, FIRST, ...paths].map((path) => {
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

/** Puts the program's first file beside its bundle. */
async function finishProgram(dir: string) {
  await writeFile(join(dir, 'package.json'), '{ "type": "commonjs" }\n')
  await mkdir(join(dir, 'bin'))
  await copyFile(FIRST, join(dir, 'bin', 'warungd.js'))
}

/** Packages with machine code or fonts, which stay where they are. */
const leaveInPlace: Plugin = {
  name: 'leave-in-place',
  resolveId: {
    filter: { id: /^(@node-rs\/argon2|pdfkit|fontkit|harfbuzzjs)$/ },
    async handler(name, importer, { kind }) {
      const found = await this.resolve(name, importer, { kind, skipSelf: true })
      return found === null ? null : { id: found.id, external: 'absolute' }
    },
  },
}

/** Leaves the module to a bundle of its own, as `bundleShaping` makes it. */
function leaveShaping(dir: string): Plugin {
  const id = pathToFileURL(join(dir, 'dist', SHAPED)).href
  return {
    name: 'leave-shaping',
    resolveId: { filter: { id: /^\.\/shaping\.ts$/ }, handler: () => ({ id, external: 'absolute' }) },
  }
}

/** Bundles the only module that cannot be a script: a package that it imports waits while it loads. */
async function bundleShaping(dir: string) {
  const { rolldown } = await import('rolldown')
  const bundle = await rolldown({
    input: source('lib/text/shaping.ts'),
    platform: 'node',
    plugins: [leaveInPlace],
    logLevel: 'silent',
  })
  await bundle.write({ file: join(dir, 'dist', SHAPED), format: 'esm' })
  await bundle.close()
}

/** Imports through a function of first.cjs: Node has no modules for a script that is compiled from a cache. */
const importInPlace: Plugin = {
  name: 'import-in-place',
  renderChunk: (code) => code.replaceAll('import("file:', 'importInPlace("file:'),
}

/** Keeps the addresses of migrations, pages and packages as seen from the source that names them. */
function keepAddresses(dir: string): Plugin {
  const addressOf = (id: string) => (STARTERS.has(id) ? join(dir, 'dist', relative(source(''), id)) : id)
  return {
    name: 'keep-addresses',
    transform: {
      filter: { code: 'import.meta.url' },
      handler: (code, id) =>
        code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(addressOf(id)).href)),
    },
  }
}
