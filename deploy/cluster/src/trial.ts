// Trial of a cluster: three "machines" on this one, each with its own ports and directories, run by a supervisor that
// starts what ends again, as systemd does on a real machine.
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { chmod, chown, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { observe } from './observe.ts'
import type { Config, Machine, Secrets } from './plan.ts'
import {
  createDatabaseFile,
  etcdFile,
  findBinaries,
  haproxyFile,
  makeSecrets,
  PORTS,
  patroniFile,
  readConfig,
  readSecrets,
  serviceSettings,
} from './plan.ts'

const WARUNGD = fileURLToPath(new URL('../../../packages/server/bin/warungd.js', import.meta.url))
const RESTART_AFTER_MS = 2_000
const STOP_WITHIN_MS = 45_000

// ── Directory ──

/** Makes the directory of a trial with free ports and new secrets, unless it is there. */
export async function prepareTrial(directory: string): Promise<void> {
  await mkdir(join(directory, 'log'), { recursive: true })
  const info = await stat(directory)
  if (process.getuid?.() !== info.uid) throw new Error(`${directory} belongs to somebody else`)
  // The database's own user passes through; it reads nothing else here.
  await chmod(directory, 0o711)
  const file = join(directory, 'cluster.json')
  if (existsSync(file)) return
  await writeFile(join(directory, 'secrets.json'), JSON.stringify(makeSecrets(), null, 2), { mode: 0o600 })
  await writeFile(file, JSON.stringify(await trialConfig(), null, 2), { mode: 0o600 })
}

async function trialConfig() {
  const free = await freePorts(3 * PORTS.length)
  const machines = ['one', 'two', 'three'].map((name, index) => ({
    name,
    host: '127.0.0.1',
    postgres: index < 2,
    ports: Object.fromEntries(PORTS.map((port) => [port, free.pop()])),
  }))
  return { name: 'trial', machines, environment: { WARUNG_DEMO: 'all' } }
}

const PORTS_FROM = 10_000
const PORTS_UNTIL = 32_000

/**
 * Finds ports that nobody listens on, below those that the system gives to outgoing connections: a part that is killed
 * must find its port free when it starts again.
 */
async function freePorts(count: number) {
  const ports = new Set<number>()
  while (ports.size < count) {
    const port = randomInt(PORTS_FROM, PORTS_UNTIL)
    if (await isFree(port)) ports.add(port)
  }
  return [...ports]
}

function isFree(port: number) {
  return new Promise<boolean>((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

export type Trial = { directory: string; config: Config; secrets: Secrets }

export function openTrial(directory: string): Trial {
  const read = (name: string) => readFileSync(join(directory, name), 'utf8')
  return { directory, config: readConfig(read('cluster.json')), secrets: readSecrets(read('secrets.json')) }
}

const KINDS = ['etcd', 'patroni', 'haproxy', 'service'] as const
type User = { uid: number; gid: number }
/** Part of a machine: the process that the supervisor runs. */
export type Part = {
  name: string
  machine: string
  kind: (typeof KINDS)[number]
  command: string[]
  env: NodeJS.ProcessEnv
  user?: User | undefined
  /** Its own directory. */
  own: string
  /** Texts by the name of their file in its directory. */
  files: Record<string, string>
  /** Directory of the database. */
  data?: string
}
type Home = { home: string; user: User | undefined }

/** Lists the parts of all machines in the order in which they start: command, environment, user, and files. */
export function listParts(trial: Trial): Part[] {
  const user = findUser()
  const parts = trial.config.machines.flatMap((machine) => {
    const home = join(trial.directory, machine.name)
    return [
      etcdPart(trial, machine, { home, user }),
      ...(machine.postgres ? [patroniPart(trial, machine, { home, user })] : []),
      haproxyPart(trial, machine, { home, user }),
      servicePart(trial, machine, home),
    ]
  })
  return parts.sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind))
}

/** Names a part, as `kill` takes it. */
const part = (
  machine: Machine,
  kind: Part['kind'],
  rest: Omit<Part, 'name' | 'machine' | 'kind' | 'env'> & Partial<Pick<Part, 'env'>>,
): Part => ({
  name: `${machine.name}.${kind}`,
  machine: machine.name,
  kind,
  env: {},
  ...rest,
})

function etcdPart({ config }: Trial, machine: Machine, { home, user }: Home) {
  const own = join(home, 'etcd')
  const text = etcdFile(config, machine, { data: join(own, 'data') })
  const settings = text.split('\n').filter((line) => /^[A-Z_]+=/.test(line))
  const env = Object.fromEntries(settings.map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]))
  return part(machine, 'etcd', { command: ['etcd'], env, user, own, files: { 'etcd.env': text } })
}

