import type { Vault } from '../../../db/vault.ts'
import { createRegister } from '../../../lib/register.ts'
import type { Deadline } from '../../../outbound/deadline.ts'
import { startDeadline } from '../../../outbound/deadline.ts'
import type { Outbound, OutboundRequest, OutboundResult } from '../../../outbound/types.ts'
import { sealResponse } from '../endpoints/secrets.service.ts'
import { signatureHeaders } from '../endpoints/signing.rules.ts'
import type { Bearing, Outcome } from './attempt.rules.ts'
import { ANSWER_BYTES_MAX, answerText, judge, queryAsSent, withQuery } from './attempt.rules.ts'
import type { DueDelivery, Result, ToSend } from './deliveries.types.ts'
import { isTest, resultOf } from './due.service.ts'

export type Sent = {
  readonly result: Result
  /** Undefined: it says nothing about the receiver. */
  readonly bearing: Bearing | undefined
}

export type Sender = {
  /** Makes one attempt; undefined: it was cut off, and its outcome is not known. */
  send(ready: ToSend): Promise<Sent | undefined>
  /** Aborts all requests under way. */
  cutOff(): void
}

export type OnAttempted = (attempt: {
  readonly delivery: DueDelivery
  readonly outcome: Outcome
  /** HTTP status; 0: no answer. */
  readonly status: number
  /** Begin on performance.now's clock. */
  readonly startedMs: number
}) => void

/** High, because the window of a lane already bounds each receiver, and receivers of many accounts may share a host. */
const CONNECTIONS_MAX = 1_000

export function createSender(settings: {
  outbound: Outbound
  vault: Vault
  /** Limit of the whole exchange. */
  timeoutMs: number
  /** The database's clock, for the log. */
  nowMs: () => number
  /** Called after each attempt that was answered or failed. */
  onAttempted?: OnAttempted | undefined
}): Sender {
  const { outbound, vault, timeoutMs, nowMs, onAttempted } = settings
  const deadlines = createRegister<Deadline>()
  let isCutOff = false

  async function ask(ready: ToSend): Promise<OutboundResult> {
    const deadline = startDeadline(timeoutMs)
    const ticket = deadlines.add(deadline)
    try {
      return await outbound.send(requestOf(ready, deadline))
    } finally {
      deadline.clear()
      deadlines.remove(ticket)
    }
  }

  return {
    cutOff() {
      isCutOff = true
      deadlines.each((deadline) => deadline.end())
    },
    async send(ready) {
      const { delivery, target } = ready
      const at = new Date(nowMs())
      const startedMs = performance.now()
      const answer = await ask(ready)
      if (isCutOff && answer.kind === 'failed') return undefined
      const { outcome, bearing, status, error } = judge(answer, timeoutMs)
      onAttempted?.({ delivery, outcome, status, startedMs })
      const attempt = {
        at,
        ms: Math.round(performance.now() - startedMs),
        status,
        sealedResponse: sealResponse(vault, delivery.resellerId, delivery.id, textOf(answer)),
        url: target.url,
        method: target.method,
      }
      return { result: resultOf(delivery, { outcome, error, attempt }), bearing }
    },
  }
}

function textOf(answer: OutboundResult): string {
  return answer.kind === 'answered' ? answerText(answer.body) : ''
}

function requestOf({ delivery, target, text }: ToSend, signal: Deadline): OutboundRequest {
  const isGet = target.method === 'GET'
  const url = isGet ? withQuery(target.url, text) : target.url
  const headers = signatureHeaders({
    stream: delivery.stream,
    eventId: delivery.ref.eventId,
    timestampSeconds: Math.floor(Date.now() / 1_000),
    payload: isGet ? queryAsSent(url) : text,
    keys: target.keys,
  })
  if (!isGet) headers['content-type'] = 'application/json'
  if (isTest(delivery)) headers['x-webhook-test'] = 'true'
  return {
    method: target.method,
    url,
    headers,
    body: isGet ? undefined : text,
    answerBytesMax: ANSWER_BYTES_MAX,
    cutsAnswer: true,
    connectionsMax: CONNECTIONS_MAX,
    owner: String(delivery.resellerId),
    signal,
  }
}
