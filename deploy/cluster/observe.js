// State of a cluster, asked of its own parts: each Patroni says whether its server leads, etcd whether it has a
// majority and which standby may take over, and the service whether it is ready.
import { connect } from 'node:net'

const ANSWER_WITHIN_MS = 3_000

/** Asks every machine. A part that does not answer is undefined. */
export async function observe(config) {
  const synchronous = await readSynchronous(config)
  const machines = await Promise.all(config.machines.map((machine) => observeMachine(machine, synchronous)))
  const nameOf = (role) => machines.find(({ postgres }) => postgres === role)?.name
  return { leader: nameOf('leader'), standby: nameOf('synchronous standby'), machines }
}

/**
 * Reads from etcd which standbys may take over. A standby's own Patroni knows it from its last loop: for some seconds
 * it calls itself synchronous although the leader has already noted that it goes on alone.
 */
async function readSynchronous({ name, machines }) {
  const body = JSON.stringify({ key: btoa(`/service/${name}/sync`) })
  const urls = machines.map(({ host, ports }) => `http://${host}:${ports.etcdClients}/v3/kv/range`)
  const answers = await Promise.all(urls.map((url) => get(url, { method: 'POST', body })))
  const answer = answers.find((each) => each?.status === 200)
  const [pair] = answer === undefined ? [] : (JSON.parse(answer.text).kvs ?? [])
  if (pair?.value === undefined) return []
  return (JSON.parse(atob(pair.value)).sync_standby ?? '').split(',')
}

async function observeMachine({ name, host, ports, postgres }, synchronous) {
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
async function roleOf(patroni, maySucceed) {
  const [primary, sync] = await Promise.all([get(`${patroni}/primary`), get(`${patroni}/synchronous`)])
  if (primary?.status === 200) return 'leader'
  if (maySucceed && sync?.status === 200) return 'synchronous standby'
  return primary === undefined ? undefined : 'not ready'
}

async function etcdState(url) {
  const answer = await get(`${url}/v3/maintenance/status`, { method: 'POST', body: '{}' })
  if (answer?.status !== 200) return undefined
  const { leader = '0', header } = JSON.parse(answer.text)
  if (leader === '0') return 'no majority'
  return leader === header.member_id ? 'leader' : 'member'
}

/** Tells whether everything runs, and the standby has everything that was acknowledged. */
export function isWhole({ leader, standby, machines }) {
  const isRunning = ({ postgres, etcd, haproxy, service }) =>
    postgres !== undefined && (etcd === 'leader' || etcd === 'member') && haproxy && service === 'ready'
  return leader !== undefined && standby !== undefined && machines.every(isRunning)
}

export function describe({ leader, standby, machines }) {
  const columns = ['name', 'etcd', 'postgres', 'haproxy', 'service']
  const lines = [columns, ...machines.map((machine) => columns.map((column) => machine[column] ?? 'down'))]
  const widths = columns.map((_, column) => Math.max(...lines.map((line) => line[column].length)))
  const pad = (line) => line.map((cell, column) => cell.padEnd(widths[column])).join('  ')
  const summary = `leader: ${leader ?? 'none'}; synchronous standby: ${standby ?? 'none'}`
  return `${lines.map((line) => pad(line).trimEnd()).join('\n')}\n${summary}\n`
}

/** Tells whether somebody listens: the clients' port may speak TLS under a name that is not this address. */
function accepts(host, port) {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: ANSWER_WITHIN_MS })
    const end = (isAccepted) => {
      socket.destroy()
      resolve(isAccepted)
    }
    socket.once('connect', () => end(true))
    socket.once('timeout', () => end(false))
    socket.once('error', () => end(false))
  })
}

async function get(url, options = {}) {
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
