import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { copyFile, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { it } from 'vitest'
import { compileGenerated } from '../generated-client.ts'
import { hasTool, toolPath } from '../tools/installed.ts'
import { RUNTIME_DRIVERS } from './runtimes.ts'

// Clients that the one suite holds. Each entry says how its driver is started.

const run = promisify(execFile)

export type Program = { readonly file: string; readonly args: readonly string[]; readonly cwd: string }

export type DriverKind = {
  readonly name: string
  /** False for a client without the behaviour of SDK_BEHAVIOUR. */
  readonly isSdk: boolean
  /** True: its runtime sends a request again by itself when a kept connection is reset. */
  readonly runtimeRepeats?: boolean
  /** Makes the driver ready, once for all tests of a worker. */
  prepare(): Promise<Program>
}

/**
 * Behaviour that our SDKs have and a client that was generated from the document has not. A journey that needs one names
 * it (`needing`), and the generated client does not make it.
 */
export const SDK_BEHAVIOUR = {
  forms: 'checks values by the form of the product before anything is sent',
  errors: 'tells rejected, unknown and conflicting payments apart by class, with token and remedy',
  paths: 'signs and calls a path that has no method of its own',
  retries: 'repeats what may be repeated, calls an unknown outcome unknown, and corrects a wrong clock',
  follower: 'follows the feed with a stored cursor',
  webhooks: 'verifies webhooks, and sorts out duplicates and older states',
} as const

export type SdkBehaviour = keyof typeof SDK_BEHAVIOUR

/** Commands of driver.md that are this behaviour: the driver of a generated client refuses them. */
export const SDK_COMMANDS: Readonly<Record<string, SdkBehaviour>> = {
  call: 'paths',
  sign: 'paths',
  clock: 'retries',
  followEvents: 'follower',
  verifyWebhook: 'webhooks',
  inbox: 'webhooks',
}

/** Returns `it` for a journey that needs behaviour of an SDK. */
export function needing({ isSdk }: DriverKind, _behaviour: SdkBehaviour) {
  return it.runIf(isSdk)
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

/** TypeScript client on a runtime of JavaScript. */
function typescriptOn(name: string, file: () => string, ...args: readonly string[]): DriverKind {
  return {
    name,
    isSdk: true,
    prepare: once(name, async () => {
      const { dir } = await installPacked()
      await copyFile(here('./drivers/typescript.js'), join(dir, 'driver.js'))
      return { file: file(), args: [...args, 'driver.js'], cwd: dir }
    }),
  }
}

const node = typescriptOn('typescript', () => process.execPath)
const bun = typescriptOn('typescript on Bun', () => toolPath('bun'), 'run')
// Deno loads what lies in the folder and nothing from elsewhere; the driver needs the network, files and its end.
const deno: DriverKind = {
  ...typescriptOn('typescript on Deno', () => toolPath('deno'), 'run', '--allow-all', '--no-remote'),
  runtimeRepeats: true,
}

const generated: DriverKind = {
  name: 'generated',
  isSdk: false,
  prepare: once('generated', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'warung-generated-client-'))
    process.once('exit', () => rmSync(dir, { recursive: true, force: true }))
    const program = await readFile(here('./drivers/generated.ts'), 'utf8')
    const messages = await compileGenerated(dir, ['reseller'], { 'driver.ts': program })
    if (messages !== '') throw new Error(messages)
    return { file: process.execPath, args: [join('out', 'driver.js')], cwd: dir }
  }),
}

/** Our clients. Runtimes and languages that this machine lacks are left out, loudly (tools/setup.ts). */
export const SDK_DRIVERS: readonly DriverKind[] = [
  node,
  ...(hasTool('bun') ? [bun] : []),
  ...(hasTool('deno') ? [deno] : []),
  ...RUNTIME_DRIVERS,
]

/** Clients that make the journeys: ours, and one that was generated from the document. */
export const DRIVERS: readonly DriverKind[] = [...SDK_DRIVERS, generated]
