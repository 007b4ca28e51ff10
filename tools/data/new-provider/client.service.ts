import type { Outbound, OutboundResult } from '../../../outbound/types.ts'
import type { SampleAnswer, SampleConfig } from './types.ts'

/** Limit of an answer: more than any of Sample's answers. */
const ANSWER_BYTES_MAX = 64 * 1_024

/** Client of Sample. It never rejects. */
export type SampleClient = {
  /** Sends a request. `notAfterMs` is checked right before the first byte leaves. */
  send(
    method: 'GET' | 'POST',
    path: string,
    signal: AbortSignal,
    body?: unknown,
    notAfterMs?: number,
  ): Promise<SampleAnswer>
}

/** Makes the client of Sample: its address, our key, and what counts as an answer. */
export function createSampleClient(
  outbound: Outbound,
  config: Pick<SampleConfig, 'baseUrl' | 'concurrencyMax'>,
  apiKey: string,
): SampleClient {
  return {
    async send(method, path, signal, body, notAfterMs) {
      const result = await outbound.send({
        method,
        url: `${config.baseUrl}${path}`,
        headers: {
          accept: 'application/json',
          authorization: `Bearer ${apiKey}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        answerBytesMax: ANSWER_BYTES_MAX,
        connectionsMax: config.concurrencyMax,
        // Sample's answers do not name their order, so an answer that comes late or twice must not meet another order.
        // Leave this out only where the mapping compares the reference in every answer.
        ownConnection: true,
        signal,
        ...(notAfterMs !== undefined && { notAfterMs }),
      })
      return answerOf(result)
    },
  }
}

function answerOf(result: OutboundResult): SampleAnswer {
  if (result.kind === 'failed') {
    const { wasSent, stage, reason } = result
    return { kind: 'lost', wasSent, isOver: stage === 'too_late', reason }
  }
  try {
    // Bytes that are not UTF-8 are refused: a PIN could be among them.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(result.body)
    return { kind: 'answered', status: result.status, body: JSON.parse(text) }
  } catch {
    return { kind: 'lost', wasSent: true, reason: 'the answer is not JSON' }
  }
}
