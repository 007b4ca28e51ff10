import { Type } from 'typebox'
import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import type { Authenticator } from '../../auth/service.ts'
import { masksFor } from '../../payments/core/masks.service.ts'
import { STREAM_TRAITS } from '../streams.rules.ts'
import type { Hook } from './endpoints.schemas.ts'
import {
  BALANCE_HOOK,
  EnabledBody,
  EnabledResponse,
  GraceBody,
  HOOKS,
  NoBody,
  PutWebhookResponse,
  RotatedResponse,
  StatusResponse,
  TypesBody,
  TypesResponse,
  WEBHOOK_HOOKS,
  WebhookBody,
  WebhookResponse,
} from './endpoints.schemas.ts'
import type { Endpoints } from './endpoints.service.ts'
import type { WebhookStream } from './endpoints.types.ts'
import { putWebhookView, statusView, webhookView } from './endpoints.view.ts'

/** All webhooks have the same operations, and the balance webhook two more; all streams have the status operation. */
export function endpointOperations(authenticate: Authenticator, endpoints: Endpoints): Operation[] {
  return [
    ...WEBHOOK_HOOKS.flatMap((hook) => [
      ...webhookOperations(authenticate, endpoints, hook),
      ...(hook.stream === 'balance' ? typesOperations(authenticate, endpoints) : []),
    ]),
    ...HOOKS.map((hook) => statusOperation(authenticate, endpoints, hook)),
  ]
}

function webhookOperations(
  authenticate: Authenticator,
  endpoints: Endpoints,
  hook: Hook<WebhookStream>,
): Operation[] {
  return [
    getWebhook(authenticate, endpoints, hook),
    putWebhook(authenticate, endpoints, hook),
    enableWebhook(authenticate, endpoints, hook),
    rotateWebhook(authenticate, endpoints, hook),
    deleteWebhook(authenticate, endpoints, hook),
  ]
}

function getWebhook(authenticate: Authenticator, endpoints: Endpoints, hook: Hook<WebhookStream>): Operation {
  const { stream, base, name, noun, tag } = hook
  return operation({
    method: 'GET',
    path: base,
    docs: { operationId: `get${name}`, summary: `The ${noun}'s configuration`, tag },
    schemas: { responses: { 200: WebhookResponse } },
    authenticate: authenticate('read'),
    async handle({ caller }) {
      const endpoint = await endpoints.find(caller.reseller.id, stream)
      return { status: 200, body: webhookView(endpoint, masksFor(caller)) }
    },
  })
}

const URL_RULES: Readonly<Record<WebhookStream, string>> = {
  balance: 'HTTPS in production, HTTP or HTTPS in staging.',
  catalog: 'HTTPS in both environments.',
  order: 'HTTPS in production, HTTP or HTTPS in staging.',
}

function putWebhook(authenticate: Authenticator, endpoints: Endpoints, hook: Hook<WebhookStream>): Operation {
  const { stream, base, name, noun, tag } = hook
  return operation({
    method: 'PUT',
    path: base,
    docs: {
      operationId: `put${name}`,
      summary: `Configure the ${noun}, or change its URL`,
      description:
        'A new configuration is enabled and answers with its secret, which is shown this once. A change keeps the ' +
        `secret and whether it is enabled. ${URL_RULES[stream]} Fragments, credentials and addresses that are not ` +
        'on the open internet are refused.',
      tag,
    },
    schemas: { body: WebhookBody, responses: { 200: PutWebhookResponse } },
    authenticate: authenticate('configure'),
    async handle({ caller, body }) {
      const put = await endpoints.putWebhook(caller.reseller.id, stream, body.url)
      return { status: 200, body: putWebhookView(put) }
    },
  })
}

