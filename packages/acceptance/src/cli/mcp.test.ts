import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../catalog.ts'
import { shareDemo } from '../catalog.ts'
import type { Payer } from '../payments.ts'
import { createPayer, newRefid, PHONE, RELOAD_COST, ringgit } from '../payments.ts'
import { makeDirectory, stopServices } from '../service.ts'
import { runWarung, spawnWarung, variablesOf } from './command.ts'

// Server of the Model Context Protocol, as a client sees it: lines of JSON-RPC on a pipe.

type Message = {
  jsonrpc: string
  id?: string | number | null
  method?: string
  params?: Record<string, unknown>
  result?: Record<string, unknown>
  error?: { code: number; message: string }
}

type ToolResult = {
  content: { type: string; text: string }[]
  structuredContent?: Record<string, unknown>
  isError?: boolean
}

type McpClient = {
  request(method: string, params?: object): Promise<Message>
  tool(name: string, args?: object): Promise<ToolResult>
  write(line: string): void
  /** Requests that the server has sent to the client. */
  readonly asked: Message[]
  next(): Promise<Message>
  end(): Promise<number | null>
}

let demo: Demo
let payer: Payer
const started: ChildProcess[] = []

beforeAll(async () => {
  demo = await shareDemo()
  payer = await createPayer(demo.service, '500')
})

afterAll(async () => {
  for (const child of started) child.kill('SIGKILL')
  await stopServices()
})

/** Starts a server and a client. `user` answers when the server asks; undefined: the client cannot ask. */
async function open(args: string[], user?: { answer: object }): Promise<McpClient> {
  const env = variablesOf(demo.service.baseUrl, payer.credentials)
  const child = spawnWarung({ configDir: await makeDirectory(), env }, ['mcp', ...args])
  started.push(child)
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const { stdin, stdout } = child
  if (stdin === null || stdout === null) throw new Error('the server has pipes')
  const waiting = new Map<unknown, (message: Message) => void>()
  const asked: Message[] = []
  const loose: ((message: Message) => void)[] = []
  const write = (line: string) => void stdin.write(`${line}\n`)
  createInterface({ input: stdout }).on('line', (line) => {
    const message = JSON.parse(line) as Message
    expect(message.jsonrpc).toBe('2.0')
    if (message.method !== undefined) {
      asked.push(message)
      write(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: user?.answer }))
    } else if (waiting.has(message.id)) waiting.get(message.id)?.(message)
    else loose.shift()?.(message)
  })
  let last = 0
  const request: McpClient['request'] = (method, params = {}) =>
    new Promise((resolve) => {
      last += 1
      waiting.set(last, resolve)
      write(JSON.stringify({ jsonrpc: '2.0', id: last, method, params }))
    })
  const client: McpClient = {
    request,
    tool: async (name, given = {}) =>
      (await request('tools/call', { name, arguments: given })).result as unknown as ToolResult,
    write,
    asked,
    next: () => new Promise((resolve) => loose.push(resolve)),
    async end() {
      stdin.end()
      return ended
    },
  }
  const capabilities = user === undefined ? {} : { elicitation: {} }
  const clientInfo = { name: 'test', version: '1' }
  const hello = await request('initialize', { protocolVersion: '2025-06-18', capabilities, clientInfo })
  expect(hello.result).toMatchObject({
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'warung' },
  })
  write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }))
  return client
}

const payment = () => ({ product: 'NOVA', values: { phone: PHONE, amount: '10' }, refid: newRefid() })
const PAYS = ['--allow-payments', '--max-amount', '10']

