import { randomBytes } from 'node:crypto'
import type { FailureCode } from '../../../lib/failure-codes.ts'
import { isPlainAscii } from '../../../lib/input/fields.ts'
import type { Outbound, OutboundRequest, OutboundResult } from '../../../outbound/types.ts'
import { percentEncode, renderText, renderValue, UnwritableValue } from '../language/template.rules.ts'
import type {
  BodyTemplate,
  OperationOf,
  OperationRequest,
  ResponseReading,
  SecretReference,
  TextSource,
  Values,
} from '../language/types.ts'
import type { Order } from '../port/types.ts'
import type { Authentication, Proof } from './auth.service.ts'
import type { HttpConfig } from './config.rules.ts'
import type { Answer } from './mapping.rules.ts'
import { orderValues } from './values.rules.ts'

/** Result of a request to the supplier. */
export type Asked =
  | ({ readonly kind: 'answered' } & Answer)
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
  const { authentication, outbound, connectionsMax, nowMs } = settings

  async function send(
    { request: operation, values, isNamed, resolvesWithinMs = 0, notAfterMs }: Question,
    signal: AbortSignal,
    beforeSending: () => void,
  ) {
    const now = new Date(nowMs())
    const nonce = randomBytes(NONCE_BYTES).toString('hex')
    const request = writeRequest(settings, operation, { ...values, timestamp: now, nonce })
    const proof = await authentication.prove({ ...request, nonce, now }, signal)
    if (!proof.ok) return { proof, result: undefined }
    const { body, ...rest } = request
    const full: OutboundRequest = {
      ...rest,
      headers: { ...request.headers, ...proof.headers },
      ...(body !== undefined && { body }),
      answerBytesMax: ANSWER_BYTES_MAX,
      connectionsMax,
      ownConnection: !isNamed,
      resolvesWithinMs,
      signal,
      ...(notAfterMs !== undefined && { notAfterMs }),
    }
    beforeSending()
    return { proof, result: await outbound.send(full) }
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
      return askedOf(last.proof, last.result)
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

function askedOf(proof: Proof, result: OutboundResult | undefined): Asked {
  if (result === undefined) return { kind: 'not_sent', reason: proof.ok ? 'nothing was sent' : proof.reason }
  if (result.kind === 'answered') {
    return { kind: 'answered', status: result.status, json: parseJson(result.body) }
  }
  if (result.wasSent) return { kind: 'lost', reason: result.reason }
  return { kind: 'not_sent', reason: result.reason, isOver: result.stage === 'too_late' }
}

/**
 * Returns undefined when it is not JSON. Invalid UTF-8 is refused, because a serial number could be among the bytes.
 */
function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return undefined
  }
}

// ── Writing a request ──

type Written = {
  readonly method: OperationRequest['method']
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** Throws UnwritableValue. */
function writeRequest(settings: ClientSettings, operation: OperationRequest, values: Values): Written {
  const { config, secretOf } = settings
  const textOf = (source: TextSource) =>
    'secret' in source ? secretOf(source) : renderText(source, values, (value) => value)
  const headers = [...config.headers, ...operation.headers].map(([name, source]) => {
    const text = textOf(source)
    if (!isPlainAscii(text)) throw new UnwritableValue(`the header ${name} cannot hold its value`)
    return [name.toLowerCase(), text] as const
  })
  const contentType =
    operation.body.kind === 'json'
      ? { 'content-type': 'application/json' }
      : operation.body.kind === 'form'
        ? { 'content-type': 'application/x-www-form-urlencoded' }
        : {}
  return {
    method: operation.method,
    url: writeUrl(config.baseUrl, operation, values, secretOf),
    headers: { accept: 'application/json', ...contentType, ...Object.fromEntries(headers) },
    body: writeBody(operation.body, values, secretOf),
  }
}

function writeUrl(
  baseUrl: string,
  { path, query }: OperationRequest,
  values: Values,
  secretOf: ClientSettings['secretOf'],
): string {
  const base = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  const written = renderText(path, values, (value) => {
    // `/orders/` or `/orders/..` would ask for something else.
    if (value === '' || /^\.{1,2}$/.test(value)) throw new UnwritableValue('a part of the path has no value')
    return percentEncode(value)
  })
  const parameters = formOf(query, values, secretOf)
  const text = `${baseUrl}${written}${parameters === '' ? '' : `?${parameters}`}`
  const full = URL.canParse(text) ? new URL(text) : undefined
  const expected = `${base?.pathname.replace(/\/+$/, '')}${written}`
  // The request must go where the configuration says, whatever the URL parser makes of the text.
  if (full === undefined || full.origin !== base?.origin || full.pathname !== expected) {
    throw new UnwritableValue('the path cannot be written')
  }
  return full.href
}

function writeBody(
  body: OperationRequest['body'],
  values: Values,
  secretOf: ClientSettings['secretOf'],
): string | undefined {
  switch (body.kind) {
    case 'none':
      return undefined
    case 'form':
      return formOf(body.fields, values, secretOf)
    case 'json':
      return JSON.stringify(jsonOf(body.template, values, secretOf))
  }
}

function formOf(
  fields: readonly (readonly [string, TextSource])[],
  values: Values,
  secretOf: ClientSettings['secretOf'],
): string {
  return fields
    .flatMap(([name, source]) => {
      const value = 'secret' in source ? secretOf(source) : renderValue(source, values)
      return value === undefined ? [] : [`${percentEncode(name)}=${percentEncode(String(value ?? ''))}`]
    })
    .join('&')
}

function jsonOf(template: BodyTemplate, values: Values, secretOf: ClientSettings['secretOf']): unknown {
  if ('constant' in template) return template.constant
  if ('secret' in template) return secretOf(template)
  if ('list' in template) return template.list.map((item) => jsonOf(item, values, secretOf) ?? null)
  if ('members' in template) {
    return Object.fromEntries(
      template.members.map(([name, member]) => [name, jsonOf(member, values, secretOf)]),
    )
  }
  return renderValue(template, values)
}
