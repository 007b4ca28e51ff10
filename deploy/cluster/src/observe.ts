// State of a cluster, asked of its own parts: each Patroni says whether its server leads, etcd whether it has a
// majority and which standby may take over, and the service whether it is ready.
import { connect } from 'node:net'
import type { Config, Machine } from './plan.ts'

const ANSWER_WITHIN_MS = 3_000

/** State of a machine. A part that does not answer is undefined. */
type Observed = {
  name: string
  postgres: string | undefined
  etcd: string | undefined
  haproxy: string | undefined
  service: string | undefined
}
/** State of a cluster: the machines that lead and may take over, and all machines. */
export type State = { leader: string | undefined; standby: string | undefined; machines: Observed[] }

/** Asks every machine. */
export async function observe(config: Config): Promise<State> {
  const synchronous = await readSynchronous(config)
  const machines = await Promise.all(config.machines.map((machine) => observeMachine(machine, synchronous)))
  const nameOf = (role: string) => machines.find(({ postgres }) => postgres === role)?.name
  return { leader: nameOf('leader'), standby: nameOf('synchronous standby'), machines }
}

/**
 * Reads from etcd which standbys may take over. A standby's own Patroni knows it from its last loop: for some seconds
 * it calls itself synchronous although the leader has already noted that it goes on alone.
 */
async function readSynchronous({ name, machines }: Config) {
  const body = JSON.stringify({ key: btoa(`/service/${name}/sync`) })
  const urls = machines.map(({ host, ports }) => `http://${host}:${ports.etcdClients}/v3/kv/range`)
  const answers = await Promise.all(urls.map((url) => get(url, { method: 'POST', body })))
  const answer = answers.find((each) => each?.status === 200)
  const { kvs = [] } = JSON.parse(answer?.text ?? '{}') as { kvs?: { value?: string }[] }
  const [pair] = kvs
  if (pair?.value === undefined) return []
  const { sync_standby: standbys } = JSON.parse(atob(pair.value)) as { sync_standby?: string | null }
  return (standbys ?? '').split(',')
}

async function observeMachine(
  { name, host, ports, postgres }: Machine,
  synchronous: readonly string[],
): Promise<Observed> {
  const [server, etcd, haproxy, service] = await Promise.all([
    postgres ? roleOf(`http://${host}:${ports.patroni}`, synchronous.includes(name)) : '-',
    etcdState(`http://${host}:${ports.etcdClients}`),
    accepts(host, ports.clients),
    get(`http://${host}:${ports.service}/readyz`),
  ])
  return {
    name,
    postgres: server,
    etcd,
    haproxy: haproxy ? 'running' : undefined,
    service: service === undefined ? undefined : service.status === 200 ? 'ready' : 'not ready',
  }
}

/** Asks Patroni itself: the list in etcd shows a dead server until its key runs out. */
async function roleOf(patroni: string, maySucceed: boolean) {
  const [primary, sync] = await Promise.all([get(`${patroni}/primary`), get(`${patroni}/synchronous`)])
  if (primary?.status === 200) return 'leader'
  if (maySucceed && sync?.status === 200) return 'synchronous standby'
  return primary === undefined ? undefined : 'not ready'
}

async function etcdState(url: string) {
  const answer = await get(`${url}/v3/maintenance/status`, { method: 'POST', body: '{}' })
  if (answer?.status !== 200) return undefined
  const { leader = '0', header } = JSON.parse(answer.text) as {
    leader?: string
    header: { member_id: string }
  }
  if (leader === '0') return 'no majority'
  return leader === header.member_id ? 'leader' : 'member'
}

/** Tells whether everything runs, and the standby has everything that was acknowledged. */
export function isWhole({ leader, standby, machines }: State): boolean {
  const isRunning = ({ postgres, etcd, haproxy, service }: Observed) =>
    postgres !== undefined &&
    (etcd === 'leader' || etcd === 'member') &&
    haproxy !== undefined &&
    service === 'ready'
  return leader !== undefined && standby !== undefined && machines.every(isRunning)
}

export function describe({ leader, standby, machines }: State): string {
  const columns = ['name', 'etcd', 'postgres', 'haproxy', 'service'] as const
  const lines = [columns, ...machines.map((machine) => columns.map((column) => machine[column] ?? 'down'))]
  const widths = columns.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  const pad = (line: readonly string[]) => line.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')
  const summary = `leader: ${leader ?? 'none'}; synchronous standby: ${standby ?? 'none'}`
  return `${lines.map((line) => pad(line).trimEnd()).join('\n')}\n${summary}\n`
}

/** Tells whether somebody listens: the clients' port may speak TLS under a name that is not this address. */
function accepts(host: string, port: number) {
  return new Promise<boolean>((resolve) => {
    const socket = connect({ host, port, timeout: ANSWER_WITHIN_MS })
    const end = (isAccepted: boolean) => {
      socket.destroy()
      resolve(isAccepted)
    }
    socket.once('connect', () => end(true))
    socket.once('timeout', () => end(false))
    socket.once('error', () => end(false))
  })
}

async function get(url: string, options: RequestInit = {}) {
  const giveUp = new AbortController()
  // A timer of AbortSignal.timeout would not keep the process alive, which then ends in the middle of a question.
  const timer = setTimeout(() => giveUp.abort(), ANSWER_WITHIN_MS)
  try {
    const answer = await fetch(url, { ...options, signal: giveUp.signal })
    return { status: answer.status, text: await answer.text() }
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
  }
}
