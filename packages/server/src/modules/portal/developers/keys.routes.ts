import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { parseId } from '../../../lib/input/ids.ts'
import { listApiKeys } from '../../accounts/keys.service.ts'
import type { Scope } from '../../accounts/types.ts'
import { notFound } from '../access/access.service.ts'
import type { PortalSettings } from '../access/types.ts'
import {
  KeyParams,
  KeyResponse,
  KeysResponse,
  NewKeyBody,
  NewKeyResponse,
  RotateBody,
} from './keys.schemas.ts'
import { endKey, makeKey, replaceKey } from './keys.service.ts'
import { keyView, newKeyView } from './keys.view.ts'

const TAG = 'API keys'

export function portalKeyOperations(settings: PortalSettings): Operation[] {
  const { authenticate, database } = settings
  return [
    operation({
      method: 'GET',
      path: '/portal/v1/api-keys',
      docs: {
        operationId: 'portalListKeys',
        summary: 'API keys, newest first, ended ones included',
        tag: TAG,
      },
      schemas: { responses: { 200: KeysResponse } },
      authenticate: authenticate('viewer'),
      async handle({ caller }) {
        const keys = await listApiKeys(database, caller.reseller.id)
        return { status: 200, body: { data: keys.map(keyView) } }
      },
    }),
    operation({
      method: 'POST',
      path: '/portal/v1/api-keys',
      docs: {
        operationId: 'portalCreateKey',
        summary: 'Make an API key',
        description: 'Its signing secret is in this answer and in no other.',
        tag: TAG,
      },
      schemas: { body: NewKeyBody, responses: { 201: NewKeyResponse } },
      authenticate: authenticate('admin'),
      async handle({ caller, body }) {
        const { label } = body
        // An unknown scope is refused later, in a message that names it.
        const scopes = body.scopes as readonly Scope[] | undefined
        const key = await makeKey(settings, caller, { label, scopes })
        return { status: 201, body: { data: newKeyView(key) } }
      },
    }),
    operation({
      method: 'POST',
      path: '/portal/v1/api-keys/:id/rotate',
      docs: {
        operationId: 'portalRotateKey',
        summary: 'Put a new key and secret in the place of one',
        description: 'The old key ends at once, or works beside the new one for the grace that is asked for.',
        tag: TAG,
      },
      schemas: { params: KeyParams, body: RotateBody, responses: { 200: NewKeyResponse } },
      authenticate: authenticate('admin'),
      async handle({ caller, params, body }) {
        const graceSeconds = body.grace_seconds ?? 0
        const key = await replaceKey(settings, caller, idOf(params), { graceSeconds })
        return { status: 200, body: { data: newKeyView(key) } }
      },
    }),
    operation({
      method: 'DELETE',
      path: '/portal/v1/api-keys/:id',
      docs: {
        operationId: 'portalRevokeKey',
        summary: 'Revoke an API key',
        description: 'It stops working on every node within 5 seconds. Revoking it again changes nothing.',
        tag: TAG,
      },
      schemas: { params: KeyParams, responses: { 200: KeyResponse } },
      authenticate: authenticate('admin'),
      async handle({ caller, params }) {
        const key = await endKey(settings, caller, idOf(params))
        return { status: 200, body: { data: keyView(key) } }
      },
    }),
  ]
}

/** Reads the id of a key. Unknown, foreign and malformed ids get the same answer. */
function idOf({ id }: { id: string }): bigint {
  const known = parseId(id)
  if (known === undefined) throw notFound('API key')
  return known
}
