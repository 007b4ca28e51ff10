import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { Agent } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorOf, readBalance } from '../clients.ts'
import { balanceOf, isBalanceWaiting } from '../edge.ts'
import { connectEmbedded, INSTALLED, launch } from '../process.ts'
import type { ServiceProcess } from '../service.ts'
import { makeDirectory, startService, stopServices, until } from '../service.ts'
import { freshNonce } from '../signing.ts'
import { deposit, expectCleanlyStopped, spend } from './one-directory.ts'

// One data directory through its life: each test continues where the one before ended.

let dataDir: string
let service: ServiceProcess

beforeAll(async () => {
  dataDir = await makeDirectory()
  // The service is started from the installed files.
  service = await startService({ dataDir, launch: { args: [INSTALLED, 'serve'] } })
})

afterAll(stopServices)

async function restart(): Promise<void> {
  service = await startService({ dataDir })
}

const spentNonce = freshNonce()

describe('the start command in an empty directory', () => {
  it('writes the demo file exactly as tools expect it, for its owner alone', async () => {
    const reseller = {
      account: expect.stringMatching(/^\d{4,20}$/),
      name: expect.stringMatching(/\S/),
      api_key: expect.stringMatching(/^wk_stg_\w{32}$/),
      signing_secret: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/),
      username: expect.stringMatching(/\S/),
      password: expect.stringMatching(/^\S{16,}$/),
    }
    expect(service.demo).toStrictEqual({
      base_url: service.baseUrl,
      dashboard_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\//),
      environment: 'staging',
      operator: { email: expect.stringMatching(/@/), password: expect.stringMatching(/^\S{16,}$/) },
      resellers: [reseller, reseller],
    })
    expect((await stat(join(dataDir, 'demo.json'))).mode & 0o777).toBe(0o600)
    expect((await stat(join(dataDir, 'master.key'))).mode & 0o777).toBe(0o600)
    expect((await stat(join(dataDir, 'postgres-password'))).mode & 0o777).toBe(0o600)
    // Root's server runs as another user, who must pass through; only the owner may list the directory.
    expect((await stat(dataDir)).mode & 0o066).toBe(0)
  })

  it('prints everything that is in the demo file', () => {
    const { operator, resellers } = service.demo
    const values = [service.demo.base_url, ...Object.values(operator), ...resellers.flatMap(Object.values)]
    for (const value of values) expect(service.output()).toContain(value)
  })

  it('prints where the pages for people are', async () => {
    for (const path of ['/portal', '/operator']) {
      expect(service.output()).toContain(service.baseUrl + path)
      expect((await service.get(path)).status).toBe(200)
    }
  })

  it('prints a request that works when it is pasted into a shell', async () => {
    const command = /to copy and paste:\n\n(.+?\n')\n/s.exec(service.output())?.[1]
    const { stdout, stderr } = await promisify(execFile)('sh', ['-c', command ?? 'exit 1'])
    expect(stderr).toBe('')
    expect(stdout).toMatch(/^200 \{"data":\{"account":"\d+","name":"Kedai Maju","balance":1250000,/)
  })

  it('gives the demo resellers their money and puts it beside the price lists', async () => {
    const balances = await Promise.all(
      service.demo.resellers.map((each) =>
        readBalance(service, { apiKey: each.api_key, secretBase64: each.signing_secret }),
      ),
    )
    expect(balances[0]).toBeGreaterThan(1_000_000)
    expect(balances[1]).toBeGreaterThan(100_000)
  })
})

describe('a second start beside a running service', () => {
  it('says where the first one runs, ends, and leaves it alone', async () => {
    const second = launch(service.environment)
    expect((await second.ended).code).toBe(1)
    expect(second.output()).toContain(`already running at ${service.baseUrl} (process ${service.pid})`)
    expect(second.output()).toContain('WARUNG_DATA_DIR')
    expect((await balanceOf(service, service.credentials)).status).toBe(200)
    expect((await service.get('/readyz')).status).toBe(200)
  })
})

describe('told to stop', () => {
  it('answers the request under way, waits for no idle or half-sent one, and stops the database', async () => {
    expect((await spend(service, service.credentials, spentNonce)).status).toBe(200)
    await deposit(service, '12.3456')
    const before = await readBalance(service, service.credentials)
    const { hostname, port } = new URL(service.baseUrl)
    const halfSent = connect(Number(port), hostname)
    halfSent.on('error', () => {})
    halfSent.write('GET /v2/balance HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: wk')
    const idle = new Agent({ keepAlive: true })
    expect((await balanceOf(service, service.credentials, { agent: idle })).status).toBe(200)

    const sql = await connectEmbedded(dataDir)
    await sql.query('begin')
    await sql.query('lock table wallets in access exclusive mode')
    const busy = new Agent({ keepAlive: true })
    const underWay = balanceOf(service, service.credentials, { agent: busy })
    await until('the request waits for the lock', () => isBalanceWaiting(sql))

    service.signal('SIGTERM')
    await until('new connections are refused', () => isRefused(service.baseUrl))
    expect(await Promise.race([service.ended, 'running'])).toBe('running')
    await sql.query('commit')
    await sql.end()

    const answer = await underWay
    expect(answer.status).toBe(200)
    expect(answer.json<{ data: { balance: number } }>().data.balance).toBe(before)
    // The client is told not to send the next request here.
    expect(answer.headers.connection).toBe('close')
    expect(await service.ended).toEqual({ code: 0, signal: null })
    halfSent.destroy()
    for (const agent of [idle, busy]) agent.destroy()
    expect(service.output()).toMatch(/Stopped\.\s*$/)
    await expectCleanlyStopped(dataDir)
  })

  it('keeps everything for the next start: money, nonces, keys and the demo file', async () => {
    const before = service
    await restart()
    const { base_url: _, dashboard_url: __, ...demo } = before.demo
    expect(service.demo).toEqual({
      ...demo,
      base_url: service.baseUrl,
      dashboard_url: expect.stringContaining(service.baseUrl),
    })
    expect(await readBalance(service, service.credentials)).toBe(1_250_012.3456)
    expect(errorOf(await spend(service, service.credentials, spentNonce))).toBe('nonce_reused')
  })
})

function isRefused(baseUrl: string): Promise<boolean> {
  const { hostname, port } = new URL(baseUrl)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    socket.on('connect', () => {
      socket.destroy()
      resolve(false)
    })
    socket.on('error', () => resolve(true))
  })
}
