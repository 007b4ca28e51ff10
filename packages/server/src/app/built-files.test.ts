import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { pino } from 'pino'
import { Type } from 'typebox'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Edge } from '../http/edge.ts'
import { createEdge } from '../http/edge.ts'
import { createMetrics } from '../http/metrics.ts'
import { anyone, operation } from '../http/operation.ts'
import type { Schedule } from '../lib/repeat.ts'
import { followBuilds, STAMP } from './built-files.ts'
import { checkoutPageOperations } from './checkout.ts'
import { dashboardOperations } from './dashboard.ts'
import { siteOperations } from './site/documentation-site.ts'

const ADMITTED = { limit: 100, remaining: 99, resetSeconds: 300, blockedForSeconds: 0 }
const ORDER = '/checkout/ord_0123456789abcdefghjkmnpq'

let folder: string
let edge: Edge
let builds: Schedule
let base: string
/** Resolves when the service has read what was built. */
let read: PromiseWithResolvers

type PromiseWithResolvers = { readonly promise: Promise<void>; readonly resolve: () => void }

function withResolvers(): PromiseWithResolvers {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

const filesOf = (name: string) => pathToFileURL(`${join(folder, name)}/`)

function listPages() {
  const environment = 'staging'
  const baseUrl = () => base
  return [
    ...checkoutPageOperations({
      environment,
      baseUrl,
      framesOf: async () => [],
      files: filesOf('checkout'),
    }),
    ...dashboardOperations({ environment, files: filesOf('dashboard') }),
    ...siteOperations({ environment, baseUrl, senderAddresses: [], files: filesOf('site') }),
  ]
}

/** Writes the files of a build as the build does: the stamp comes last. */
function build(name: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries({ ...files, [STAMP]: '' })) {
    const file = join(folder, name, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'warung-builds-'))
  read = withResolvers()
  edge = createEdge({
    operations: [
      operation({
        method: 'GET',
        path: '/v2/balance',
        docs: { operationId: 'balance', summary: 'Balance', tag: 'Balance' },
        schemas: { responses: { 200: Type.Object({}) } },
        authenticate: anyone,
        handle: async () => ({ status: 200, body: {} }),
      }),
    ],
    limiter: { admit: () => ADMITTED, peek: () => ADMITTED },
    trustProxy: [],
    requestTimeoutMs: 60_000,
    requestsMax: 10,
    connectionsMax: 10,
    connectionsPerAddressMax: 10,
    writeStallMs: 60_000,
    wire: 'own',
    exempt: [],
    logger: pino({ level: 'silent' }),
    requestLog: { write() {} },
    metrics: createMetrics(),
  })
  edge.serveBeside(listPages())
  builds = followBuilds(
    ['checkout', 'dashboard', 'site'].map(filesOf),
    () => {
      edge.serveBeside(listPages())
      read.resolve()
      read = withResolvers()
    },
    (error) => {
      throw error
    },
    1,
  )
  await edge.listen({ host: '127.0.0.1', port: 0 })
  base = `http://127.0.0.1:${(edge.server.address() as AddressInfo).port}`
})

afterEach(async () => {
  await builds.stop()
  await edge.close()
  rmSync(folder, { recursive: true })
})

describe('a service whose pages are not built', () => {
  it.each([
    ['/portal', 'The dashboard'],
    ['/operator', 'The dashboard'],
    ['/docs', 'The documentation'],
    [ORDER, 'The checkout'],
    ['/checkout/warung-checkout.js', 'The checkout'],
  ])('answers %s with a page that says so and asks again by itself', async (path, name) => {
    const answer = await fetch(base + path)
    expect(answer.status).toBe(503)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'cache-control': 'no-store',
      'retry-after': '2',
      refresh: '2',
    })
    expect(await answer.text()).toContain(`${name} is not built yet`)
  })

  it('serves everything else', async () => {
    expect((await fetch(`${base}/v2/balance`)).status).toBe(200)
  })

  it('serves each page as soon as it is built, and again when it is built anew', async () => {
    let reading = read.promise
    build('dashboard', {
      'pages.json': '{"portal":["/portal","/portal/payments"],"operator":["/operator"]}',
      'portal.html': '<html lang="en">portal</html>',
      'operator.html': '<html lang="en">console</html>',
      'theme.js': '',
      'assets/a-1.js': 'export {}',
    })
    await reading
    expect(await (await fetch(`${base}/portal/payments`)).text()).toContain('portal')
    expect((await fetch(`${base}/assets/a-1.js`)).status).toBe(200)
    expect((await fetch(`${base}/docs`)).status).toBe(503)

    reading = read.promise
    build('site', { 'index.html': '<html>first</html>', 'files.json': '["index.html"]' })
    await reading
    expect(await (await fetch(`${base}/docs`)).text()).toContain('first')

    rmSync(join(folder, 'site'), { recursive: true })
    reading = read.promise
    build('site', { 'index.html': '<html>second</html>', 'files.json': '["index.html"]' })
    await reading
    expect(await (await fetch(`${base}/docs`)).text()).toContain('second')

    reading = read.promise
    build('checkout', { 'page.html': '<html lang="en">checkout</html>' })
    await reading
    expect(await (await fetch(base + ORDER)).text()).toContain('checkout')
    expect((await fetch(`${base}/v2/balance`)).status).toBe(200)
  })
})