function patroniPart({ config, secrets }: Trial, machine: Machine, { home, user }: Home) {
  const own = join(home, 'postgres')
  const data = join(own, 'data')
  const text = patroniFile(config, machine, secrets, {
    data,
    binaries: findBinaries(),
    sockets: own,
    pgpass: join(own, 'pgpass'),
    createDatabase: join(own, 'create-database.sh'),
  })
  const files = { 'patroni.yml': text, 'create-database.sh': createDatabaseFile(secrets) }
  const command = ['patroni', join(own, 'patroni.yml')]
  return part(machine, 'patroni', { command, env: { HOME: own }, user, own, files, data })
}

function haproxyPart({ config }: Trial, machine: Machine, { home, user }: Home) {
  const own = join(home, 'haproxy')
  const command = ['haproxy', '-db', '-f', join(own, 'haproxy.cfg')]
  return part(machine, 'haproxy', {
    command,
    user,
    own,
    files: { 'haproxy.cfg': haproxyFile(config, machine) },
  })
}

function servicePart({ config, secrets }: Trial, machine: Machine, home: string) {
  const own = join(home, 'service')
  const env = {
    WARUNG_METRICS_PORT: '0',
    WARUNG_DATA_DIR: own,
    // All clients of a trial are on this machine.
    WARUNG_RATE_EXEMPT: '127.0.0.0/8',
    ...serviceSettings(config, machine, secrets),
    ...config.environment,
  }
  return part(machine, 'service', { command: [process.execPath, WARUNGD, 'serve'], env, own, files: {} })
}

/** Writes the files of a part into its own directory, for its user alone. */
async function writePart({ own, files, user }: Part) {
  await mkdir(dirname(own), { recursive: true, mode: 0o711 })
  await mkdir(own, { recursive: true, mode: 0o700 })
  const paths = Object.keys(files).map((name) => join(own, name))
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(own, name), text, { mode: name.endsWith('.sh') ? 0o700 : 0o600 })
  }
  if (user !== undefined) for (const path of [own, ...paths]) await chown(path, user.uid, user.gid)
}

/** Finds the user for etcd, PostgreSQL and HAProxy when root starts them: PostgreSQL refuses to run as root. */
function findUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const wanted of ['postgres', 'nobody']) {
    const [name, , uid, gid] = lines.find((line) => line.startsWith(`${wanted}:`))?.split(':') ?? []
    if (name !== undefined) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new Error(
    'PostgreSQL does not run as root, and there is no user "postgres": start this as a plain user',
  )
}

// ── Supervisor ──

type Running = Map<string, ChildProcess>

/** Runs all parts until SIGTERM. A part that ends is started again, unless `held.json` names it (SIGHUP reads it). */
export async function supervise(directory: string): Promise<void> {
  const trial = openTrial(directory)
  const parts = listParts(trial)
  for (const each of parts) await writePart(each)
  const running: Running = new Map()
  let isStopping = false

  const start = (each: Part) => {
    if (isStopping || running.has(each.name) || readHeld(directory).includes(each.name)) return
    const child = launch(directory, each)
    running.set(each.name, child)
    void writePids(directory, running)
    child.once('exit', () => {
      running.delete(each.name)
      void writePids(directory, running)
      setTimeout(start, RESTART_AFTER_MS, each)
    })
  }
  process.on('SIGHUP', () => parts.forEach(start))
  const stopped = new Promise((resolve) => process.once('SIGTERM', resolve))
  await writeFile(join(directory, 'supervisor.pid'), String(process.pid))
  const isService = ({ kind }: Part) => kind === 'service'
  parts.filter((each) => !isService(each)).forEach(start)
  // A service without a database ends again, and is started again for nothing.
  await Promise.race([stopped, untilLeader(trial.config)])
  parts.forEach(start)
  await stopped
  isStopping = true
  // The service first and etcd last: each part stops while what it needs is there.
  for (const kind of KINDS.toReversed()) {
    const some = parts.filter((each) => each.kind === kind).map(({ name }) => running.get(name))
    await Promise.all(some.filter((child) => child !== undefined).map(stopChild))
  }
}

