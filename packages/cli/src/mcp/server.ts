import { createInterface } from 'node:readline'
import type { Io } from '../io.ts'
import type { Session, Tool } from './tool.ts'

// Server of the Model Context Protocol over stdio: JSON-RPC 2.0, one message in a line.

export const PROTOCOL_VERSION = '2025-06-18'
const SERVER = { name: 'warung', title: 'Warung', version: '0.1.0' }
const INSTRUCTIONS =
  'Tools of one reseller account. Money is in ringgit (MYR). A payment is asked for with a refid, which never pays ' +
  'twice. An unknown outcome is not a failure: ask again with the same refid. How the API works: search_documentation.'

const CODES = { parse: -32700, invalidRequest: -32600, noMethod: -32601, invalidParams: -32602 } as const

type Id = string | number
type Message = {
  readonly jsonrpc?: unknown
  readonly id?: Id | null
  readonly method?: unknown
  readonly params?: Readonly<Record<string, unknown>>
  readonly result?: unknown
  readonly error?: unknown
}

class RpcError extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** Serves until the input ends. */
export async function serveMcp(io: Pick<Io, 'input' | 'out'>, tools: readonly Tool[]): Promise<void> {
  const send = (message: object) => io.out(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const server = createServer(tools, send)
  const underway = new Set<Promise<void>>()
  for await (const line of createInterface({ input: io.input })) {
    if (line.trim() === '') continue
    const message = parse(line)
    if (message === undefined) {
      send({ id: null, error: { code: CODES.parse, message: 'The line is not JSON.' } })
      continue
    }
    // A tool may wait for an answer of the client, so the next line is read meanwhile.
    const work: Promise<void> = server.take(message).finally(() => underway.delete(work))
    underway.add(work)
  }
  server.close()
  await Promise.all(underway)
}

/** Parses a line. A value that is not an object becomes a message without members, which is then refused. */
function parse(line: string): Message | undefined {
  try {
    const value = JSON.parse(line) as unknown
    return (typeof value === 'object' && value !== null ? value : {}) as Message
  } catch {
    return undefined
  }
}

function createServer(tools: readonly Tool[], send: (message: object) => void) {
  const asked = new Map<Id, { resolve(result: unknown): void; reject(error: Error): void }>()
  let isInitialized = false
  let canElicit = false
  let lastId = 0

  function request(method: string, params: object): Promise<unknown> {
    lastId += 1
    const id = `warung-${lastId}`
    return new Promise((resolve, reject) => {
      asked.set(id, { resolve, reject })
      send({ id, method, params })
    })
  }

  const session: Session = {
    canAsk: () => canElicit,
    async confirm(message) {
      if (!canElicit) return 'cannot_ask'
      const confirm = { type: 'boolean', title: 'Pay', description: 'true: carry out this payment' }
      const requestedSchema = { type: 'object', properties: { confirm }, required: ['confirm'] }
      const answer = (await request('elicitation/create', { message, requestedSchema })) as {
        action?: string
        content?: { confirm?: unknown }
      }
      return answer.action === 'accept' && answer.content?.confirm === true ? 'confirmed' : 'declined'
    },
  }

  function initialize(params: Readonly<Record<string, unknown>>) {
    isInitialized = true
    const capabilities = (params.capabilities ?? {}) as { elicitation?: unknown }
    canElicit = capabilities.elicitation !== undefined
    return {
      protocolVersion: PROTOCOL_VERSION,
      capabilities: { tools: { listChanged: false } },
      serverInfo: SERVER,
      instructions: INSTRUCTIONS,
    }
  }

  async function answer(method: string, params: Readonly<Record<string, unknown>>): Promise<object> {
    if (method === 'initialize') return initialize(params)
    if (method === 'ping') return {}
    if (!isInitialized) throw new RpcError(CODES.invalidRequest, 'The first request is initialize.')
    if (method === 'tools/list') return { tools: tools.map(describe) }
    if (method === 'tools/call') return callTool(params)
    throw new RpcError(CODES.noMethod, `There is no method ${method}.`)
  }

  async function callTool({ name, arguments: given }: Readonly<Record<string, unknown>>): Promise<object> {
    const tool = tools.find((each) => each.name === name)
    if (tool === undefined) throw new RpcError(CODES.invalidParams, `There is no tool ${String(name)}.`)
    const isObject = typeof given === 'object' && given !== null && !Array.isArray(given)
    if (given !== undefined && !isObject) throw new RpcError(CODES.invalidParams, 'arguments is an object.')
    return tool.call((given ?? {}) as Readonly<Record<string, unknown>>, session)
  }

  function settle({ id, result, error }: Message): void {
    const waiting = asked.get(id ?? '')
    asked.delete(id ?? '')
    if (error === undefined) waiting?.resolve(result)
    else waiting?.reject(new Error('The client could not ask its user.'))
  }

  return {
    async take(message: Message): Promise<void> {
      const { id, method, params = {} } = message
      if (typeof method !== 'string') {
        if (id !== undefined && id !== null && ('result' in message || 'error' in message)) settle(message)
        else send({ id: null, error: { code: CODES.invalidRequest, message: 'This is no request.' } })
        return
      }
      // A notification gets no answer.
      if (id === undefined) return
      try {
        send({ id, result: await answer(method, params) })
      } catch (error) {
        const code = error instanceof RpcError ? error.code : -32603
        send({ id, error: { code, message: (error as Error).message } })
      }
    },
    /** Ends questions that nobody will answer any more. */
    close() {
      for (const { reject } of asked.values()) reject(new Error('The client has gone.'))
      asked.clear()
    },
  }
}

function describe({ name, title, description, inputSchema, isReadOnly }: Tool) {
  const annotations = {
    title,
    readOnlyHint: isReadOnly,
    destructiveHint: !isReadOnly,
    idempotentHint: true,
    openWorldHint: true,
  }
  return { name, title, description, inputSchema, annotations }
}
