import { readFileSync } from 'node:fs'
import { assert, describe, expect, it } from 'vitest'
import { machineFiles } from '../../../deploy/cluster/src/machine.ts'
import { makeSecrets, readConfig, readSecrets } from '../../../deploy/cluster/src/plan.ts'

// Files of deploy/cluster for real machines. `npm run test:cluster` runs the same templates.

const EXAMPLE = readFileSync(new URL('../../../deploy/cluster/cluster.example.json', import.meta.url), 'utf8')
const SECRETS = makeSecrets()

type Example = { machines: { name: string; postgres: boolean }[] }
const GIVEN = JSON.parse(EXAMPLE) as Example
const changed = (changes: object) => JSON.stringify({ ...GIVEN, ...changes })

function filesOf(name: string, text = EXAMPLE) {
  const config = readConfig(text)
  const machine = config.machines.find((each) => each.name === name)
  assert(machine !== undefined)
  const files = machineFiles(config, machine, SECRETS, '/usr/lib/postgresql/15/bin')
  return files
}

function textOf(name: string, path: string, text = EXAMPLE) {
  return filesOf(name, text).find((file) => file.path === path)?.text ?? ''
}

describe('the files of a machine', () => {
  it('have no place that was not filled, and no secret that others may read', () => {
    for (const name of ['one', 'two', 'three']) {
      for (const { path, text, mode } of filesOf(name)) {
        expect(text, path).not.toContain('{{')
        const hasSecret = Object.values(SECRETS).some((secret) => text.includes(secret))
        expect([path, hasSecret && (mode & 0o077) !== 0]).toEqual([path, false])
      }
    }
  })

  it('acknowledge a commit when the standby has it, and let nobody else lead', () => {
    const text = textOf('one', '/etc/patroni/config.yml')
    expect(text).toMatch(/^ {4}synchronous_mode: true$/m)
    expect(text).toMatch(/^ {4}synchronous_mode_strict: false$/m)
    expect(text).toMatch(/^ {8}synchronous_commit: 'on'$/m)
    const strict = textOf('one', '/etc/patroni/config.yml', changed({ strict: true }))
    expect(strict).toMatch(/^ {4}synchronous_mode_strict: true$/m)
  })

  it('let a leader that has lost etcd go on while the other server hears it', () => {
    const text = textOf('one', '/etc/patroni/config.yml')
    expect(text).toMatch(/^ {4}failsafe_mode: true$/m)
    expect(text).toMatch(/^ {2}connect_address: 10\.0\.0\.11:8008$/m)
  })

  it('admit to the database the machines of the cluster alone, with a password', () => {
    const text = textOf('two', '/etc/patroni/config.yml')
    const rules = text.split('\n').filter((line) => /^ {4}- (host|local) /.test(line))
    const hosts = ['127.0.0.1', '10.0.0.11', '10.0.0.12', '10.0.0.13']
    expect(rules).toEqual([
      '    - local all all scram-sha-256',
      ...hosts.map((host) => `    - host all all ${host}/32 scram-sha-256`),
      ...hosts.slice(0, 3).map((host) => `    - host replication replicator ${host}/32 scram-sha-256`),
    ])
  })

  it('lead each HAProxy to both servers, and cut the connections to one that stops leading', () => {
    for (const name of ['one', 'two', 'three']) {
      const text = textOf(name, '/etc/haproxy/haproxy.cfg')
      expect(text).toContain('server one 10.0.0.11:5432 check addr 10.0.0.11 port 8008')
      expect(text).toContain('server two 10.0.0.12:5432 check addr 10.0.0.12 port 8008')
      expect(text).toContain('on-marked-down shutdown-sessions')
      expect(text).toContain('server three 10.0.0.13:3000 check')
    }
  })

  it('run Patroni on the machines that have a server, and nowhere else', () => {
    const patroni = (name: string) =>
      filesOf(name)
        .map(({ path }) => path)
        .filter((path) => path.includes('patroni'))
    expect(patroni('one').length).toBeGreaterThan(0)
    expect(patroni('three')).toEqual([])
  })
})

describe('a configuration is refused', () => {
  const { machines } = GIVEN
  it.each([
    ['an even number of machines', { machines: machines.slice(0, 2) }, 'odd number'],
    [
      'one server alone',
      { machines: machines.map((each) => ({ ...each, postgres: each.name === 'one' })) },
      'two',
    ],
    ['two machines of one name', { machines: machines.map((each) => ({ ...each, name: 'one' })) }, 'twice'],
    ['a missing port', { ports: { etcdClients: 2379 } }, 'no port etcdPeers'],
    ['a host of two lines', { machines: machines.map((each) => ({ ...each, host: 'a\nb' })) }, 'host is'],
  ])('%s', (_, changes, message) => {
    expect(() => readConfig(changed(changes))).toThrow(message)
  })

  it('with a secret that would end a line or a quotation', () => {
    expect(() => readSecrets(JSON.stringify({ ...SECRETS, database: `${SECRETS.database}'` }))).toThrow(
      'database',
    )
    expect(readSecrets(JSON.stringify(SECRETS))).toEqual(SECRETS)
  })
})
