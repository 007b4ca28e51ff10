import { Type } from 'typebox'
import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import type { RequestError } from '../../../lib/errors.ts'
import { invalidFields } from '../../../lib/errors.ts'
import type { Put } from '../../events/endpoints/endpoints.service.ts'
import type { Endpoint } from '../../events/endpoints/endpoints.types.ts'
import { STREAM_TRAITS } from '../../events/streams.rules.ts'
import type { Stream } from '../../events/types.ts'
import { STREAMS } from '../../events/types.ts'
import type { MemberCaller } from '../../sessions/people/types.ts'
import { notFound, urlsFor } from '../access/access.service.ts'
import { loggedEndpoint } from '../access/log.service.ts'
import type { PortalSettings } from '../access/types.ts'
import {
  ChangeEndpointBody,
  ENDPOINT,
  EndpointResponse,
  EndpointsResponse,
  PutEndpointBody,
  PutEndpointResponse,
  RotateSecretBody,
  SecretResponse,
  StreamParams,
  TestBody,
  TestResponse,
} from './endpoints.codec.ts'
import { readStream } from './endpoints.rules.ts'

const TAG = 'Endpoints'
const PATH = '/portal/v1/endpoints'

export function portalEndpointOperations(settings: PortalSettings): Operation[] {
  return [...configurationOperations(settings), ...secretOperations(settings)]
}

/** Stream of the path. The path's schema lets only streams through. */
export function streamOf({ stream }: { stream: string }): Stream {
  const known = readStream(stream)
  if (known === undefined) throw notFound('stream')
  return known
}

async function shown(settings: PortalSettings, caller: MemberCaller, stream: Stream, given?: Endpoint) {
  const { endpoints } = settings
  const resellerId = caller.reseller.id
  const endpoint = given ?? (await endpoints.find(resellerId, stream))
  const pending = endpoint === undefined ? 0 : (await endpoints.getStatus(resellerId, stream)).pending
  return ENDPOINT.encode({ stream, endpoint, pending, showUrl: urlsFor(caller) })
}

function configurationOperations(settings: PortalSettings): Operation[] {
  const { authenticate, endpoints } = settings
  return [
    operation({
      method: 'GET',
      path: PATH,
      docs: {
        operationId: 'portalListEndpoints',
        summary: 'List the receivers of events and their state',
        tag: TAG,
      },
      schemas: { responses: { 200: EndpointsResponse } },
      authenticate: authenticate('developers.read'),
      async handle({ caller }) {
        const data = await Promise.all(STREAMS.map((stream) => shown(settings, caller, stream)))
        return { status: 200, body: { data } }
      },
    }),
    operation({
      method: 'PUT',
      path: `${PATH}/:stream`,
      docs: {
        operationId: 'portalPutEndpoint',
        summary: 'Configure an endpoint, or change its URL',
        description: 'A new one answers with its secret, which is shown this once.',
        tag: TAG,
      },
      schemas: {
        params: StreamParams,
        body: PutEndpointBody,
        responses: { 200: PutEndpointResponse },
      },
      authenticate: authenticate('developers.write'),
      async handle({ caller, params, body }) {
        const stream = streamOf(params)
        const { id } = caller.reseller
        const write = loggedEndpoint(settings, caller, 'endpoint.set', stream)
        const put: Put =
          stream === 'callback'
            ? await endpoints.putCallback(id, { url: body.url, method: body.method ?? 'POST' }, write)
            : await endpoints.putWebhook(id, stream, body.url, write)
        const data = { ...(await shown(settings, caller, stream, put.endpoint)), secret: put.secret ?? null }
        return { status: 200, body: { data } }
      },
    }),
    operation({
      method: 'PATCH',
      path: `${PATH}/:stream`,
      docs: {
        operationId: 'portalChangeEndpoint',
        summary: 'Switch a webhook on or off, or choose its events',
        description: 'Events while it is off are not sent later; the event feed has them.',
        tag: TAG,
      },
      schemas: {
        params: StreamParams,
        body: ChangeEndpointBody,
        responses: { 200: EndpointResponse },
      },
      authenticate: authenticate('developers.write'),
      async handle({ caller, params, body }) {
        const stream = streamOf(params)
        const { id } = caller.reseller
        if (stream === 'callback') throw invalidFields({ stream: ['Callbacks are changed by their URL.'] })
        if (body.types !== undefined && !STREAM_TRAITS[stream].hasChoiceOfTypes) {
          throw invalidFields({ types: ['Only the balance webhook has a choice of events.'] })
        }
        if (body.types === undefined && body.enabled === undefined) throw nothingToChange()
        const write = loggedEndpoint(settings, caller, 'endpoint.update', stream)
        if (body.types !== undefined) await endpoints.setTypes(id, body.types, write)
        if (body.enabled !== undefined) await endpoints.setEnabled(id, stream, body.enabled, write)
        return { status: 200, body: { data: await shown(settings, caller, stream) } }
      },
    }),
    operation({
      method: 'DELETE',
      path: `${PATH}/:stream`,
      docs: {
        operationId: 'portalDeleteEndpoint',
        summary: 'Remove an endpoint and its secret',
        description: 'Removing what is not there is as good.',
        tag: TAG,
      },
      schemas: { params: StreamParams, responses: { 204: Type.Null() } },
      authenticate: authenticate('developers.write'),
      async handle({ caller, params }) {
        const stream = streamOf(params)
        const write = loggedEndpoint(settings, caller, 'endpoint.remove', stream)
        await endpoints.remove(caller.reseller.id, stream, write)
        return { status: 204, body: null }
      },
    }),
  ]
}

function nothingToChange(): RequestError {
  return invalidFields({ body: ['Say what to change: enabled, types or both.'] })
}

function secretOperations(settings: PortalSettings): Operation[] {
  const { authenticate, endpoints, testEvents } = settings
  return [
    operation({
      method: 'POST',
      path: `${PATH}/:stream/secret`,
      docs: {
        operationId: 'portalRotateEndpointSecret',
        summary: 'Make a new secret',
        description: 'It is shown this once; the old one ends at once, or after the grace that is asked for.',
        tag: TAG,
      },
      schemas: {
        params: StreamParams,
        body: RotateSecretBody,
        responses: { 200: SecretResponse },
      },
      authenticate: authenticate('developers.write'),
      async handle({ caller, params, body }) {
        const stream = streamOf(params)
        const { id } = caller.reseller
        const write = loggedEndpoint(settings, caller, 'endpoint.rotate', stream)
        const { endpoint, secret } = await endpoints.rotateSecret(id, stream, body.grace_seconds, write)
        const data = { ...(await shown(settings, caller, stream, endpoint)), secret }
        return { status: 200, body: { data } }
      },
    }),
    operation({
      method: 'POST',
      path: `${PATH}/:stream/test`,
      docs: {
        operationId: 'portalTestEndpoint',
        summary: 'Send a test event',
        description: 'Tried once, signed like any other; at most 10 a minute.',
        tag: TAG,
      },
      schemas: {
        params: StreamParams,
        body: TestBody,
        responses: { 200: TestResponse },
      },
      also: [429],
      authenticate: authenticate('developers.write'),
      async handle({ caller, params, body, request }) {
        const wanted = { type: body.type, deadlineMs: request.deadlineMs }
        const { jobId, eventId } = await testEvents.send(caller.reseller, streamOf(params), wanted)
        return { status: 200, body: { data: { delivery_id: jobId, event_id: eventId } } }
      },
    }),
  ]
}
