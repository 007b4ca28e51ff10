import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { beforeAll, describe, expect, it } from 'vitest'
import { shareDemo } from '../catalog.ts'
import { createPayer, newRefid, PHONE } from '../payments.ts'
import type { Installed } from './drivers.ts'
import { installPacked, listInstalled, packageDir } from './drivers.ts'

// Package as users get it: packed, and installed into an empty project.

const run = promisify(execFile)

/** Compilers: the one of the acceptance tests, and the one of the repository. */
const COMPILERS = {
  '5.9': createRequire(import.meta.url).resolve('typescript/package.json'),
  '7': createRequire(new URL('../../../../package.json', import.meta.url)).resolve('typescript/package.json'),
}

const PROGRAM = `
import type { Client, Event, Payment, Product, WebhookEvent } from '@warung/sdk'
import { buildPayment, createClient, PaymentRejected, UnknownOutcome, verifyWebhook } from '@warung/sdk'

const client: Client = createClient({ baseUrl: 'https://api.example.com', apiKey: 'k', signingSecret: 'c2VjcmV0' })

export async function sell(refid: string): Promise<Payment | 'unknown' | 'rejected'> {
  const product: Product = await client.getProduct('NOVA')
  for await (const option of client.optionsFor(product, 'amount')) {
    try {
      return await client.payAndWait(buildPayment(product, { phone: '60123456789', amount: option }, { refid }))
    } catch (error) {
      if (error instanceof UnknownOutcome) return 'unknown'
      if (error instanceof PaymentRejected && error.code === 43) return 'rejected'
      throw error
    }
  }
  return 'rejected'
}

export function describeEvent(event: Event): string {
  switch (event.type) {
    case 'payment.succeeded':
      return event.data.refid
    case 'balance.deducted':
      return String(event.data.amount)
    default:
      return event.type
  }
}

export async function receive(request: Request): Promise<string> {
  const { method, url, headers } = request
  const event: WebhookEvent = await verifyWebhook({ method, url, headers, body: await request.text() }, { secrets: [''] })
  return event.stream === 'callback' ? event.payload.refid : event.payload.type
}

export async function calls(): Promise<void> {
  await client.getBalance()
  await client.listTransactions({ limit: 1, date: '2026-03-01', status: ['FAILED'] })
  // @ts-expect-error limit and date are required
  await client.listTransactions({ limit: 1 })
  // @ts-expect-error there is no such status
  await client.listTransactions({ limit: 1, date: '2026-03-01', status: ['DONE'] })
  // @ts-expect-error the refid is required
  await client.pay({ product: 'NOVA', account: '1', amount: 1 })
  // @ts-expect-error there is no such operation
  await client.payTwice()
}
`

/** Prints the class of an error, which is the same in both module systems. */
const COMMONJS_PROGRAM = `
import type { Client, PaymentRequest } from '@warung/sdk'
import { buildPayment, createClient, InvalidPayment } from '@warung/sdk'

declare const console: { log(...texts: readonly unknown[]): void }

const client: Client = createClient({ baseUrl: 'https://api.example.com', apiKey: 'k', signingSecret: 'c2VjcmV0' })
export const pay = (payment: PaymentRequest) => client.payAndWait(payment)

async function run(): Promise<void> {
  const loaded = await (Function('return import("@warung/sdk")')() as Promise<{ InvalidPayment: unknown }>)
  try {
    const product = { code: 'P', fields: [], fulfillment: { account: { from_field: null }, amount: { from_field: 'a' } } }
    buildPayment({ ...product, min_amount: null, max_amount: null }, {}, { refid: '' })
  } catch (error) {
    if (!(error instanceof InvalidPayment)) throw error
    console.log(error.name, loaded.InvalidPayment === InvalidPayment, error.problems[0]?.field)
  }
}

void run()
`

const SETTINGS = {
  compilerOptions: {
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable'],
    module: 'nodenext',
    types: [],
  },
  files: ['program.ts'],
}

/** Globals of an edge runtime. */
const WEB_STANDARDS = {
  ...{ fetch, crypto, TextEncoder, TextDecoder, URL, URLSearchParams, AbortController, AbortSignal },
  ...{ setTimeout, clearTimeout, atob, btoa },
}

let installed: Installed

beforeAll(async () => {
  installed = await installPacked()
})

