import { copyFileSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const packages = fileURLToPath(new URL('../../../packages', import.meta.url))

/** Builds the forms of the SDK and of the command that users get, if they are older than what they are made of. */
export async function buildClients(): Promise<void> {
  buildSdk()
  await bundleCommand()
  buildCommonJs(join(packages, 'cli', 'dist'), { program: 'warung.js', types: ['main.d.ts', 'io.d.ts'] })
}

/** Builds the form of the compiled SDK for CommonJS. */
export function buildSdk(): void {
  const dist = join(packages, 'sdk', 'dist')
  const types = readdirSync(dist).filter((name) => name.endsWith('.d.ts'))
  buildCommonJs(dist, { program: 'index.js', types })
}

/**
 * Makes an entry for CommonJS. Its types are the same texts in a folder that is CommonJS, because TypeScript takes types
 * by that. Its code loads the one program, so that an error is of the same class in both module systems.
 */
function buildCommonJs(dist: string, { program, types }: { program: string; types: string[] }) {
  const target = join(dist, 'cjs')
  if (isNewer(join(target, 'index.js'), [dist])) return
  mkdirSync(target, { recursive: true })
  for (const name of types) copyFileSync(join(dist, name), join(target, name))
  writeFileSync(join(target, 'package.json'), '{ "type": "commonjs" }\n')
  writeFileSync(join(target, 'index.js'), `module.exports = require('../${program}')\n`)
}

/**
 * Bundles the command with the SDK, from their sources. A dependency by name could be taken from a registry, where the
 * name may belong to somebody else, and the command holds the credentials of an account.
 */
export async function bundleCommand(): Promise<void> {
  const file = join(packages, 'cli', 'dist', 'warung.js')
  const sources = ['cli', 'sdk'].map((name) => join(packages, name, 'src'))
  if (isNewer(file, sources)) return
  const { rolldown } = await import('rolldown')
  const bundle = await rolldown({
    input: join(packages, 'cli', 'src', 'main.ts'),
    platform: 'node',
    logLevel: 'silent',
    resolve: { alias: { '@warung/sdk': join(packages, 'sdk', 'src', 'index.ts') } },
  })
  await bundle.write({ file, format: 'esm' })
  await bundle.close()
}

function isNewer(file: string, folders: readonly string[]) {
  if (!existsSync(file)) return false
  const sources = folders
    .flatMap((each) =>
      readdirSync(each, { recursive: true, encoding: 'utf8' }).map((name) => join(each, name)),
    )
    .filter((name) => name.endsWith('.ts') || name.endsWith('.js'))
  const builtAt = statSync(file).mtimeMs
  return sources.every((name) => statSync(name).mtimeMs <= builtAt)
}
