import { createHmac } from 'node:crypto'
import { parseMoney } from '../../lib/money.ts'
import type { CallbackRequest, Outcome, Provider, Reversed } from '../../modules/providers/port/types.ts'
import { createScriptedProvider, OUTPUT, UNKNOWN } from './scripted-provider.ts'

// A provider that signs the callbacks that it sends.

export type Said = {
  id: string
  reference: string
  outcome?: 'succeeded' | 'failed' | 'pending' | 'unreadable' | 'reversed' | 'reversed_as_failed'
  amount?: string
}

const SECRET = 'the secret of a test'
const sign = (body: string) => createHmac('sha256', SECRET).update(body).digest('hex')

export const OUTCOMES = {
  succeeded: { kind: 'succeeded', output: OUTPUT },
  failed: { kind: 'failed', code: 48, reason: 'Rejected' },
  pending: { kind: 'pending' },
  unreadable: { kind: 'unknown', reason: 'a success without a readable pin' },
  reversed: { kind: 'reversed', reason: 'REFUNDED to\n60123456789' },
  reversed_as_failed: { kind: 'reversed', reason: 'REFUNDED', code: 48 },
} as const satisfies Record<NonNullable<Said['outcome']>, Outcome | Reversed>

export function signing(code: string): Provider {
  return {
    ...createScriptedProvider(UNKNOWN, UNKNOWN, { code }),
    callbacks: {
      readCallback({ headers, body }, now) {
        if (headers['x-signature'] !== sign(body.toString())) return { kind: 'refused', reason: 'signature' }
        if (Math.abs(now - Number(headers['x-time'])) > 300_000) return { kind: 'refused', reason: 'age' }
        const said = JSON.parse(body.toString()) as Said
        return {
          kind: 'news',
          id: said.id,
          reference: said.reference,
          outcome: said.outcome === undefined ? null : OUTCOMES[said.outcome],
          claimedAmount: said.amount === undefined ? null : (parseMoney(said.amount) ?? -1n),
        }
      },
    },
  }
}

export function requestOf(said: Said, time: number, signature?: string): CallbackRequest {
  const body = JSON.stringify(said)
  return {
    headers: { 'x-signature': signature ?? sign(body), 'x-time': String(time) },
    query: '',
    body: Buffer.from(body),
  }
}
