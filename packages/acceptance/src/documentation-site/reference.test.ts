import { execFile } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shareDemo } from '../catalog.ts'
import type { ListedOperation } from '../listed.ts'
import { listOperations } from '../listed.ts'
import { createPayer } from '../payments.ts'
import type { Service } from '../service.ts'
import { makeDirectory, stopServices } from '../service.ts'
import { hasTool, TOOLS_PATH } from '../tools/installed.ts'
import { blocksIn, blocksOf } from './blocks.ts'

// Requests that the reference shows, one page for each operation, run as they are printed: all of a language in one
// process, by an account of its own.

const run = promisify(execFile)

/**
 * Refusals that the printed requests get, because they name a thing of the account whose exchange was recorded, or need
 * a receiver that the account has not. They are run as well: the service looks for the thing only after it has understood
 * the request. All other requests succeed.
 */
const REFUSED: Readonly<Record<string, readonly [status: number, said: string]>> = {
  ...refusals(404, 'There is no such delivery', [
    ...['getCallbackDelivery', 'listCallbackAttempts', 'replayCallbackDelivery'],
    ...['getBalanceWebhookDelivery', 'listBalanceWebhookAttempts', 'replayBalanceWebhookDelivery'],
    ...['getCatalogWebhookDelivery', 'listCatalogWebhookAttempts', 'replayCatalogWebhookDelivery'],
    ...['getOrderWebhookDelivery', 'listOrderWebhookAttempts', 'replayOrderWebhookDelivery'],
  ]),
  ...refusals(404, 'There is no such case', ['getCase']),
  ...refusals(404, 'There is no such quote', ['getQuote']),
  ...refusals(404, 'There is no such transaction', ['getReceipt']),
  ...refusals(404, 'There is no such order', ['getOrder', 'confirmOrder', 'cancelOrder']),
  ...refusals(400, 'The transaction was not found', ['disputeTransaction', 'voidTransaction']),
  ...refusals(404, 'is configured', [
    'testCallback',
    'testBalanceWebhook',
    'testCatalogWebhook',
    'testOrderWebhook',
  ]),
  // Passwords and tokens are replaced in recorded examples.
  ...refusals(401, 'invalid_credentials', ['createToken']),
  ...refusals(401, 'invalid_refresh_token', ['refreshToken']),
}

function refusals(status: number, said: string, ids: readonly string[]) {
  return Object.fromEntries(ids.map((id) => [id, [status, said] as const]))
}

type Sample = { readonly operation: ListedOperation; readonly text: string }
type Result = { readonly id: string; readonly status: number; readonly said: string }

let service: Service
let samples: Readonly<Record<'sh' | 'ts', readonly Sample[]>>

beforeAll(async () => {
  service = (await shareDemo()).service
  const operations = inOrder(await listOperations(service, 'reseller'))
  const shown = await Promise.all(operations.map(samplesOf))
  const of = (language: string) => shown.flat().filter((each) => each.language === language)
  samples = { sh: of('sh'), ts: of('ts') }
})

afterAll(() => stopServices())

async function samplesOf(operation: ListedOperation) {
  const page = await service.get(`/docs/reference/${operation.id}.md`)
  const [, part = ''] = /^## Request it$([\s\S]*?)(?=^## )/m.exec(page.text) ?? []
  return blocksIn(part).map(({ language, text }) => ({ operation, language, text }))
}

/** Puts addresses of receivers before requests about them, and their removal after these. */
function inOrder(operations: readonly ListedOperation[]): ListedOperation[] {
  return operations.toSorted((a, b) => rankOf(a) - rankOf(b))
}

function rankOf({ id, method }: ListedOperation): number {
  // No receiver is set when these run: nothing is sent to the addresses of examples.
  if (/^test[A-Z]/.test(id)) return 0
  if (id === 'setCallbackUrl' || method === 'PUT') return 1
  if (method === 'DELETE') return 3
  return id === 'pay' ? 4 : 2
}

