import type { CallbackCapability, CallbackReading, CallbackRequest } from '../port/types.ts'
import { isFresh, isSameText, signCallback } from './callbacks.rules.ts'
import { CALLBACK_HEADERS, isCallbackBody } from './wire.schemas.ts'
import { moneyOf, outcomeOfAnswer } from './wire.view.ts'

/** Reads the simulator's callbacks: the signature first, and nothing that is not signed. */
export function createCallbackReader(secret: string): CallbackCapability {
  return {
    readCallback(request, nowMs) {
      const refusal = refusalOf(secret, request, nowMs)
      return refusal === undefined ? readNews(request.body) : { kind: 'refused', reason: refusal }
    },
  }
}

function refusalOf(secret: string, { headers, body }: CallbackRequest, nowMs: number): string | undefined {
  const timestamp = headers[CALLBACK_HEADERS.timestamp]
  const signature = headers[CALLBACK_HEADERS.signature]
  if (timestamp === undefined || signature === undefined) return 'it is not signed'
  if (!isSameText(signature, signCallback(secret, timestamp, body))) return 'the signature is wrong'
  return isFresh(timestamp, nowMs) ? undefined : 'it was signed too long ago or is not yet due'
}

function readNews(body: Buffer): CallbackReading {
  const content = parseJson(body.toString('utf8'))
  if (!isCallbackBody(content)) return { kind: 'refused', reason: 'it is of no known form' }
  return {
    kind: 'news',
    id: content.id,
    reference: content.reference,
    outcome: outcomeOfAnswer(content),
    claimedAmount: moneyOf(content.amount),
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