async function untilLeader(config: Config) {
  while ((await observe(config)).leader === undefined) await delay(500)
}

function launch(directory: string, { name, command: [program = '', ...args], env, user }: Part) {
  const log = openSync(join(directory, 'log', `${name}.log`), 'a')
  const inherited = { PATH: `${process.env.PATH}:/usr/sbin:/usr/bin`, LANG: 'C.UTF-8' }
  const child = spawn(program, args, {
    cwd: '/',
    env: { ...inherited, ...env },
    stdio: ['ignore', log, log],
    // A group of its own: signals of a terminal reach the supervisor alone.
    detached: true,
    ...user,
  })
  closeSync(log)
  child.once('error', () => child.emit('exit'))
  return child
}

async function stopChild(child: ChildProcess) {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS)
  await ended
  clearTimeout(timer)
}

let writing = Promise.resolve()

function writePids(directory: string, running: Running) {
  const pids = Object.fromEntries([...running].map(([name, { pid }]) => [name, pid]))
  const file = join(directory, 'pids.json')
  writing = writing.then(async () => {
    await writeFile(`${file}.new`, JSON.stringify(pids))
    await rename(`${file}.new`, file)
  })
  return writing
}

// ── Commands to the supervisor ──

async function readPids(directory: string) {
  const text = await readFile(join(directory, 'pids.json'), 'utf8').catch(() => '{}')
  return JSON.parse(text) as Record<string, number>
}

function readHeld(directory: string) {
  const file = join(directory, 'held.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as string[]) : []
}

/** Keeps parts down after they ended, or lets them start again. */
export async function hold(directory: string, names: readonly string[], isHeld: boolean): Promise<void> {
  const others = readHeld(directory).filter((name) => !names.includes(name))
  await writeFile(join(directory, 'held.json'), JSON.stringify(isHeld ? [...others, ...names] : others))
  if (!isHeld) signal(await supervisorPid(directory), 'SIGHUP')
}

export async function supervisorPid(directory: string): Promise<number | undefined> {
  const pid = Number(await readFile(join(directory, 'supervisor.pid'), 'utf8').catch(() => ''))
  return pid > 0 && isSupervisor(pid, directory) ? pid : undefined
}

/** Tells whether the process is this trial's supervisor: after a crash its number may belong to another process. */
function isSupervisor(pid: number, directory: string) {
  return readProcess(pid, 'cmdline').split('\0').includes(directory)
}

function belongsTo(pid: number, directory: string) {
  return ['cmdline', 'environ'].some((file) => readProcess(pid, file).includes(`${directory}/`))
}

function readProcess(pid: number, file: string) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    // The process has ended.
    return ''
  }
}

/**
 * Kills processes of a part as a power failure does, in one go. PostgreSQL's processes are children of its first one,
 * each in a session of its own.
 */
export async function killPart(directory: string, each: Part): Promise<number[]> {
  const pid = (await readPids(directory))[each.name]
  const killed = pid !== undefined && belongsTo(pid, directory) ? [pid] : []
  if (each.data !== undefined) killed.push(...(await postgresProcesses(each.data)))
  for (const one of killed) signal(one, 'SIGKILL')
  return killed
}

async function postgresProcesses(data: string) {
  const [line] = (await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  const first = Number(line)
  if (!(first > 0) || !readProcess(first, 'cmdline').includes(data)) return []
  const children = readProcess(first, `task/${first}/children`).trim()
  return [first, ...children.split(' ').filter(Boolean).map(Number)]
}

function signal(pid: number | undefined, name: NodeJS.Signals) {
  try {
    if (pid !== undefined) process.kill(pid, name)
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ESRCH'
    if (!isGone) throw error
  }
}

/** Stops the supervisor and everything that it runs, and kills what a supervisor that was killed left behind. */
export async function stopTrial(directory: string): Promise<void> {
  const pid = await supervisorPid(directory)
  signal(pid, 'SIGTERM')
  while (pid !== undefined && isSupervisor(pid, directory)) await delay(100)
  for (const each of listParts(openTrial(directory))) await killPart(directory, each)
  await writeFile(join(directory, 'held.json'), '[]')
}