function enableWebhook(
  authenticate: Authenticator,
  endpoints: Endpoints,
  hook: Hook<WebhookStream>,
): Operation {
  const { stream, base, name, noun, tag } = hook
  return operation({
    method: 'PATCH',
    path: `${base}/enabled`,
    docs: {
      operationId: `enable${name}`,
      summary: `Switch the ${noun} on or off`,
      description: 'Events while it is off are not sent later; the event feed has them.',
      tag,
    },
    schemas: {
      body: EnabledBody,
      responses: { 200: EnabledResponse },
    },
    also: [404],
    authenticate: authenticate('configure'),
    async handle({ caller, body }) {
      const { isEnabled } = await endpoints.setEnabled(caller.reseller.id, stream, body.enabled)
      return { status: 200, body: { enabled: isEnabled } }
    },
  })
}

function rotateWebhook(
  authenticate: Authenticator,
  endpoints: Endpoints,
  hook: Hook<WebhookStream>,
): Operation {
  const { stream, base, name, noun, tag } = hook
  const { hasGrace } = STREAM_TRAITS[stream]
  return operation({
    method: 'POST',
    path: `${base}/rotate-secret`,
    docs: {
      operationId: `rotate${name}Secret`,
      summary: `Make a new secret for the ${noun}`,
      description:
        'It is shown this once, and the old one ends at once' +
        (hasGrace ? ', or signs beside it for the grace period that is asked for.' : '.'),
      tag,
    },
    schemas: {
      body: hasGrace ? GraceBody : NoBody,
      responses: { 200: RotatedResponse },
    },
    also: [404],
    authenticate: authenticate('configure'),
    async handle({ caller, body }) {
      const rotated = await endpoints.rotateSecret(caller.reseller.id, stream, body.grace_seconds)
      const { endpoint, secret } = rotated
      const shown = { webhook_url: endpoint.url, webhook_secret: secret }
      return { status: 200, body: shown }
    },
  })
}

function deleteWebhook(
  authenticate: Authenticator,
  endpoints: Endpoints,
  hook: Hook<WebhookStream>,
): Operation {
  const { stream, base, name, noun, tag } = hook
  return operation({
    method: 'DELETE',
    path: base,
    docs: {
      operationId: `delete${name}`,
      summary: `Remove the ${noun}`,
      description: 'Its secret goes with it. Removing what is not there is as good.',
      tag,
    },
    schemas: { responses: { 204: Type.Null() } },
    authenticate: authenticate('configure'),
    async handle({ caller }) {
      await endpoints.remove(caller.reseller.id, stream)
      return { status: 204, body: null }
    },
  })
}

function typesOperations(authenticate: Authenticator, endpoints: Endpoints): Operation[] {
  const { base, name, tag } = BALANCE_HOOK
  const path = `${base}/types`
  return [
    operation({
      method: 'GET',
      path,
      docs: { operationId: `get${name}Types`, summary: 'Which events the balance webhook sends', tag },
      schemas: { responses: { 200: TypesResponse } },
      authenticate: authenticate('read'),
      async handle({ caller }) {
        const endpoint = await endpoints.find(caller.reseller.id, 'balance')
        return { status: 200, body: { types: endpoint?.types ?? [] } }
      },
    }),
    operation({
      method: 'PUT',
      path,
      docs: {
        operationId: `put${name}Types`,
        summary: 'Choose which events the balance webhook sends',
        description: 'At first balance.added alone. Receivers must be ready for every type that is chosen.',
        tag,
      },
      schemas: {
        body: TypesBody,
        responses: { 200: TypesResponse },
      },
      also: [404],
      authenticate: authenticate('configure'),
      async handle({ caller, body }) {
        const { types } = await endpoints.setTypes(caller.reseller.id, body.types)
        return { status: 200, body: { types } }
      },
    }),
  ]
}

function statusOperation(authenticate: Authenticator, endpoints: Endpoints, hook: Hook): Operation {
  const { stream, base, name, tag } = hook
  return operation({
    method: 'GET',
    path: `${base}/status`,
    docs: { operationId: `get${name}Status`, summary: 'Whether your receiver gets what is sent', tag },
    schemas: { responses: { 200: StatusResponse } },
    authenticate: authenticate('read'),
    async handle({ caller }) {
      return { status: 200, body: statusView(await endpoints.getStatus(caller.reseller.id, stream)) }
    },
  })
}
