import { execFile } from 'node:child_process'
import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shareDemo } from '../catalog.ts'
import { createPayer, RELOAD_COST, ringgit } from '../payments.ts'
import type { Receiver } from '../receiver/receiver.ts'
import { startReceiver } from '../receiver/receiver.ts'
import { makeDirectory, stopServices } from '../service.ts'
import { toolPath } from '../tools/installed.ts'
import type { Runtime } from './runtimes.ts'
import { CLIENTS, RUNTIMES } from './runtimes.ts'

// Clients in other languages: the golden vectors, and the quick start of each README as it is printed.

const run = promisify(execFile)

/** Files that the README tells to copy into a project, by language. */
const COPIED: Readonly<Record<string, readonly string[]>> = {
  python: ['warung'],
  php: ['autoload.php', 'src'],
}

/** Returns the first program of a client's README. */
async function quickStartOf(name: string, dir: string): Promise<string> {
  const readme = await readFile(join(dir, 'README.md'), 'utf8')
  return new RegExp(`\`\`\`${name}\n([\\s\\S]*?)\`\`\``).exec(readme)?.[1] ?? ''
}

/** Copies the client into an empty folder, and the first program of the README beside it. */
async function startProject({ name, dir }: Runtime): Promise<{ folder: string; program: string }> {
  const folder = await makeDirectory()
  const target = name === 'php' ? join(folder, 'warung') : folder
  for (const part of COPIED[name] ?? []) await cp(join(dir, part), join(target, part), { recursive: true })
  await writeFile(join(folder, 'first'), await quickStartOf(name, dir))
  return { folder, program: 'first' }
}

let receiver: Receiver

beforeAll(async () => {
  if (RUNTIMES.length > 0) receiver = await startReceiver()
})
afterAll(stopServices)

it.each(CLIENTS)('the $name client has the program of its quick start', async ({ name, dir }) => {
  expect(await quickStartOf(name, dir)).toContain('WARUNG_SIGNING_SECRET')
})

const python = RUNTIMES.find(({ name }) => name === 'python')

it.runIf(python !== undefined)(
  'the package for pip needs no other package, works, and leaves nothing in the folder that it was built from',
  async () => {
    const { dir, args } = python as Runtime
    const folder = join(await makeDirectory(), 'python')
    const out = await makeDirectory()
    await cp(dir, folder, { recursive: true, filter: (path) => !path.includes('__pycache__') })
    const before = await readdir(folder, { recursive: true })
    const project = await readFile(join(folder, 'pyproject.toml'), 'utf8')
    expect(project).toMatch(/^requires = \[\]$/m)
    const [, backend = ''] = /^build-backend = "(\w+)"$/m.exec(project) ?? []
    // pip takes the folder of the backend, calls this hook, and unpacks the file.
    const build = `import sys; sys.path.insert(0, '.'); import ${backend} as b; print(b.build_wheel(sys.argv[1]))`
    const python3 = toolPath('python')
    const { PYTHONDONTWRITEBYTECODE: _, ...env } = process.env
    const options = { cwd: folder, env }
    const { stdout } = await run(python3, ['-c', build, out], options)
    expect((await readdir(folder, { recursive: true })).sort()).toEqual(before.sort())
    expect(stdout.trim()).toMatch(/^warung-\d+\.\d+\.\d+-py3-none-any\.whl$/)
    const use = `import sys; sys.path.insert(0, sys.argv[1]); import warung; print(warung.__file__, warung.Client)`
    const used = await run(python3, [...args, '-c', use, join(out, stdout.trim())], { cwd: out })
    expect(used.stdout).toContain(`${stdout.trim()}/warung/__init__.py`)
  },
)

describe.each(RUNTIMES)('the $name client', (runtime) => {
  it('is held to the golden vectors', async () => {
    const { name, args, dir, vectors } = runtime
    const { stdout, stderr } = await run(toolPath(name), [...args, vectors], { cwd: dir })
    expect(stdout + stderr).toMatch(/"failures":0|\nOK\n/)
  })

  it('sends nothing to a host whose certificate no known authority signed', async () => {
    const { secure: baseUrl } = receiver.urls
    const settings = { baseUrl, apiKey: 'key', signingSecret: 'c2VjcmV0', retryBaseMs: 1 }
    const commands = [
      { id: 1, do: 'configure', settings },
      { id: 2, do: 'operation', name: 'getBalance' },
    ]
    const { name, args, dir, driver } = runtime
    const child = run(toolPath(name), [...args, driver], { cwd: dir })
    child.child.stdin?.end(commands.map((each) => `${JSON.stringify(each)}\n`).join(''))
    const [, answer] = (await child).stdout.trim().split('\n')
    expect(JSON.parse(answer ?? '')).toMatchObject({ error: { class: 'ConnectionFailed' } })
    expect((await receiver.counts()).requests).toBe(0)
  })

  it('pays by the quick start of its README, from an empty folder', async () => {
    const { service } = await shareDemo()
    const payer = await createPayer(service, '100')
    const { folder, program } = await startProject(runtime)
    const env = {
      PATH: process.env.PATH,
      WARUNG_BASE_URL: service.baseUrl,
      WARUNG_API_KEY: payer.credentials.apiKey,
      WARUNG_SIGNING_SECRET: payer.credentials.secretBase64,
    }
    const { stdout } = await run(toolPath(runtime.name), [...runtime.args, program], { cwd: folder, env })
    expect(stdout).toMatch(/^balance 100\b[\s\S]*\n\S+ Succesful \S+\n$/)
    expect(await payer.balance()).toBe(ringgit(100 - RELOAD_COST))
  })
})
