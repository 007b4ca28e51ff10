import { execFile, execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, assert, beforeAll, describe, expect, it, vi } from 'vitest'
import { notesOf, obstaclesOf, readVersion } from './version.ts'

// Each part of a release, installed into an empty project and used. `npm run release` names the folder that it has just
// made; any other run makes one of the tree as it is.

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../..', import.meta.url))
const { version, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  version: string
  engines: object
}
const folder = mkdtempSync(join(tmpdir(), 'warung-release-test-'))
// The embedded server may run as another user.
chmodSync(folder, 0o755)
const release = process.env.WARUNG_TEST_RELEASE ?? join(folder, 'release')
const part = (name: string) => join(release, name)
// npm asks nobody, and has nothing from an earlier run.
const env = { ...process.env, npm_config_cache: join(folder, 'cache'), npm_config_offline: 'true' }
const services: { stop(): Promise<string> }[] = []

/** Members of demo.json that the tests use. */
type Demo = { base_url: string; resellers: { api_key: string; signing_secret: string }[] }

beforeAll(async () => {
  if (process.env.WARUNG_TEST_RELEASE !== undefined) return
  await run(
    process.execPath,
    ['tools/dist/release/command.js', version, '--allow-dirty', '--no-check', '--out', release],
    { cwd: root },
  )
})

afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()))
  rmSync(folder, { recursive: true, force: true })
})

/** Makes an empty folder below that of the run. */
function project(name: string, manifest?: object) {
  const path = join(folder, name)
  mkdirSync(path)
  if (manifest !== undefined) writeFileSync(join(path, 'package.json'), JSON.stringify(manifest))
  return path
}

/** Starts the service and waits for its demo; `stop` sends SIGTERM. */
async function start(program: string, args: string[], cwd: string, settings: NodeJS.ProcessEnv = {}) {
  const port = await freePort()
  // A group of its own: npx passes no signal on.
  const child = spawn(program, args, {
    cwd,
    env: { ...env, ...settings, WARUNG_PORT: String(port) },
    detached: true,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text))
  // Closed when the service has ended, not npx alone.
  const ended = new Promise((resolve) => child.once('close', resolve))
  const stop = async () => {
    const { pid } = child
    if (pid !== undefined && child.exitCode === null && child.signalCode === null)
      process.kill(-pid, 'SIGTERM')
    await ended
    return output
  }
  services.push({ stop })
  await vi.waitFor(() => expect(output).toContain('Warung is ready.'), { timeout: 150_000, interval: 100 })
  const demo = JSON.parse(readFileSync(join(cwd, '.warung', 'demo.json'), 'utf8')) as Demo
  return { demo, stop }
}

function freePort() {
  return new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}

async function install(cwd: string, file: string) {
  await run('npm', ['install', '--no-audit', '--no-fund', file], { cwd, env })
}

function settingsOf({ base_url: baseUrl, resellers: [reseller] }: Demo) {
  assert(reseller !== undefined)
  return { baseUrl, apiKey: reseller.api_key, signingSecret: reseller.signing_secret }
}

describe('a release', () => {
  it('consists of these files, each with its sum', () => {
    const names = [
      'SHA256SUMS',
      'release-notes.md',
      `warung-${version}-py3-none-any.whl`,
      `warung-${version}.cdx.json`,
      `warung-${version}.tgz`,
      `warung-cli-${version}.tgz`,
      `warung-client-php-${version}.zip`,
      `warung-sdk-${version}.tgz`,
    ]
    expect(readdirSync(release).sort()).toEqual(names)
    const sums = names.slice(1).map((name) => {
      return `${createHash('sha256')
        .update(readFileSync(part(name)))
        .digest('hex')}  ${name}\n`
    })
    expect(readFileSync(part('SHA256SUMS'), 'utf8')).toBe(sums.join(''))
  })

  it('is refused for a version that a place does not name, without notes, and of a changed tree', () => {
    expect(obstaclesOf(root, version, [])).toEqual([])
    const obstacles = obstaclesOf(root, '9.9.9', [' M README.md'])
    for (const path of ['package.json', 'packages/sdk/package.json', 'clients/php/src/Client.php']) {
      expect(obstacles).toContain(`${path} names version ${version}, not 9.9.9`)
    }
    expect(obstacles.slice(-2)).toEqual([
      'CHANGELOG.md has no section "## 9.9.9", or an empty one',
      'not committed:  M README.md',
    ])
  })

  it('takes its notes from the section of its version, however the heading is written', () => {
    for (const heading of ['0.1.0', '0.1.0 (2026-11-19)', '[0.1.0] - 2026-11-19', 'v0.1.0']) {
      const changelog = `# Changelog\n\n## 0.1.0-rc.1\n\nearlier\n\n## ${heading}\n\n### Money\n- a\n\n## 0.0.9\n\n- b\n`
      expect(notesOf(changelog, '0.1.0')).toBe('### Money\n- a\n')
    }
    expect(notesOf('## 0.1.0\n\n## 0.0.9\n- b\n', '0.1.0')).toBeUndefined()
    expect(['v0.1.0', '0.1.0', '0.1', 'main'].map(readVersion)).toEqual([
      '0.1.0',
      '0.1.0',
      undefined,
      undefined,
    ])
  })
})

