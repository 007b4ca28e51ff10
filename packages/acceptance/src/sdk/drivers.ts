import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { copyFile, mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { RUNTIME_DRIVERS } from './runtimes.ts'

// Clients that the one suite holds. Each entry says how its driver is started.

const run = promisify(execFile)

export type Program = { readonly file: string; readonly args: readonly string[]; readonly cwd: string }

export type DriverKind = {
  readonly name: string
  /** Makes the driver ready, once for all tests of a worker. */
  prepare(): Promise<Program>
}

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Returns the folder of a package of this repository. */
export function packageDir(name: string): string {
  return here(`../../../${name}`)
}

/** Prepares once for a worker, because its files share their modules. */
function once<T>(name: string, make: () => Promise<T>): () => Promise<T> {
  const key = `sdkDriver:${name}`
  const kept = globalThis as unknown as Record<string, Promise<T> | undefined>
  return () => {
    kept[key] ??= make()
    return kept[key]
  }
}

/** Empty project in which the packed client is installed, as users get it. */
export type Installed = {
  readonly dir: string
  /** Paths in the packed file. */
  readonly files: readonly string[]
  readonly packedBytes: number
}

export const installPacked = once('installed', async (): Promise<Installed> => {
  const dir = await mkdtemp(join(tmpdir(), 'warung-sdk-project-'))
  process.once('exit', () => rmSync(dir, { recursive: true, force: true }))
  const options = { env: { ...process.env, npm_config_update_notifier: 'false' } }
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', dir], {
    ...options,
    cwd: packageDir('sdk'),
  })
  const [packed] = JSON.parse(stdout) as [{ filename: string; size: number; files: { path: string }[] }]
  await writeFile(join(dir, 'package.json'), '{ "name": "shop", "private": true, "type": "module" }')
  const install = ['install', '--offline', '--no-audit', '--no-fund', `./${packed.filename}`]
  await run('npm', install, { ...options, cwd: dir })
  return { dir, files: packed.files.map(({ path }) => path).sort(), packedBytes: packed.size }
})

/** Lists the packages that the installed project has. */
export async function listInstalled(dir: string): Promise<string[]> {
  const scoped = await readdir(join(dir, 'node_modules', '@warung'))
  const others = (await readdir(join(dir, 'node_modules'))).filter((name) => !/^(\.|@warung$)/.test(name))
  return [...scoped.map((name) => `@warung/${name}`), ...others]
}

const typescript: DriverKind = {
  name: 'typescript',
  prepare: once('typescript', async () => {
    const { dir } = await installPacked()
    await copyFile(here('./drivers/typescript.js'), join(dir, 'driver.js'))
    return { file: process.execPath, args: ['driver.js'], cwd: dir }
  }),
}

export const DRIVERS: readonly DriverKind[] = [typescript, ...RUNTIME_DRIVERS]
