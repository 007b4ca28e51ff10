import { randomBytes } from 'node:crypto'
import type { FailureCode } from '../../../lib/failure-codes.ts'
import type { Outbound, OutboundRequest, OutboundResult } from '../../../outbound/types.ts'
import { UnwritableValue } from '../language/filters.rules.ts'
import { parseExactJson } from '../language/numbers.rules.ts'
import type {
  OperationOf,
  OperationRequest,
  ResponseReading,
  SecretReference,
  Values,
} from '../language/types.ts'
import type { Order } from '../port/types.ts'
import type { Authentication, Proof } from './auth.service.ts'
import type { HttpConfig } from './config.rules.ts'
import type { Answer } from './mapping.rules.ts'
import { orderValues } from './values.rules.ts'
import { writeRequest } from './writing.rules.ts'

/** Result of a request to the supplier. */
export type Asked =
  | ({
      readonly kind: 'answered'
      /** Texts of the request that are as secret as what they were made of. */
      readonly made: readonly string[]
      readonly headers: Readonly<Record<string, string>>
      readonly body: Buffer
    } & Answer)
  /**
   * Certainly nothing was sent. A code means that the request itself was the cause, whatever the supplier's health.
   * `isOver` means that the time in which it could be sent was over.
   */
  | {
      readonly kind: 'not_sent'
      readonly reason: string
      readonly code?: FailureCode
      readonly isOver?: boolean
    }
  /** The supplier may have received the request, and answered it. */
  | { readonly kind: 'lost'; readonly reason: string }

export type Question = {
  readonly request: OperationRequest
  readonly values: Values
  /** The answer names its order. An answer that does not must not share a connection with other answers. */
  readonly isNamed: boolean
  /** Time for which the lookup of the supplier's host name is repeated while it fails; left out: no repetition. */
  readonly resolvesWithinMs?: number
  /** Limit of an answer that the caller reads itself, from its bytes; left out: the usual one, and it is read as JSON. */
  readonly bytesMax?: number
  /** Latest time to send, on leaseNowMs's clock; checked right before the first byte is written. */
  readonly notAfterMs?: number | undefined
}

export type Ask = (question: Question, signal: AbortSignal) => Promise<Asked>

/** Builds the question about an order, for any operation. */
export function questionAbout(
  order: Order,
  config: HttpConfig,
  { request, response }: OperationOf<Pick<ResponseReading<string>, 'reference' | 'list'>>,
): Question {
  // An empty list names nothing.
  const isNamed = response.reference !== null && response.list === null
  return { request, values: orderValues(order, config), isNamed }
}

export type ClientSettings = {
  config: Pick<HttpConfig, 'baseUrl' | 'headers'>
  secretOf: (reference: SecretReference) => string
  authentication: Authentication
  outbound: Outbound
  connectionsMax: number
  nowMs: () => number
}

const ANSWER_BYTES_MAX = 1_024 * 1_024
const UNAUTHORIZED = 401
const NONCE_BYTES = 16
const BAD_DENOMINATION = 61
const REJECTED = 48

/** Creates a client that never rejects. Neither requests nor answers are logged or quoted. */
export function createClient(settings: ClientSettings): Ask {
  const { authentication, config, secretOf, outbound, connectionsMax, nowMs } = settings

  async function send(
    { request: operation, values, isNamed, bytesMax, resolvesWithinMs = 0, notAfterMs }: Question,
    signal: AbortSignal,
    beforeSending: () => void,
  ) {
    const now = new Date(nowMs())
    const nonce = randomBytes(NONCE_BYTES).toString('hex')
    const made: string[] = []
    const request = writeRequest(config, operation, {
      values: { ...values, timestamp: now, nonce },
      secretOf,
      onMade: (secret) => made.push(secret),
    })
    const proof = await authentication.prove({ ...request, nonce, now }, signal)
    if (!proof.ok) return { proof, made, result: undefined }
    const { body, ...rest } = request
    const full: OutboundRequest = {
      ...rest,
      headers: { ...request.headers, ...proof.headers },
      ...(body !== undefined && { body }),
      answerBytesMax: bytesMax ?? ANSWER_BYTES_MAX,
      connectionsMax,
      ownConnection: !isNamed,
      resolvesWithinMs,
      signal,
      ...(notAfterMs !== undefined && { notAfterMs }),
    }
    beforeSending()
    return { proof, made, result: await outbound.send(full) }
  }

  return async (question, signal) => {
    let isUnderway = false
    const begin = () => {
      isUnderway = true
    }
    try {
      const first = await send(question, signal, begin)
      isUnderway = false
      // A request answered 401 was not served, so it is sent once more if a fresh proof is possible.
      const isUnbelieved = first.result?.kind === 'answered' && first.result.status === UNAUTHORIZED
      const last =
        isUnbelieved && authentication.renew(first.proof) ? await send(question, signal, begin) : first
      return askedOf(last, question)
    } catch (error) {
      if (error instanceof UnwritableValue) {
        const code = error.isAmount ? BAD_DENOMINATION : REJECTED
        return { kind: 'not_sent', reason: error.message, code }
      }
      return isUnderway
        ? { kind: 'lost', reason: 'sending it went wrong' }
        : { kind: 'not_sent', reason: 'it could not be prepared' }
    }
  }
}

type Sent = {
  readonly proof: Proof
  readonly made: readonly string[]
  readonly result: OutboundResult | undefined
}

function askedOf({ proof, made, result }: Sent, { bytesMax }: Question): Asked {
  if (result === undefined) return { kind: 'not_sent', reason: proof.ok ? 'nothing was sent' : proof.reason }
  if (result.kind === 'answered') {
    const { status, headers, body } = result
    const json = bytesMax === undefined ? parseJson(body) : undefined
    return { kind: 'answered', status, headers, body, json, made }
  }
  if (result.wasSent) return { kind: 'lost', reason: result.reason }
  return { kind: 'not_sent', reason: result.reason, isOver: result.stage === 'too_late' }
}

/**
 * Returns undefined when it is not JSON. Invalid UTF-8 is refused, because a serial number could be among the bytes.
 */
function parseJson(body: Buffer): unknown {
  try {
    return parseExactJson(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return undefined
  }
}