describe('the package', () => {
  it('holds the compiled client, its types, its README and the licence, and brings nothing else', async () => {
    const others = installed.files.filter(
      (path) => !/^dist\/([a-z.-]+\.js|(cjs\/)?[a-z.-]+\.d\.ts)$/.test(path),
    )
    const commonJs = ['dist/cjs/index.js', 'dist/cjs/package.json']
    expect(others).toEqual(['LICENSE', 'README.md', ...commonJs, 'package.json'])
    expect(installed.files.some((path) => /test/.test(path))).toBe(false)
    expect(await listInstalled(installed.dir)).toEqual(['@warung/sdk'])
  })

  it('uses web standards alone', async () => {
    for (const path of installed.files.filter((each) => /^dist\/[^/]+\.js$/.test(each))) {
      const text = await readFile(join(installed.dir, 'node_modules/@warung/sdk', path), 'utf8')
      expect(text, path).not.toMatch(/\bnode:|\brequire\(|\bprocess\.|\bBuffer\b/)
    }
  })

  it('stays small in a bundle, and runs where nothing but web standards exists', async () => {
    const input = join(installed.dir, 'node_modules/@warung/sdk/dist/index.js')
    const bundle = await rolldown({ input, logLevel: 'silent' })
    const { output } = await bundle.generate({ format: 'iife', name: 'sdk', minify: true })
    await bundle.close()
    const [{ code }] = output
    expect(gzipSync(code).length).toBeLessThan(16_000)
    const { service } = await shareDemo()
    const payer = await createPayer(service, '50')
    const { apiKey, secretBase64: signingSecret } = payer.credentials
    const settings = { baseUrl: service.baseUrl, apiKey, signingSecret }
    const payment = { refid: newRefid(), product: 'NOVA', account: PHONE, amount: 10 }
    const edge = createContext({ ...WEB_STANDARDS, settings, payment })
    const paid = runInContext(
      `${code}; sdk.createClient(settings).payAndWait(payment, { pollScheduleMs: [200] })`,
      edge,
    ) as Promise<{ refid: string; status: string }>
    expect(await paid).toMatchObject({ refid: payment.refid, status: 'Succesful' })
  })

  it.each(Object.entries(COMPILERS))(
    'has types that TypeScript %s takes, and that refuse mistakes',
    async (version, manifest) => {
      expect(JSON.parse(await readFile(manifest, 'utf8')).version).toMatch(new RegExp(`^${version}\\.`))
      await writeFile(join(installed.dir, 'tsconfig.json'), JSON.stringify(SETTINGS))
      await writeFile(join(installed.dir, 'program.ts'), PROGRAM)
      const tsc = join(dirname(manifest), 'bin', 'tsc')
      const compiled = await run(process.execPath, [tsc, '-p', installed.dir]).catch(
        (error: { stdout: string }) => error,
      )
      expect(compiled.stdout).toBe('')
    },
  )

  it.each([
    ['node10', 'commonjs'],
    ['node16', 'node16'],
  ])(
    'works in CommonJS as TypeScript with moduleResolution %s writes it',
    async (moduleResolution, module) => {
      const dir = join(installed.dir, `commonjs-${moduleResolution}`)
      await mkdir(dir)
      await writeFile(join(dir, 'package.json'), '{ "type": "commonjs" }')
      await writeFile(join(dir, 'program.ts'), COMMONJS_PROGRAM)
      const compilerOptions = {
        ...SETTINGS.compilerOptions,
        ...{ module, moduleResolution, noEmit: false, ignoreDeprecations: '5.0' },
      }
      await writeFile(join(dir, 'tsconfig.json'), JSON.stringify({ ...SETTINGS, compilerOptions }))
      const tsc = join(dirname(COMPILERS['5.9']), 'bin', 'tsc')
      const compiled = await run(process.execPath, [tsc, '-p', dir]).catch(
        (error: { stdout: string }) => error,
      )
      expect(compiled.stdout).toBe('')
      expect(await readFile(join(dir, 'program.js'), 'utf8')).toContain('require("@warung/sdk")')
      const { stdout, stderr } = await run(process.execPath, ['program.js'], { cwd: dir })
      expect([stdout, stderr]).toEqual(['InvalidPayment true refid\n', ''])
    },
  )

  it('pays as its README says, from an empty project', async () => {
    const readme = await readFile(join(packageDir('sdk'), 'README.md'), 'utf8')
    const sample = /## Quick start\n+```js\n([\s\S]*?)```/.exec(readme)?.[1]
    if (sample === undefined) throw new Error('the README has a quick start')
    await writeFile(join(installed.dir, 'quick-start.js'), sample)
    const { service } = await shareDemo()
    const payer = await createPayer(service, '50')
    const { stdout } = await run(process.execPath, ['quick-start.js'], {
      cwd: installed.dir,
      env: {
        PATH: process.env.PATH,
        WARUNG_BASE_URL: service.baseUrl,
        WARUNG_API_KEY: payer.credentials.apiKey,
        WARUNG_SIGNING_SECRET: payer.credentials.secretBase64,
      },
    })
    expect(stdout).toMatch(/^balance 50\n[0-9a-f-]{36} Succesful \S+\n$/)
  })
})

it('the licence in the package is that of the repository', async () => {
  const root = fileURLToPath(new URL('../../../../LICENSE', import.meta.url))
  expect(await readFile(join(packageDir('sdk'), 'LICENSE'), 'utf8')).toBe(await readFile(root, 'utf8'))
})