describe('reading', () => {
  let client: McpClient

  beforeAll(async () => {
    client = await open([])
  })

  it('is all that is offered without the flag', async () => {
    const { result } = await client.request('tools/list')
    const tools = result?.tools as {
      name: string
      inputSchema: object
      annotations: { readOnlyHint: boolean }
    }[]
    expect(tools.map(({ name }) => name).sort()).toEqual([
      'balance',
      'catalog_search',
      'events',
      'explain_signature',
      'history',
      'key',
      'number_lookup',
      'product_form',
      'quote',
      'read_documentation',
      'search_documentation',
      'statement',
      'transaction_status',
    ])
    expect(tools.every(({ annotations }) => annotations.readOnlyHint)).toBe(true)
    expect(await client.request('tools/call', { name: 'pay', arguments: payment() })).toMatchObject({
      error: { code: -32602 },
    })
  })

  it('answers with the account, the catalogue and forms', async () => {
    expect((await client.tool('balance')).structuredContent).toMatchObject({
      environment: 'staging',
      account: payer.account,
    })
    const found = await client.tool('catalog_search', { search: 'nova', limit: 1 })
    expect(found.structuredContent).toMatchObject({ products: [{ code: 'NOVA' }] })
    const form = await client.tool('product_form', { product: 'NOVA' })
    expect(form.structuredContent).toMatchObject({
      code: 'NOVA',
      needs_account: false,
      options: { amount: expect.any(Array) },
    })
    expect(JSON.parse(form.content[0]?.text ?? '')).toEqual(form.structuredContent)
    expect((await client.tool('history')).structuredContent).toEqual({ payments: [] })
    expect((await client.tool('statement')).structuredContent).toMatchObject({ entries: [{ amount: 500 }] })
    // The feed numbers the deposit shortly after its commit.
    await expect
      .poll(async () => (await client.tool('events', { limit: 1 })).structuredContent)
      .toMatchObject({ next: 1 })
    expect((await client.tool('transaction_status', { refid: 'none' })).structuredContent).toEqual({
      found: false,
    })
  })

  it('explains a signature', async () => {
    const ours = 'v1:1767225600:abcdefghijklmnop:GET::47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='
    const explained = await client.tool('explain_signature', { ours, yours: ours.replace('GET', 'get') })
    expect(explained.structuredContent).toMatchObject({ equal: false, mistake: 'method_in_lower_case' })
  })

  it('answers from the documentation of the service', async () => {
    const { structuredContent } = await client.tool('search_documentation', {
      query: 'invalid_signature',
      limit: 3,
    })
    const found = structuredContent?.found as { page: string; url: string }[]
    expect(found.length).toBeGreaterThan(0)
    expect(found.length).toBeLessThanOrEqual(3)
    const read = await client.tool('read_documentation', { page: found[0]?.url })
    expect(read.structuredContent?.text).toContain('invalid_signature')
    expect(await client.tool('read_documentation', { page: 'no-such-page' })).toMatchObject({ isError: true })
  })

  it('tells mistakes of a model as results, and mistakes of the protocol as errors', async () => {
    expect(await client.tool('product_form', { product: 'NO-SUCH' })).toMatchObject({ isError: true })
    expect(await client.tool('product_form')).toMatchObject({ isError: true })
    expect(await client.tool('balance', { verbose: true })).toMatchObject({ isError: true })
    expect(await client.request('resources/list')).toMatchObject({ error: { code: -32601 } })
    expect(await client.request('ping')).toMatchObject({ result: {} })
    const next = client.next()
    client.write('not JSON')
    expect(await next).toMatchObject({ id: null, error: { code: -32700 } })
    const another = client.next()
    client.write('null')
    expect(await another).toMatchObject({ id: null, error: { code: -32600 } })
    expect(await client.end()).toBe(0)
  })
})

describe('paying', () => {
  it('needs a cap', async () => {
    const env = variablesOf(demo.service.baseUrl, payer.credentials)
    const refused = await runWarung({ configDir: await makeDirectory(), env }, ['mcp', '--allow-payments'])
    expect(refused).toMatchObject({ code: 2, stdout: '' })
  })

  it('takes two calls where the client cannot ask, and never pays more than was shown', async () => {
    const before = await payer.balance()
    const client = await open(PAYS)
    const wanted = payment()
    const first = await client.tool('pay', wanted)
    expect(first.structuredContent).toMatchObject({ paid: false, confirmation_required: true })
    const token = first.structuredContent?.confirm_token
    const other = await client.tool('pay', { ...wanted, refid: newRefid(), confirm_token: token })
    expect(other).toMatchObject({ isError: true })
    expect(await client.tool('pay', { ...wanted, confirm_token: token })).toMatchObject({ isError: true })
    expect(await payer.balance()).toBe(before)

    const again = await client.tool('pay', wanted)
    const confirmed = { ...wanted, confirm_token: again.structuredContent?.confirm_token }
    const paid = await client.tool('pay', confirmed)
    expect(paid.structuredContent).toMatchObject({ paid: true, payment: { refid: wanted.refid } })
    expect(await client.tool('pay', confirmed)).toMatchObject({ isError: true })
    expect(await payer.balance()).toBe(ringgit(before - RELOAD_COST))

    const tooMuch = { ...payment(), values: { phone: PHONE, amount: '30' } }
    const refused = await client.tool('pay', tooMuch)
    expect(refused).toMatchObject({ isError: true })
    expect(refused.content[0]?.text).toMatch(/up to 10/)
    const more = await client.tool('pay', payment())
    expect(more).toMatchObject({ isError: true })
    expect(more.content[0]?.text).toMatch(/up to 10 ringgit in all/)
    await client.end()
  })

  it('pays when the user agrees to the question of the client, and never otherwise', async () => {
    const user: { answer: object } = { answer: {} }
    const client = await open(PAYS, user)
    const before = await payer.balance()
    const words = [
      { action: 'accept', content: { confirm: false } },
      { action: 'accept', content: {} },
      { action: 'decline' },
      { action: 'cancel' },
    ]
    for (const answer of words) {
      user.answer = answer
      expect(await client.tool('pay', payment())).toMatchObject({ isError: true })
    }
    expect(await payer.balance()).toBe(before)
    user.answer = { action: 'accept', content: { confirm: true } }
    expect((await client.tool('pay', payment())).structuredContent).toMatchObject({ paid: true })
    expect(await payer.balance()).toBe(ringgit(before - RELOAD_COST))
    expect(client.asked).toHaveLength(words.length + 1)
    expect(client.asked[0]).toMatchObject({
      method: 'elicitation/create',
      params: { message: expect.stringMatching(/NOVA.*60123456789.*10 ringgit/) },
    })
    const token = await client.tool('pay', { ...payment(), confirm_token: 'a-token-of-the-model' })
    expect(token).toMatchObject({ isError: true })
    expect(client.asked).toHaveLength(words.length + 1)
    await client.end()
  })

  it('shows the user the cost of the quote that the assistant asked for, and pays that cost, once', async () => {
    const client = await open([...PAYS, '--max-total', '100'], {
      answer: { action: 'accept', content: { confirm: true } },
    })
    const { refid: _, ...form } = payment()
    const quoted = (await client.tool('quote', form)).structuredContent
    expect(quoted).toMatchObject({ state: 'open', cost: RELOAD_COST, balance_after: expect.any(Number) })
    const wanted = { ...form, refid: newRefid(), quote_id: quoted?.quote_id }
    const paid = await client.tool('pay', wanted)
    expect(paid.structuredContent).toMatchObject({ paid: true, payment: { cost: RELOAD_COST } })
    expect(client.asked[0]?.params?.message).toContain(`cost ${RELOAD_COST} ringgit as quoted`)
    const again = await client.tool('pay', { ...wanted, refid: newRefid() })
    expect(again).toMatchObject({ isError: true })
    expect(again.content[0]?.text).toContain('Quote_Used')
    await client.end()
  })

  it('shows the user the values of the model in one line, however they are written', async () => {
    const client = await open(PAYS, { answer: { action: 'decline' } })
    const refid = newRefid().slice(0, 20)
    await client.tool('pay', { ...payment(), refid: `${refid}\n\u001b[2JPay 1` })
    expect(client.asked[0]?.params?.message).toContain(`${refid}  [2JPay 1`)
    await client.end()
  })
})

