import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { TcpProxy } from '../faults/tcp-proxy.ts'
import { startTcpProxy } from '../faults/tcp-proxy.ts'
import { environmentOf, runWarungd, warungd } from '../service.ts'

// A trial cluster of deploy/cluster, driven by its command as an operator drives it. Proxies stand in its links.

const run = promisify(execFile)
const COMMAND = fileURLToPath(new URL('../../../../deploy/cluster/cluster.js', import.meta.url))

type Machine = { name: string; host: string; postgres: boolean; ports: Record<string, number> }
type Config = { machines: Machine[]; environment: Record<string, string>; via?: Via[] }
type Via = { from: string; to: string; address: string }

export type State = {
  leader?: string
  standby?: string
  isWhole: boolean
  machines: { name: string; etcd?: string; service?: string }[]
}

export type Trial = {
  /** Addresses of the clients: a HAProxy on each machine. */
  readonly fronts: readonly string[]
  /** Addresses of the nodes of the service themselves. */
  readonly services: Readonly<Record<string, string>>
  readonly databaseUrl: string
  state(): Promise<State>
  /** Waits until everything runs, and the standby has everything that was acknowledged. */
  untilWhole(): Promise<State>
  /** Kills parts; resolves with the time at which they were killed. `stay`: they stay down until `start`. */
  kill(name: string, options?: { stay: boolean }): Promise<{ killed: string[]; atMs: number }>
  start(name: string): Promise<void>
  /** Makes links silent, also for connections that are opened later; returns what makes them whole again. */
  cut(isLink: (link: Pick<Via, 'from' | 'to'>) => boolean): { atMs: number; restore(): void }
  /** Runs the operator's command. */
  warungd<T = Record<string, unknown>>(...args: string[]): Promise<T>
  /** Runs the operator's command as a person does; returns what it prints, with any result. */
  print(...args: string[]): Promise<string>
  end(): Promise<void>
}

/** Lists the links that tests cut. The names are those of deploy/cluster/src/plan.ts. */
function linksOf({ machines }: Config): { from: string; to: string; port: string; target: Machine }[] {
  const databases = machines.filter(({ postgres }) => postgres)
  return [
    ...databases.map((target) => ({
      from: 'postgres',
      to: `${target.name}.postgres`,
      port: 'postgres',
      target,
    })),
    ...databases.map((target) => ({
      from: 'patroni',
      to: `${target.name}.patroni`,
      port: 'patroni',
      target,
    })),
    ...machines.map((target) => ({ from: 'etcd', to: `${target.name}.etcd`, port: 'etcdPeers', target })),
    ...databases.flatMap(({ name }) =>
      machines.map((target) => ({
        from: `${name}.patroni`,
        to: `${target.name}.etcd`,
        port: 'etcdClients',
        target,
      })),
    ),
    ...machines.flatMap(({ name }) =>
      databases.flatMap((target) => [
        { from: `${name}.haproxy`, to: `${target.name}.postgres`, port: 'postgres', target },
        { from: `${name}.haproxy`, to: `${target.name}.patroni`, port: 'patroni', target },
      ]),
    ),
    ...machines.map((target) => ({
      from: `${target.name}.service`,
      to: `${target.name}.database`,
      port: 'database',
      target,
    })),
  ]
}

/** Starts a cluster whose services have these settings besides their own. */
export async function startTrial(environment: Record<string, string>): Promise<Trial> {
  const directory = await mkdtemp(join(tmpdir(), 'warung-cluster-'))
  const command = async (...args: string[]) => {
    const { stdout } = await run(process.execPath, [COMMAND, ...args, '--directory', directory])
    return stdout
  }
  await command('prepare')
  const file = join(directory, 'cluster.json')
  const config = JSON.parse(await readFile(file, 'utf8')) as Config
  const links: (Pick<Via, 'from' | 'to'> & { proxy: TcpProxy })[] = []
  for (const { from, to, port, target } of linksOf(config)) {
    links.push({
      from,
      to,
      proxy: await startTcpProxy({ host: target.host, port: Number(target.ports[port]) }),
    })
  }
  config.via = links.map(({ from, to, proxy }) => ({ from, to, address: `127.0.0.1:${proxy.port}` }))
  config.environment = { ...config.environment, ...environment }
  await writeFile(file, JSON.stringify(config))
  const end = async () => {
    await command('down')
    await Promise.all(links.map(({ proxy }) => proxy.close()))
    await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
  try {
    await command('up')
  } catch (error) {
    await end()
    throw error
  }
  return {
    ...(await describeTrial(directory, config, command)),
    cut: (isLink) => cut(links.filter(isLink)),
    end,
  }
}

function cut(links: readonly { proxy: TcpProxy }[]): { atMs: number; restore(): void } {
  if (links.length === 0) throw new Error('there is no such link')
  for (const { proxy } of links) {
    proxy.pause('to_server')
    proxy.pause('to_client')
  }
  return {
    atMs: Date.now(),
    restore() {
      for (const { proxy } of links) {
        proxy.resume('to_server')
        proxy.resume('to_client')
      }
    },
  }
}

const WHOLE_WITHIN_MS = 240_000
const LOOK_EVERY_MS = 1_000

async function describeTrial(
  directory: string,
  { machines, environment }: Config,
  command: (...args: string[]) => Promise<string>,
): Promise<Omit<Trial, 'cut' | 'end'>> {
  const secrets = JSON.parse(await readFile(join(directory, 'secrets.json'), 'utf8')) as Record<
    string,
    string
  >
  const [first] = machines
  if (first === undefined) throw new Error('a cluster has machines')
  const databaseUrl = `postgres://warung:${secrets.database}@127.0.0.1:${first.ports.database}/warung`
  // A state that is not whole ends the command with another code; its output is the state all the same.
  const state = async () => {
    const output = await command('status', '--json').catch((error: { stdout?: string }) => error.stdout ?? '')
    return JSON.parse(output) as State
  }
  const commands = environmentOf(
    {
      environment: { ...environment, DATABASE_URL: databaseUrl, WARUNG_MASTER_KEY: secrets.masterKey ?? '' },
    },
    join(directory, 'commands'),
  )
  const addressOf = ({ host, ports }: Machine, port: string) => `http://${host}:${ports[port]}`
  return {
    fronts: machines.map((machine) => addressOf(machine, 'clients')),
    services: Object.fromEntries(machines.map((machine) => [machine.name, addressOf(machine, 'service')])),
    databaseUrl,
    state,
    async untilWhole() {
      const giveUpAtMs = Date.now() + WHOLE_WITHIN_MS
      for (let now = await state(); ; now = await state()) {
        if (now.isWhole) return now
        if (Date.now() > giveUpAtMs) throw new Error(`the cluster is not whole: ${JSON.stringify(now)}`)
        // Each look is a process of its own, on a machine that is busy.
        await delay(LOOK_EVERY_MS)
      }
    },
    async kill(name, { stay } = { stay: false }) {
      const output = await command('kill', name, '--json', ...(stay ? ['--stay'] : []))
      return JSON.parse(output) as { killed: string[]; atMs: number }
    },
    start: async (name) => void (await command('start', name)),
    warungd: (...args) => warungd(commands, args),
    async print(...args) {
      const { stdout, stderr } = await runWarungd(commands, args)
      return `${stdout}${stderr}`
    },
  }
}
