// Plan of a cluster: what runs where, under which addresses, and with which files. Nothing here starts anything.
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const TEMPLATES = new URL('../templates/', import.meta.url)
const NAME = /^[a-z][a-z0-9-]{0,30}$/
const SECRET = /^[A-Za-z0-9+/=]{16,100}$/
export const PORTS = [
  'etcdClients',
  'etcdPeers',
  'postgres',
  'patroni',
  'database',
  'clients',
  'service',
] as const
export type Port = (typeof PORTS)[number]
export type Machine = { name: string; host: string; postgres: boolean; ports: Record<Port, number> }
/** Cluster as its parts are told: cluster.json with what it leaves out. */
export type Config = {
  name: string
  machines: Machine[]
  /** Addresses that replace single ones. */
  via: { from: string; to: string; address: string }[]
  strict: boolean
  maxConnections: number
  sharedBuffers?: string
  /** File with the certificate and key of the clients' address. */
  certificate?: string
  /** Settings of the services of a trial. */
  environment?: Record<string, string>
}
export type Secrets = ReturnType<typeof makeSecrets>
/** Directories and files of a server. */
export type Places = {
  data: string
  binaries: string
  sockets: string
  pgpass: string
  createDatabase: string
}

/** cluster.json as a person may have written it: nothing of it is certain. */
type Given = Partial<Omit<Config, 'machines' | 'strict'>> & {
  machines?: GivenMachine[]
  ports?: Partial<Record<Port, number>>
  strict?: unknown
}
type GivenMachine = Partial<Omit<Machine, 'ports'>> & { ports?: Partial<Record<Port, number>> }

/** Checks a configuration. Each machine gets its own copy of the ports. */
export function readConfig(text: string): Config {
  const config = JSON.parse(text) as Given
  const { name, machines = [], ports = {}, via = [], strict = false, maxConnections = 200 } = config
  if (name === undefined || !NAME.test(name)) throw new Error('name: lower-case letters, digits and hyphens')
  if (machines.length < 3 || machines.length % 2 === 0)
    throw new Error('machines: an odd number, three at least, so that a majority decides who leads')
  if (machines.filter(({ postgres }) => postgres).length < 2)
    throw new Error('machines: two of them at least with "postgres": true')
  const complete = machines.map((machine) => ({ ...machine, ports: { ...ports, ...machine.ports } }))
  const checked = complete.map((machine) => checkMachine(machine, complete))
  return { ...config, name, machines: checked, via, strict: strict === true, maxConnections }
}

function checkMachine(machine: GivenMachine, machines: readonly GivenMachine[]): Machine {
  const { name, host, postgres = false, ports = {} } = machine
  const at = `machine ${name}`
  if (name === undefined || !NAME.test(name))
    throw new Error(`${at}: a name of lower-case letters, digits and hyphens`)
  if (machines.filter((each) => each.name === name).length > 1) throw new Error(`${at}: twice`)
  if (host === undefined || !/^[a-zA-Z0-9.-]+$/.test(host))
    throw new Error(`${at}: host is an IPv4 address or a name`)
  const isPort = (port = 0) => port > 0 && port < 65_536
  const wrong = PORTS.filter((port) => !isPort(ports[port]))
  if (wrong.length > 0) throw new Error(`${at}: no port ${wrong.join(', ')}`)
  return { name, host, postgres, ports: ports as Machine['ports'] }
}

/** Makes the secrets of a cluster. Every machine has the same. */
export function makeSecrets() {
  const password = () => randomBytes(24).toString('hex')
  return {
    superuser: password(),
    replication: password(),
    rewind: password(),
    restApi: password(),
    database: password(),
    masterKey: randomBytes(32).toString('base64'),
  }
}

export function readSecrets(text: string): Secrets {
  const secrets = JSON.parse(text) as Partial<Record<string, string>>
  for (const name of Object.keys(makeSecrets()))
    if (!SECRET.test(secrets[name] ?? ''))
      throw new Error(`secrets: ${name} is missing, or has other characters`)
  return secrets as Secrets
}

/** Finds PostgreSQL's programs where Debian puts them: the newest version. */
export function findBinaries(root = '/usr/lib/postgresql'): string {
  const versions = readdirSync(root).filter((name) => /^\d+$/.test(name))
  const [newest] = versions.map(Number).sort((a, b) => b - a)
  if (newest === undefined) throw new Error(`no PostgreSQL in ${root}`)
  return join(root, String(newest), 'bin')
}

/**
 * Returns the address under which `from` reaches `to`. The list `via` replaces single ones: machines behind address
 * translation, and tests that cut single links.
 */
function reach(config: Config, from: string, to: string, address: string) {
  const found = config.via.find((link) => link.from === from && link.to === to)
  return found?.address ?? address
}

const withPort = (machine: Machine, port: Port) => `${machine.host}:${machine.ports[port]}`
const postgresMachines = ({ machines }: Config) => machines.filter(({ postgres }) => postgres)

