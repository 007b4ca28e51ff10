import { Type } from 'typebox'
import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { NO_MASKS } from '../../../lib/secrets/masks.ts'
import type { Authenticator } from '../../auth/service.ts'
import { masksFor } from '../../payments/core/masks.service.ts'
import {
  CALLBACK_HOOK,
  CallbackParameters,
  CallbackResponse,
  CallbackSecretResponse,
  GraceBody,
  NewCallbackSecretResponse,
} from './endpoints.schemas.ts'
import type { Endpoints } from './endpoints.service.ts'
import { callbackSecretView, callbackView } from './endpoints.view.ts'

const { base, stream, tag } = CALLBACK_HOOK

export type CallbackUrlSettings = {
  readonly authenticate: Authenticator
  readonly endpoints: Endpoints
  readonly now: () => Date
  /** Addresses that deliveries come from, for the documentation; empty: the operator has not configured any. */
  readonly senderAddresses: readonly string[]
}

export function callbackUrlOperations(settings: CallbackUrlSettings): Operation[] {
  return [...urlOperations(settings), ...secretOperations(settings)]
}

function urlOperations({ authenticate, endpoints, now, senderAddresses }: CallbackUrlSettings): Operation[] {
  return [
    operation({
      method: 'GET',
      path: base,
      docs: {
        operationId: 'getCallbackUrl',
        summary: 'Show the receiver of transaction callbacks',
        description: sendersText(senderAddresses),
        tag,
      },
      schemas: { responses: { 200: CallbackResponse } },
      authenticate: authenticate('read'),
      async handle({ caller }) {
        const endpoint = await endpoints.find(caller.reseller.id, stream)
        return { status: 200, body: callbackView(endpoint, now(), masksFor(caller)) }
      },
    }),
    operation({
      method: 'POST',
      path: base,
      docs: {
        operationId: 'setCallbackUrl',
        summary: 'Set where transaction callbacks are sent',
        description:
          'URL and method stand in the signed query; a body is not read. The secret that signs callbacks is made ' +
          'with the first URL and kept by later ones; rotate it to see it. Fragments, credentials and addresses ' +
          `that are not on the open internet are refused. ${sendersText(senderAddresses)}`,
        tag,
      },
      schemas: {
        query: CallbackParameters,
        responses: { 200: CallbackResponse },
      },
      authenticate: authenticate('configure'),
      async handle({ caller, query }) {
        const wanted = { url: query.url, method: query.method }
        const { endpoint } = await endpoints.putCallback(caller.reseller.id, wanted)
        return { status: 200, body: callbackView(endpoint, now(), NO_MASKS) }
      },
    }),
    operation({
      method: 'DELETE',
      path: base,
      docs: {
        operationId: 'deleteCallbackUrl',
        summary: 'Stop transaction callbacks',
        description: 'The secret goes with the URL. Removing what is not there is as good.',
        tag,
      },
      schemas: { responses: { 204: Type.Null() } },
      authenticate: authenticate('configure'),
      async handle({ caller }) {
        await endpoints.remove(caller.reseller.id, stream)
        return { status: 204, body: null }
      },
    }),
  ]
}

function secretOperations({ authenticate, endpoints }: CallbackUrlSettings): Operation[] {
  return [
    operation({
      method: 'GET',
      path: `${base}/secret`,
      docs: {
        operationId: 'getCallbackSecret',
        summary: 'Which secret signs transaction callbacks',
        description: 'Its end alone; the whole is shown once, by rotating it.',
        tag,
      },
      schemas: { responses: { 200: CallbackSecretResponse } },
      authenticate: authenticate('read'),
      async handle({ caller }) {
        const endpoint = await endpoints.find(caller.reseller.id, stream)
        return { status: 200, body: callbackSecretView(endpoint) }
      },
    }),
    operation({
      method: 'POST',
      path: `${base}/secret/rotate`,
      docs: {
        operationId: 'rotateCallbackSecret',
        summary: 'Make a new secret for transaction callbacks',
        description:
          'It is shown this once, and the old one ends at once, or signs beside it for the grace period that is ' +
          'asked for.',
        tag,
      },
      schemas: {
        body: GraceBody,
        responses: { 200: NewCallbackSecretResponse },
      },
      also: [404],
      authenticate: authenticate('configure'),
      async handle({ caller, body }) {
        const { secret } = await endpoints.rotateSecret(caller.reseller.id, stream, body.grace_seconds)
        return { status: 200, body: { webhook_secret: secret } }
      },
    }),
  ]
}

function sendersText(addresses: readonly string[]): string {
  return addresses.length === 0
    ? 'Callbacks are told from others by their signature.'
    : `Callbacks and webhooks come from ${addresses.join(', ')}.`
}
