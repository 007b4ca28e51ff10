import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { makeDirectory, newMasterKey, runWarungd } from '../service.ts'
import { hasTool, toolPath } from '../tools/installed.ts'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))

async function readDeploy(name: string): Promise<string> {
  return readFile(join(ROOT, 'deploy', name), 'utf8')
}

describe('the settings of deploy/warung.env.example', () => {
  it('are all known, and complete once the master key is there', async () => {
    const environment = {
      PATH: process.env.PATH,
      ...(await readBySystemd()),
      WARUNG_DATA_DIR: await makeDirectory(),
      WARUNG_MASTER_KEY: newMasterKey(),
    }
    const { code, stdout, stderr } = await runWarungd(environment, ['config'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('https://api.example.com')
    const missing = await runWarungd({ ...environment, WARUNG_MASTER_KEY: '' }, ['config'])
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('WARUNG_MASTER_KEY')])
  })
})

/** Reads the settings as systemd does: a value in double quotes is what is between them. */
async function readBySystemd(): Promise<Record<string, string>> {
  const lines = (await readDeploy('warung.env.example')).split('\n')
  const settings = lines.flatMap((line) => [...line.matchAll(/^([A-Z_]+)=(?:"([^"]*)"|(.*))$/g)])
  return Object.fromEntries(settings.map(([, name = '', quoted, plain]) => [name, quoted ?? plain ?? '']))
}

/** Reads them as the shell does, for the operator's command. */
async function readByShell(): Promise<Record<string, string>> {
  const file = join(ROOT, 'deploy/warung.env.example')
  const command = `set -a; . '${file}'; env -0`
  const { stdout, stderr } = await promisify(execFile)('/bin/sh', ['-c', command], {
    env: { PATH: '/usr/bin:/bin' },
  })
  expect(stderr).toBe('')
  const pairs = stdout.split('\0').map((line) => line.split(/=(.*)/s))
  return Object.fromEntries(pairs.filter(([name = '']) => /^(WARUNG_|DATABASE_)/.test(name)))
}

describe('deploy/systemd/warungd', () => {
  it('gives a command the settings that systemd gives the service', async () => {
    const settings = await readBySystemd()
    expect(Object.keys(settings).length).toBeGreaterThan(10)
    expect(await readByShell()).toEqual(settings)
  })

  it('runs the program that the checkout has, on the data directory of the unit', async () => {
    const command = await readDeploy('systemd/warungd')
    const [, program = ''] = /\$\{WARUNGD_FROM:-\/opt\/warung\}\/([^"]+)"/.exec(command) ?? []
    await expect(readFile(join(ROOT, program), 'utf8')).resolves.toContain('main')
    const [, directory = ''] =
      /^Environment=WARUNG_DATA_DIR=(.+)$/m.exec(await readDeploy('systemd/warung.service')) ?? []
    expect(command).toContain(`WARUNG_DATA_DIR:-${directory}}`)
  })
})

describe('deploy/systemd/warung.service', () => {
  it('starts the program that the checkout has', async () => {
    const unit = await readDeploy('systemd/warung.service')
    const [, program = ''] = /^ExecStart=\S+ \S+ \/opt\/warung\/(\S+) serve$/m.exec(unit) ?? []
    await expect(readFile(join(ROOT, program), 'utf8')).resolves.toContain('main')
  })

  it('lets commands beside it reach the embedded server, and the process list its addresses', async () => {
    const unit = await readDeploy('systemd/warung.service')
    expect(unit).toMatch(/^PrivateTmp=yes$/m)
    expect(unit).toMatch(/^RuntimeDirectory=warung$/m)
    expect(unit).toMatch(/^RestrictAddressFamilies=.*\bAF_NETLINK\b/m)
  })

  it.runIf(hasTool('systemd')).each([
    ['systemd', ['warung.service', 'warung-backup.service', 'warung-backup.timer']],
    ['postgresql', ['warung-backup.service', 'warung-wal.service']],
  ])('is a unit without mistakes, and so are those of backups in %s', async (folder, units) => {
    const paths = units.map((name) => join(ROOT, 'deploy', folder, name))
    const { stderr } = await promisify(execFile)(toolPath('systemd'), ['verify', ...paths])
    const problems = stderr.split('\n').filter((line) => /warung(-backup|-wal)?\.(service|timer)/.test(line))
    // Programs may be at another place on this machine.
    expect(problems.filter((line) => !line.includes('is not executable'))).toEqual([])
  })
})

describe('the two Caddyfiles', () => {
  it('differ in the address of the service alone', async () => {
    const rules = (text: string) =>
      text.split('\n').filter((line) => !line.trim().startsWith('#') && line !== '')
    const alone = rules(await readDeploy('caddy/Caddyfile'))
    const composed = rules(await readDeploy('docker/Caddyfile'))
    expect(composed).toEqual(alone.map((line) => line.replace('127.0.0.1:3000', 'warung:3000')))
  })
})

describe('deploy/docker', () => {
  it('trusts the proxy of its own network, and archives the log of its database into the folder of backups', async () => {
    const compose = await readDeploy('docker/compose.yaml')
    const [, network = ''] = /^ {8}- subnet: (\S+)$/m.exec(compose) ?? []
    expect(compose).toContain(`WARUNG_TRUST_PROXY: ${network}`)
    expect(compose).toContain('basic_archive.archive_directory=/backups/wal')
    expect(compose.match(/- backups:\S+/g)).toEqual([
      '- backups:/backups',
      '- backups:/backups',
      '- backups:/var/backups/warung:ro',
    ])
  })

  it('makes the image of the tarball of a release, and lets nothing else of the checkout in', async () => {
    const lines = (await readFile(join(ROOT, '.dockerignore'), 'utf8')).split('\n')
    expect(lines.filter((line) => line !== '' && !line.startsWith('#'))).toEqual([
      '*',
      '!release/warung-*.tgz',
    ])
    const dockerfile = await readDeploy('docker/Dockerfile')
    expect([...dockerfile.matchAll(/^(?:COPY|ADD) (.*)$/gm)].map(([, what]) => what)).toEqual([
      'release/warung-[0-9]*.tgz /opt/',
    ])
    const [, program = ''] = /^CMD \[.*"([^"]+warungd\.js)", "serve"\]$/m.exec(dockerfile) ?? []
    await expect(readFile(join(ROOT, program), 'utf8')).resolves.toContain('main')
  })
})

describe('deploy/prometheus', () => {
  /** Members of a scrape configuration that Prometheus 2.42 knows; it refuses a file with any other. */
  const KNOWN = ['job_name', 'static_configs', 'metrics_path', 'scheme', 'scrape_interval', 'scrape_timeout']

  it('has no member that the version of Debian 12 refuses', async () => {
    const [, jobs = ''] = (await readDeploy('prometheus/prometheus.yml')).split('scrape_configs:\n')
    const members = [...jobs.matchAll(/^ {2}[- ] (\w+):/gm)].map(([, name]) => name)
    expect(members).toContain('static_configs')
    expect(members.filter((name) => !KNOWN.includes(name ?? ''))).toEqual([])
  })

  it.runIf(hasTool('promtool'))('is accepted by promtool, rules included', async () => {
    const file = join(ROOT, 'deploy/prometheus/prometheus.yml')
    const { stdout } = await promisify(execFile)(toolPath('promtool'), ['check', 'config', file])
    expect(stdout).toContain('SUCCESS')
  })
})
