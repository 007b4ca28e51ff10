import type { Socket } from 'node:net'
import { connect, createServer } from 'node:net'
import type { Target } from '../faults/tcp-proxy.ts'

/** Counter of the statements that a service sends to its database, on the wire between them. */
export type StatementCounter = {
  readonly port: number
  /** Returns the statements since the last call: their names, or the texts of those without one. */
  take(): string[]
  close(): Promise<void>
}

const TYPE_BYTES = 1
const LENGTH_BYTES = 4

export async function startStatementCounter(target: Target): Promise<StatementCounter> {
  let statements: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const behind = connect(target)
    for (const socket of [client, behind]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        client.destroy()
        behind.destroy()
      })
    }
    const read = readerOf((statement) => statements.push(statement))
    client.on('data', read)
    client.pipe(behind)
    behind.pipe(client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the counter has no port')
  return {
    port: address.port,
    take() {
      const taken = statements
      statements = []
      return taken
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

type Message = { readonly type: string; readonly content: Buffer }

/** Reads the messages of one client, and names the statement of each that runs one. */
function readerOf(onStatement: (statement: string) => void): (chunk: Buffer) => void {
  const texts = new Map<string, string>()
  const cut = cutterOf()
  let bound = ''
  return (chunk) => {
    for (const { type, content } of cut(chunk)) {
      const [first = '', second = ''] = content.toString('latin1').split('\0')
      if (type === 'Q') onStatement(first)
      else if (type === 'P') texts.set(first, first === '' ? second : first)
      else if (type === 'B') bound = texts.get(second) ?? second
      else if (type === 'E') onStatement(bound)
    }
  }
}

/** Cuts bytes into messages: a start without a type, then messages of a type, a length and a content. */
function cutterOf(): (chunk: Buffer) => Message[] {
  let pending: Buffer = Buffer.alloc(0)
  let typeBytes = 0
  return (chunk) => {
    pending = Buffer.concat([pending, chunk])
    const messages: Message[] = []
    while (pending.length >= typeBytes + LENGTH_BYTES) {
      const end = typeBytes + pending.readUInt32BE(typeBytes)
      if (pending.length < end) break
      const type = pending.subarray(0, typeBytes).toString('latin1')
      messages.push({ type, content: pending.subarray(typeBytes + LENGTH_BYTES, end) })
      pending = pending.subarray(end)
      typeBytes = TYPE_BYTES
    }
    return messages
  }
}