async function newAccount(): Promise<NodeJS.ProcessEnv> {
  const { credentials } = await createPayer(service, '100')
  const { apiKey, secretBase64 } = credentials
  return { PATH: TOOLS_PATH, BASE_URL: service.baseUrl, API_KEY: apiKey, SIGNING_SECRET: secretBase64 }
}

/** Runs the requests of the shell. Their curl also prints the status. */
async function runShell(folder: string, env: NodeJS.ProcessEnv): Promise<Result[]> {
  const script = blocksOf('docs/integrate/signing.md').find(({ file }) => file === 'signed.sh')
  await writeFile(join(folder, 'signed.sh'), script?.text ?? '')
  const wrapper = `curl() { command curl -o body -w '%{http_code} ' "$@"; head -c 300 body | tr '\\n' ' '; }; export -f curl`
  const lines = samples.sh.map(({ operation, text }) => `printf '\\n${operation.id} '\n${text}`)
  await writeFile(join(folder, 'all.sh'), [wrapper, ...lines].join('\n'))
  const { stdout } = await run('bash', ['all.sh'], { cwd: folder, env })
  return stdout
    .trim()
    .split('\n')
    .map((line) => {
      const [, id = '', status = '', said = ''] = /^(\w+) (\d+) (.*)$/.exec(line) ?? []
      return { id, status: Number(status), said }
    })
}

/** Runs the calls of the SDK, each in a function of its own. */
async function runSdk(folder: string, env: NodeJS.ProcessEnv): Promise<Result[]> {
  const scope = join(folder, 'node_modules', '@warung')
  await mkdir(scope, { recursive: true })
  await symlink(fileURLToPath(new URL('../../../sdk', import.meta.url)), join(scope, 'sdk'))
  const calls = samples.ts.map(
    ({ operation, text }) => `await take('${operation.id}', async () => {\n${text}\nreturn answer\n})`,
  )
  const program = `
import { createClient } from '@warung/sdk'

const { BASE_URL, API_KEY, SIGNING_SECRET } = process.env
const client = createClient({ baseUrl: BASE_URL, apiKey: API_KEY, signingSecret: SIGNING_SECRET })
const results = []
const take = async (id, call) =>
  results.push(
    await call().then(
      () => ({ id, status: 200, said: '' }),
      (error) => ({ id, status: error.status ?? 0, said: String(error) }),
    ),
  )
${calls.join('\n')}
console.log(JSON.stringify(results))
`
  await writeFile(join(folder, 'all.mjs'), program)
  const { stdout } = await run(process.execPath, ['all.mjs'], { cwd: folder, env })
  return JSON.parse(stdout) as Result[]
}

function expectAnswers(results: readonly Result[], expected: readonly Sample[]): void {
  expect(results.map(({ id }) => id)).toEqual(expected.map(({ operation }) => operation.id))
  const surprises = results.filter(({ id, status, said }) => {
    const [refused, words = ''] = REFUSED[id] ?? []
    return refused === undefined ? status < 200 || status > 299 : status !== refused || !said.includes(words)
  })
  expect(surprises).toEqual([])
}

describe('the requests of the reference', () => {
  it('are there for every operation: for the shell, and for the SDK where it signs and the answer is JSON', async () => {
    const operations = await listOperations(service, 'reseller')
    const idsOf = (list: readonly Sample[]) => list.map(({ operation }) => operation.id).sort()
    expect(idsOf(samples.sh)).toEqual(operations.map(({ id }) => id).sort())
    const signed = operations.filter(({ isOpen }) => !isOpen)
    expect(idsOf(samples.ts)).toEqual(signed.map(({ id }) => id).sort())
  })

  it.runIf(hasTool('curl') && hasTool('openssl'))('are answered as they are printed: shell', async () => {
    expectAnswers(await runShell(await makeDirectory(), await newAccount()), samples.sh)
  })

  it('are answered as they are printed: TypeScript', async () => {
    expectAnswers(await runSdk(await makeDirectory(), await newAccount()), samples.ts)
  })
})