describe('the tarball of the service', () => {
  it('runs by npx without a registry, and takes a payment that the SDK signs from either module system', async () => {
    const home = project('npx')
    cpSync(part(`warung-${version}.tgz`), join(home, `warung-${version}.tgz`))
    const { demo, stop } = await start('npx', ['--yes', `./warung-${version}.tgz`], home)
    const shop = project('shop', { private: true })
    await install(shop, part(`warung-sdk-${version}.tgz`))
    const pay = `
      const client = createClient(${JSON.stringify(settingsOf(demo))})
      const payment = { refid: process.argv[2], product: 'NOVA', account: '60123456789', amount: 10 }
      client.payAndWait(payment).then(({ refid, status }) => console.log(refid, status))`
    writeFileSync(join(shop, 'pay.mjs'), `import { createClient } from '@warung/sdk'\n${pay}`)
    writeFileSync(join(shop, 'pay.cjs'), `const { createClient } = require('@warung/sdk')\n${pay}`)
    for (const name of ['pay.mjs', 'pay.cjs']) {
      const { stdout } = await run(process.execPath, [name, `release-${name}`], { cwd: shop })
      expect(stdout).toMatch(new RegExp(`^release-${name} Succesful\n$`))
    }
    for (const page of ['/portal', '/operator', '/docs', '/checkout/warung-checkout.js', '/openapi.json']) {
      const answer = await fetch(`${demo.base_url}${page}`)
      expect([page, answer.status]).toEqual([page, 200])
    }
    expect(await stop()).toContain('Stopped.')
  }, 400_000)

  it('runs unpacked, as the command of operators and as a service that the clients reach', async () => {
    const home = project('unpacked')
    await run('tar', ['-xzf', part(`warung-${version}.tgz`), '-C', home])
    const installed = join(home, `warung-${version}`)
    const program = join(installed, 'bin/warungd')
    expect((await run(program, ['--version'])).stdout).toBe(`warungd ${version}\n`)
    const names = execFileSync('tar', ['-tzf', part(`warung-${version}.tgz`)], { encoding: 'utf8' }).split(
      '\n',
    )
    expect(
      names.filter((name) =>
        /\/node_modules\/(typescript|vite|rolldown|react|preact)\/|\.ts$|\/src\/.*\.tsx$/.test(name),
      ),
    ).toEqual([])
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
    expect(manifest).toMatchObject({ version, engines, repository: { type: 'git' } })
    const licences = readFileSync(join(installed, 'THIRD-PARTY-LICENSES.txt'), 'utf8')
    for (const name of ['pg', 'undici', 'preact'])
      expect(licences).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(MIT\\)$`, 'm'))

    const { demo } = await start(program, [], home, { WARUNG_DEMO: 'accounts' })
    await useCommand(demo)
    await usePython(demo)
    await usePhp(demo)
  }, 400_000)

  async function useCommand(demo: Demo) {
    const dir = project('command', { private: true })
    await install(dir, part(`warung-cli-${version}.tgz`))
    const program = join(dir, 'node_modules/.bin/warung')
    expect((await run(program, ['help'])).stdout).toContain('Pay for a product')
    const { baseUrl, apiKey, signingSecret } = settingsOf(demo)
    const credentials = {
      WARUNG_BASE_URL: baseUrl,
      WARUNG_API_KEY: apiKey,
      WARUNG_SIGNING_SECRET: signingSecret,
    }
    const { stdout } = await run(program, ['balance', '--json'], { env: { ...env, ...credentials } })
    expect(JSON.parse(stdout)).toMatchObject({ balance: expect.any(Number) })
    const load =
      "Promise.all([import('@warung/cli'), require('@warung/cli')]).then(([a, b]) => console.log(a.main === b.main))"
    expect((await run(process.execPath, ['-e', load], { cwd: dir })).stdout).toBe('true\n')
  }

  async function usePython(demo: Demo) {
    const dir = project('python')
    const wheel = part(`warung-${version}-py3-none-any.whl`)
    await run('python3', ['-m', 'pip', 'install', '--quiet', '--no-index', '--target', dir, wheel])
    const { baseUrl, apiKey, signingSecret } = settingsOf(demo)
    const code =
      'import sys, warung; print(warung.__version__, warung.Client(*sys.argv[1:]).get_balance()["data"]["balance"])'
    const { stdout } = await run('python3', ['-c', code, baseUrl, apiKey, signingSecret], { cwd: dir })
    expect(stdout).toMatch(new RegExp(`^${version} \\d`))
    const metadata = readFileSync(join(dir, `warung-${version}.dist-info`, 'METADATA'), 'utf8')
    expect(metadata).toMatch(/^Project-URL: Repository, https:\/\//m)
  }

  async function usePhp(demo: Demo) {
    const dir = project('php')
    const archive = part(`warung-client-php-${version}.zip`)
    await run('python3', ['-m', 'zipfile', '-e', archive, dir])
    const installed = join(dir, basename(archive, '.zip'))
    const { baseUrl, apiKey, signingSecret } = settingsOf(demo)
    const code = `require ${JSON.stringify(join(installed, 'autoload.php'))};
      [, $url, $key, $secret] = $argv;
      echo Warung\\Client::VERSION, ' ', json_encode((new Warung\\Client($url, $key, $secret))->getBalance()['data']);`
    const { stdout } = await run('php', ['-r', code, '--', baseUrl, apiKey, signingSecret])
    expect(stdout).toMatch(new RegExp(`^${version} \\{.*"balance"`))
    const { version: named, autoload } = JSON.parse(
      readFileSync(join(installed, 'composer.json'), 'utf8'),
    ) as { version: string; autoload: { 'psr-4': Record<string, string> } }
    expect(named).toBe(version)
    for (const path of Object.values(autoload['psr-4'])) expect(existsSync(join(installed, path))).toBe(true)
  }
})
