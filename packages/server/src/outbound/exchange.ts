import type { Dispatcher } from 'undici'
import { leaseNowMs } from '../lib/lease-time.ts'
import { REFUSED_ADDRESS } from './connector.ts'
import { gatherBytes } from './gathering.ts'
import type { Target } from './targets.rules.ts'
import type { FailureStage, OutboundRequest, OutboundResult } from './types.ts'

/**
 * Sends one request and reads its answer, on the dispatcher's lowest interface. Only that interface says when a request
 * begins to be written, which decides whether an order may be sent elsewhere. `onEnd` is called when the connection is
 * free again or gone. That is later than the result when the deadline passes while it is being opened.
 */
export function exchange(
  dispatcher: Dispatcher,
  target: Target,
  request: OutboundRequest,
  onEnd: () => void,
): Promise<OutboundResult> {
  return new Promise((resolve) => {
    const { signal, answerBytesMax, cutsAnswer = false } = request
    const gathered = gatherBytes()
    let status = 0
    let headers: Readonly<Record<string, string>> = {}
    let wasSent = false
    let isReadable = true
    let isSettled = false
    let controller: Dispatcher.DispatchController | undefined

    const settle = (result: OutboundResult) => {
      if (isSettled) return
      isSettled = true
      signal.removeEventListener('abort', giveUp)
      resolve(result)
    }
    const fail = (stage: FailureStage, reason: string) => {
      settle({ kind: 'failed', stage, wasSent, reason })
      controller?.abort(new Error(reason))
    }
    const answered = () => {
      settle({ kind: 'answered', status, headers, body: isReadable ? gathered.bytes() : Buffer.alloc(0) })
    }
    const cut = (rest: Buffer) => {
      gathered.add(rest)
      answered()
      controller?.abort(new Error(tooLarge(request)))
    }
    const giveUp = () => fail('timeout', wasSent ? 'no whole answer in time' : 'no connection in time')
    signal.addEventListener('abort', giveUp, { once: true })
    if (signal.aborted) {
      giveUp()
      onEnd()
      return
    }

    const handler: Dispatcher.DispatchHandler = {
      // The dispatcher calls this right before the first byte; after an abort in here none is written.
      onRequestStart(started) {
        controller = started
        if (isSettled) started.abort(new Error('the caller has given up'))
        // The client never repeats a request by itself in this configuration; a repeat would send an order twice.
        else if (wasSent) fail('lost', 'the connection broke off')
        else if (isOver(request)) fail('too_late', 'its time was over before it could be sent')
        else wasSent = true
      },
      onResponseStart(_, statusCode, received) {
        // 1xx is not the final answer.
        if (statusCode < 200) return
        status = statusCode
        isReadable = isPlain(received['content-encoding'])
        if (cutsAnswer) return
        headers = headersOf(received)
        if (!isReadable) fail('lost', 'the answer is compressed, unasked')
        else if (Number(headers['content-length'] ?? 0) > answerBytesMax) fail('too_large', tooLarge(request))
      },
      onResponseData(_, chunk) {
        const room = answerBytesMax - gathered.size()
        if (chunk.length <= room) gathered.add(chunk)
        else if (cutsAnswer) cut(chunk.subarray(0, room))
        else fail('too_large', tooLarge(request))
      },
      onResponseEnd() {
        answered()
        onEnd()
      },
      onResponseError(_, error) {
        const { stage, reason } = failureOf(error, wasSent, target.origin.startsWith('https:'))
        settle({ kind: 'failed', stage, wasSent, reason })
        onEnd()
      },
    }
    dispatcher.dispatch(
      {
        origin: target.origin,
        path: target.path,
        method: request.method,
        headers: lowerCased(request.headers),
        body: request.body ?? null,
        reset: request.ownConnection ?? false,
        // The signal is the only deadline.
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      handler,
    )
  })
}

function isOver({ notAfterMs }: OutboundRequest): boolean {
  return notAfterMs !== undefined && leaseNowMs() > notAfterMs
}

function isPlain(encoding: string | string[] | undefined): boolean {
  const name = String(encoding ?? '')
    .trim()
    .toLowerCase()
  return name === '' || name === 'identity'
}

function tooLarge({ answerBytesMax }: OutboundRequest): string {
  return `the answer is longer than ${answerBytesMax} bytes`
}

function lowerCased(headers: OutboundRequest['headers'] = {}): Record<string, string> {
  const lower: Record<string, string> = Object.assign(Object.create(null), { 'user-agent': 'Warung' })
  for (const name in headers) lower[name.toLowerCase()] = headers[name] ?? ''
  lower['accept-encoding'] = 'identity'
  return lower
}

function headersOf(received: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(received).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  )
}

/** Codes of the system and its resolver for a missing connection. Any other failure of https before sending is TLS. */
const NO_CONNECTION =
  /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|ETIMEDOUT|EADDRNOTAVAIL|EACCES|EPERM|EMFILE|ENFILE|ENOTFOUND|ENODATA|ESERVFAIL|EREFUSED|EAI_\w+|UND_ERR_\w+)$/

function failureOf(error: Error, wasSent: boolean, isTls: boolean): { stage: FailureStage; reason: string } {
  const { code = '' } = error as NodeJS.ErrnoException
  if (wasSent) {
    if (code === 'UND_ERR_HEADERS_OVERFLOW') return { stage: 'too_large', reason: 'the headers are too long' }
    return {
      stage: 'lost',
      reason: code.startsWith('HPE_') ? 'the answer is not HTTP' : describe(error, code),
    }
  }
  if (code === REFUSED_ADDRESS) return { stage: 'refused_address', reason: error.message }
  const stage = isTls && code !== '' && !NO_CONNECTION.test(code) ? 'tls' : 'not_connected'
  return { stage, reason: describe(error, code) }
}

/** Describes an error by its code rather than its text, which can quote received data. */
function describe(error: Error, code: string): string {
  if (code === 'UND_ERR_INVALID_ARG') return `the request cannot be sent: ${error.message}`
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return 'no connection in time'
  if (code === 'UND_ERR_SOCKET') return 'the connection broke off'
  return code === '' ? error.name : code
}
