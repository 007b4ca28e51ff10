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
    /** Program that Node runs as `warungd`. */
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
 * Sets up vitest globally: bundles the compiled service, with the packages it uses, into a few files instead of more
 * than a thousand. Finding and reading those is over half of the cost of a start, and the run starts it hundreds of
 * times. The code is the same; some tests in start/ show that it runs from the installed files.
 */
export default async function bundleProgram(project: TestProject): Promise<() => Promise<void>> {
  // The service is not compiled yet; the installed program compiles it by itself.
  if (!existsSync(COMPILED)) {
    project.provide('program', INSTALLED)
    return async () => {}
  }
  const dir = await mkdtemp(join(tmpdir(), 'warung-program-'))
  // Some tests run the program as another user.
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

/** Packages with machine code or fonts, which they look for beside themselves. */
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

/** Keeps the addresses of migrations and manifests as seen from the file that reads them. Workers run this program. */
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
