// One real machine of a cluster: the files where Debian's packages read them, and their systemd units.
import { execFileSync } from 'node:child_process'
import { chmod, chown, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Config, Machine, Secrets } from './plan.ts'
import {
  createDatabaseFile,
  etcdFile,
  findBinaries,
  haproxyFile,
  patroniFile,
  serviceSettings,
} from './plan.ts'

const CREATE_DATABASE = '/etc/patroni/create-database.sh'

/** File of a machine; `user` reads it besides root. */
export type MachineFile = { path: string; text: string; mode: number; user?: string }

/** Lists the files of a machine: path, text and mode. */
export function machineFiles(
  config: Config,
  machine: Machine,
  secrets: Secrets,
  binaries = findBinaries(),
): MachineFile[] {
  const settings = Object.entries(serviceSettings(config, machine, secrets))
  const files = [
    {
      path: '/etc/default/etcd',
      text: etcdFile(config, machine, { data: '/var/lib/etcd/warung' }),
      mode: 0o644,
    },
    { path: '/etc/haproxy/haproxy.cfg', text: haproxyFile(config, machine), mode: 0o644 },
    {
      path: '/etc/warung/cluster.env',
      text: `# Settings of the service that the cluster decides. Written by deploy/cluster/cluster.js.\n${settings
        .map(([name, value]) => `${name}=${value}\n`)
        .join('')}`,
      mode: 0o600,
    },
    {
      path: '/etc/systemd/system/warung.service.d/cluster.conf',
      text: '# Written by deploy/cluster/cluster.js.\n[Unit]\nAfter=haproxy.service\n\n[Service]\nEnvironmentFile=/etc/warung/cluster.env\n',
      mode: 0o644,
    },
    {
      path: '/etc/systemd/system/patroni.service.d/cluster.conf',
      // Debian's unit starts Patroni again only after some kinds of end.
      text: '# Written by deploy/cluster/cluster.js.\n[Service]\nRestart=always\nRestartSec=2\n',
      mode: 0o644,
    },
    {
      path: '/etc/systemd/system/etcd.service.d/cluster.conf',
      text: '# Written by deploy/cluster/cluster.js.\n[Service]\nRestart=always\nRestartSec=2\n',
      mode: 0o644,
    },
  ]
  if (!machine.postgres) return files.filter(({ path }) => !path.includes('patroni'))
  const places = {
    data: '/var/lib/postgresql/warung',
    binaries,
    sockets: '/var/run/postgresql',
    pgpass: '/var/lib/postgresql/.pgpass-patroni',
    createDatabase: CREATE_DATABASE,
  }
  return [
    ...files,
    {
      path: '/etc/patroni/config.yml',
      text: patroniFile(config, machine, secrets, places),
      mode: 0o600,
      user: 'postgres',
    },
    { path: CREATE_DATABASE, text: createDatabaseFile(secrets), mode: 0o700, user: 'postgres' },
  ]
}

/** Writes the files below `root`. Only below `/` they are given to the users who read them. */
export async function writeMachine(
  config: Config,
  machine: Machine,
  secrets: Secrets,
  root: string,
): Promise<string[]> {
  const files = machineFiles(config, machine, secrets)
  for (const { path, text, mode, user } of files) {
    const target = join(root, path)
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, text, { mode })
    await chmod(target, mode)
    if (user !== undefined && root === '/') await giveTo(target, user)
  }
  return files.map(({ path }) => join(root, path))
}

async function giveTo(path: string, user: string) {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n')
  const [, , uid, gid] = lines.find((line) => line.startsWith(`${user}:`))?.split(':') ?? []
  if (uid === undefined) throw new Error(`no user ${user}: install the packages first`)
  await chown(path, Number(uid), Number(gid))
}

/** Starts the units of a machine, or starts them again with new files. The service itself comes last. */
export function startUnits(machine: Machine): void {
  const units = ['etcd', ...(machine.postgres ? ['patroni'] : []), 'haproxy', 'warung']
  const systemctl = (...args: string[]) => execFileSync('systemctl', args, { stdio: 'inherit' })
  systemctl('daemon-reload')
  systemctl('enable', ...units)
  for (const unit of units) systemctl(unit === 'haproxy' ? 'reload-or-restart' : 'start', unit)
}
