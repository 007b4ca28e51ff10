import type { ServerResponse } from 'node:http'
import { STATUS_CODES } from 'node:http'
import { RequestError } from '../../../lib/errors.ts'
import type { SignedQuestion } from './auth.service.ts'
import type { Reply, Task } from './handlers.service.ts'
import { refuse } from './handlers.service.ts'
import type { CallbackFaultKind, Fault, FaultKind } from './types.ts'
import { CALLBACK_FAULT_KINDS } from './types.ts'
import { EXCHANGE_HEADER } from './wire.schemas.ts'

// Sends the simulator's answers, correct and faulty.

export type Slowly = (ms: number) => Promise<void>

export type SpoiltExchange = {
  fault: Fault
  task: Task
  question: SignedQuestion
  response: ServerResponse
  slowly: Slowly
}

/** More bytes than any client should read. */
const HUGE_BYTES = 4 * 1_024 * 1_024

export function act(task: Task): Reply | undefined {
  try {
    return task.act()
  } catch (error) {
    return replyToTrouble(error)
  }
}

export function replyToTrouble(error: unknown): Reply {
  if (!(error instanceof RequestError)) throw error
  const problems = Object.values(error.fields ?? {}).flat()
  return refuse(error.status, error.code, [error.publicText, ...problems].join(' ').slice(0, 500))
}

export async function send(response: ServerResponse, reply: Reply | undefined): Promise<void> {
  if (reply === undefined) return
  await reply.after
  if (reply.csv !== undefined) sendText(response, reply.status, reply.csv, 'text/csv; charset=utf-8')
  else sendText(response, reply.status, textOf(reply))
}

const ACTS_FIRST: ReadonlySet<FaultKind> = new Set([
  'none',
  'hang',
  'error_after',
  'garbage',
  'echo',
  'huge',
  'truncated',
  'trickle',
  'not_http',
  'drop_after',
  'reset_after',
  'duplicate_answer',
])

export async function answerBadly(exchange: SpoiltExchange): Promise<void> {
  const { fault, task, response, slowly } = exchange
  if (fault.kind === 'slow') {
    await slowly(fault.delayMs)
    return send(response, act(task))
  }
  const reply = ACTS_FIRST.has(fault.kind) ? act(task) : undefined
  await reply?.after
  // A request that is never answered gets no faulty answer either.
  if (ACTS_FIRST.has(fault.kind) && reply === undefined) return
  return spoil(exchange, reply ?? refuse(500, 'internal_error', 'Something went wrong.'))
}

async function spoil({ fault, question, response, slowly }: SpoiltExchange, reply: Reply): Promise<void> {
  switch (fault.kind) {
    case 'hang':
    case 'hang_before':
      return
    case 'error_before':
    case 'error_after':
      return send(response, refuse(500, 'internal_error', 'Something went wrong.'))
    case 'garbage':
      return sendText(response, 200, '<html><body>It works!</body></html>')
    case 'echo':
      return sendText(response, 200, echoOf(question), 'text/html')
    case 'huge':
      return sendText(response, reply.status, `${textOf(reply)}${' '.repeat(HUGE_BYTES)}`)
    case 'truncated':
      return sendHalf(response, reply)
    case 'trickle':
      return sendSlowly(response, reply, () => slowly(fault.delayMs))
    case 'not_http':
      response.socket?.end('220 mail.example.com ESMTP ready\r\n')
      return
    case 'drop_before':
    case 'drop_after':
      response.destroy()
      return
    case 'reset_before':
    case 'reset_after':
      response.socket?.resetAndDestroy()
      return
    case 'duplicate_answer':
      return sendTwice(response, reply)
    case 'redirect':
      response.setHeader('Location', '/elsewhere')
      return send(response, { status: 307, body: {} })
    case 'unauthorized':
      return send(response, refuse(401, 'unauthorized', 'Say who you are.'))
    case 'outage':
      return send(response, refuse(503, 'outage', 'The simulator is out of service.'))
    case 'slow':
    case 'none':
      return send(response, reply)
    default:
      // Faults of callbacks leave the answer as it is: they spoil what is sent afterwards.
      return isCallbackFault(fault.kind) ? send(response, reply) : (fault.kind satisfies never)
  }
}

function isCallbackFault(kind: FaultKind): kind is CallbackFaultKind {
  return CALLBACK_FAULT_KINDS.some((each) => each === kind)
}

function textOf(reply: Reply): string {
  return JSON.stringify(reply.body)
}

function sendText(response: ServerResponse, status: number, text: string, type = 'application/json'): void {
  // The client may be gone by now; the action stays done.
  if (response.destroyed) return
  response.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(text) })
  response.end(text)
}

/** Shows the request, as a careless proxy does when something breaks behind it. */
function echoOf({ method, url, headers, body }: SignedQuestion): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return `<pre>${[`${method} ${url}`, ...lines, '', body].join('\n')}</pre>`
}

/** Announces the whole length and ends in the middle. */
function sendHalf(response: ServerResponse, reply: Reply): void {
  const { socket } = response
  if (response.destroyed || socket === null) return
  const text = textOf(reply)
  response.writeHead(reply.status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
  })
  response.write(text.slice(0, text.length / 2), () => socket.end())
}

async function sendSlowly(response: ServerResponse, reply: Reply, pause: () => Promise<void>): Promise<void> {
  const bytes = Buffer.from(textOf(reply))
  response.writeHead(reply.status, { 'Content-Type': 'application/json', 'Content-Length': bytes.length })
  for (const byte of bytes) {
    if (response.destroyed) return
    response.write(Buffer.of(byte))
    await pause()
  }
  response.end()
}

/** Sends the same answer again, which a careless client takes for the answer to its next request. */
async function sendTwice(response: ServerResponse, reply: Reply): Promise<void> {
  const { socket } = response
  if (socket === null) return
  const text = textOf(reply)
  const head = [
    `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status]}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
    ...[response.getHeader(EXCHANGE_HEADER) ?? []].flat().map((id) => `${EXCHANGE_HEADER}: ${id}`),
  ]
  response.once('finish', () => socket.write(`${head.join('\r\n')}\r\n\r\n${text}`))
  await send(response, reply)
}
