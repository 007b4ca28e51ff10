import { execFile } from 'node:child_process'
import { readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

// Clients that a current generator makes of the API documents in docs/, which are the ones that the service serves
// (operations/documentation).

const run = promisify(execFile)
const REPOSITORY = new URL('../../../', import.meta.url)
const MODULES = fileURLToPath(new URL('node_modules', REPOSITORY))

const SETTINGS = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.iterable'],
  module: 'nodenext',
  types: ['node'],
  outDir: 'out',
  rootDir: '.',
}

const DOCUMENTS = {
  reseller: 'docs/openapi.json',
  operator: 'docs/openapi-operator.json',
  portal: 'docs/openapi-portal.json',
}

/** Generates the types of an API as `openapi-typescript` does from the command line. */
async function generateTypes(api: keyof typeof DOCUMENTS): Promise<string> {
  // The generator brings a whole compiler: only the files that generate load it.
  const { default: openapiTS, astToString } = await import('openapi-typescript')
  const document = JSON.parse(await readFile(new URL(DOCUMENTS[api], REPOSITORY), 'utf8'))
  return astToString(await openapiTS(document))
}

/**
 * Compiles programs of an integrator in an empty folder, beside the types that were generated for them. Returns the
 * messages of the compiler; the programs are in `out`.
 */
export async function compileGenerated(
  folder: string,
  apis: readonly (keyof typeof DOCUMENTS)[],
  programs: Readonly<Record<string, string>>,
): Promise<string> {
  const types = await Promise.all(apis.map(async (api) => [`${api}.ts`, await generateTypes(api)] as const))
  const files = { ...Object.fromEntries(types), ...programs }
  const config = { compilerOptions: SETTINGS, files: Object.keys(files) }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
  await symlink(MODULES, join(folder, 'node_modules'))
  const compiler = join(MODULES, 'typescript/bin/tsc')
  const compiled = await run(process.execPath, [compiler, '-p', folder], { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  )
  return compiled.stdout
}