describe('a PIN', () => {
  const secretsOf = ({ pin, voucherlink }: { pin: string; voucherlink: string }) =>
    [pin, voucherlink].filter((each) => each !== '')
  const buy = (refid: string) => ({ product: 'PINTEN', values: { amount: '10' }, account: PHONE, refid })

  /** Calls every tool that shows payments. */
  async function readAll(client: McpClient, refid: string): Promise<ToolResult[]> {
    const results: ToolResult[] = []
    await expect
      .poll(async () => {
        const events = await client.tool('events', { limit: 200 })
        results[0] = events
        return events.content[0]?.text
      })
      .toMatch(new RegExp(`payment.succeeded.*${refid}`))
    results.push(await client.tool('history'), await client.tool('transaction_status', { refid }))
    for (const { content } of results) expect(content[0]?.text).toContain(refid)
    return results
  }

  it('is in no answer to an assistant, also not to one that may pay', async () => {
    const client = await open([...PAYS, '--max-total', '100'], {
      answer: { action: 'accept', content: { confirm: true } },
    })
    const refid = newRefid()
    const paid = await client.tool('pay', buy(refid))
    expect(paid, paid.content[0]?.text).toMatchObject({
      structuredContent: { paid: true, payment: { refid, pin: expect.stringContaining('hidden') } },
    })
    const { pin, voucherlink } = await payer.pay({ refid, product: 'PINTEN', account: PHONE, amount: 10 })
    expect(pin).not.toBe('')
    for (const result of [paid, ...(await readAll(client, refid))]) {
      for (const secret of secretsOf({ pin, voucherlink }))
        expect(JSON.stringify(result)).not.toContain(secret)
      expect(JSON.parse(result.content[0]?.text ?? '')).toEqual(result.structuredContent)
    }
    const { result } = await client.request('tools/list')
    const tools = (result?.tools ?? []) as { description: string }[]
    expect(tools).not.toHaveLength(0)
    for (const { description } of tools) expect(description).toMatch(/PINs and links are hidden/)
    await client.end()
  })

  it('is shown when its owner started the command so', async () => {
    const refid = newRefid()
    await payer.pay({ refid, product: 'PINTEN', account: PHONE, amount: 10 })
    const { pin } = await payer.untilStatus(
      { refid, product: 'PINTEN', account: PHONE, amount: 10 },
      'Succesful',
    )
    const client = await open(['--show-pins'])
    for (const { content } of await readAll(client, refid)) expect(content[0]?.text).toContain(pin)
    await client.end()
  })
})