/** Address of the database for the service of this machine: the HAProxy beside it. */
function databaseUrl(config: Config, machine: Machine, secrets: Secrets) {
  const beside = `127.0.0.1:${machine.ports.database}`
  const address = reach(config, `${machine.name}.service`, `${machine.name}.database`, beside)
  return `postgres://${DATABASE.user}:${secrets.database}@${address}/${DATABASE.name}`
}

const DATABASE = { user: 'warung', name: 'warung' }

/** Settings of the service that a cluster decides. */
export function serviceSettings(config: Config, machine: Machine, secrets: Secrets): Record<string, string> {
  return {
    WARUNG_HOST: machine.host,
    WARUNG_PORT: String(machine.ports.service),
    WARUNG_TRUST_PROXY: [...new Set(config.machines.map(({ host }) => host))].join(','),
    WARUNG_MASTER_KEY: secrets.masterKey,
    DATABASE_URL: databaseUrl(config, machine, secrets),
  }
}

// ── Files ──

export function etcdFile(config: Config, machine: Machine, { data }: { data: string }): string {
  const peer = (each: Machine) => reach(config, 'etcd', `${each.name}.etcd`, withPort(each, 'etcdPeers'))
  return fill('etcd.env', {
    cluster: config.name,
    machine: machine.name,
    data,
    host: machine.host,
    clientPort: machine.ports.etcdClients,
    peerPort: machine.ports.etcdPeers,
    advertisedPeer: peer(machine),
    members: config.machines.map((each) => `${each.name}=http://${peer(each)}`).join(','),
  })
}

export function patroniFile(config: Config, machine: Machine, secrets: Secrets, places: Places): string {
  const { name, host, ports } = machine
  const links = config.machines.map((each) => {
    const direct = withPort(each, 'etcdClients')
    return { direct, used: reach(config, `${name}.patroni`, `${each.name}.etcd`, direct) }
  })
  const isBehindProxies = links.some(({ direct, used }) => direct !== used)
  return fill('patroni.yml', {
    cluster: config.name,
    machine: name,
    host,
    restPort: ports.patroni,
    advertisedPatroni: reach(config, 'patroni', `${name}.patroni`, withPort(machine, 'patroni')),
    restPassword: secrets.restApi,
    etcdHosts: links.map(({ used }) => `'${used}'`).join(', '),
    etcdProxies: isBehindProxies
      ? '  # The addresses that the members tell are not those to use.\n  use_proxies: true\n'
      : '',
    strict: config.strict,
    maxConnections: config.maxConnections,
    postgresPort: ports.postgres,
    advertisedPostgres: reach(config, 'postgres', `${name}.postgres`, withPort(machine, 'postgres')),
    superuserPassword: secrets.superuser,
    replicationPassword: secrets.replication,
    rewindPassword: secrets.rewind,
    hba: hbaLines(config),
    sharedBuffers: config.sharedBuffers ?? '128MB',
    ...places,
  })
}

/** Lists who may connect: the service and Patroni from every machine, replication from those with a server. */
function hbaLines(config: Config) {
  const hosts = (machines: readonly Machine[]) => [
    ...new Set(['127.0.0.1', ...machines.map(({ host }) => host)]),
  ]
  const rule = (database: string, user: string) => (host: string) =>
    `    - host ${database} ${user} ${/^[\d.]+$/.test(host) ? `${host}/32` : host} scram-sha-256`
  return [
    ...hosts(config.machines).map(rule('all', 'all')),
    ...hosts(postgresMachines(config)).map(rule('replication', 'replicator')),
  ].join('\n')
}

export function createDatabaseFile(secrets: Secrets): string {
  return fill('create-database.sh', {
    databaseUser: DATABASE.user,
    databaseName: DATABASE.name,
    databasePassword: secrets.database,
  })
}

export function haproxyFile(config: Config, machine: Machine): string {
  const from = `${machine.name}.haproxy`
  const databases = postgresMachines(config).map((each) => {
    const address = reach(config, from, `${each.name}.postgres`, withPort(each, 'postgres'))
    const check = reach(config, from, `${each.name}.patroni`, withPort(each, 'patroni'))
    const [host, port] = check.split(':')
    return `    server ${each.name} ${address} check addr ${host} port ${port}`
  })
  const services = config.machines.map(
    (each) =>
      `    server ${each.name} ${reach(config, from, `${each.name}.service`, withPort(each, 'service'))} check`,
  )
  const tls = config.certificate ? ` ssl crt ${config.certificate} alpn h2,http/1.1` : ''
  return fill('haproxy.cfg', {
    machine: machine.name,
    databaseBind: `127.0.0.1:${machine.ports.database}`,
    databaseServers: databases.join('\n'),
    clientsBind: `${machine.host}:${machine.ports.clients}${tls}`,
    clientsScheme: config.certificate ? 'https' : 'http',
    serviceServers: services.join('\n'),
  })
}

/** Puts values into a template. A value that is missing is a mistake here, and not an empty line there. */
function fill(template: string, values: Record<string, string | number | boolean>) {
  const text = readFileSync(new URL(template, TEMPLATES), 'utf8')
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    if (values[name] === undefined) throw new Error(`${template}: no value for ${name}`)
    return String(values[name])
  })
}
