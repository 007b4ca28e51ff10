import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Plugin } from 'rolldown'
import { rolldown } from 'rolldown'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** What Node runs as `warungd`. */
    program: string
  }
}

const SERVER = new URL('../../server/', import.meta.url)
const INSTALLED = fileURLToPath(new URL('bin/warungd.js', SERVER))
const WORKERS = fileURLToPath(new URL('dist/cli/workers.js', SERVER))
const COMPILED = fileURLToPath(new URL('dist/cli/main.js', SERVER))

const ENTRY = `import { main } from '../dist/main.js'
process.exitCode = await main(process.argv.slice(2))
`

/**
 * vitest's global set-up: the compiled service, with the packages it uses, in a few files instead of more than a
 * thousand. Finding and reading those is over half of what a start costs, and the run starts it hundreds of times.
 * The code is the same; that it runs from the files as they are installed is shown by the tests in start/ that say so.
 */
export default async function bundleProgram(project: TestProject): Promise<() => Promise<void>> {
  // Nothing is compiled yet: the installed program does that itself.
  if (!existsSync(COMPILED)) {
    project.provide('program', INSTALLED)
    return async () => {}
  }
  const dir = await mkdtemp(join(tmpdir(), 'warung-program-'))
  // Some tests run it as another user.
  await chmod(dir, 0o755)
  const bundle = await rolldown({
    input: { main: COMPILED },
    platform: 'node',
    plugins: [leaveInPlace, keepAddresses(dir)],
    logLevel: 'silent',
  })
  await bundle.write({ dir: join(dir, 'dist'), format: 'esm' })
  await bundle.close()
  await writeFile(join(dir, 'package.json'), '{ "type": "module" }\n')
  await mkdir(join(dir, 'bin'))
  const program = join(dir, 'bin', 'warungd.js')
  await writeFile(program, ENTRY)
  project.provide('program', program)
  return () => rm(dir, { recursive: true, force: true })
}

/** Machine code and fonts, which these packages look for beside themselves. */
const IN_PLACE = /^(@node-rs\/argon2|fontkit|harfbuzzjs|pdfkit)$/

const leaveInPlace: Plugin = {
  name: 'leave-in-place',
  resolveId: {
    filter: { id: IN_PLACE },
    async handler(name, importer) {
      const found = await this.resolve(name, importer, { skipSelf: true })
      return found === null ? null : { id: pathToFileURL(found.id).href, external: 'absolute' }
    },
  },
}

/** Migrations and manifests are where they are, seen from the file that asks for them; workers run this program. */
function keepAddresses(dir: string): Plugin {
  const addressOf = (id: string) => (id === WORKERS ? join(dir, 'dist', 'cli', 'workers.js') : id)
  return {
    name: 'keep-addresses',
    transform: {
      filter: { code: 'import.meta.url' },
      handler: (code, id) =>
        code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(addressOf(id)).href)),
    },
  }
}
