import { Type } from 'typebox'
import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { documentedAs, parameter } from '../../../http/parameters.ts'
import { ID } from '../../../lib/input/ids.ts'
import { EXACT, required } from '../../../lib/input/parameters.ts'
import { ALLOWED_NETWORK, KEY, LISTED_KEY, NEW_KEY } from '../../accounts/keys.codec.ts'
import { listAllowlist } from '../../accounts/keys.service.ts'
import type { AllowedNetwork } from '../../accounts/types.ts'
import {
  addNetworks,
  changeKey,
  createKey,
  removeNetwork,
  revokeKey,
  rotateKey,
} from '../../grants/keys.acts.ts'
import { accessStage, memberAct } from '../access/acts.service.ts'
import { listOf } from '../access/schemas.ts'
import type { PortalSettings } from '../access/types.ts'

const TAG = 'API keys'
const PATH = '/portal/v1/api-keys'

const KEY_ID = { id: documentedAs(ID, Type.String({ description: 'The id of an API key' })) }

export function portalKeyOperations(settings: PortalSettings): Operation[] {
  const stage = accessStage(settings)
  return [
    operation({
      method: 'GET',
      path: PATH,
      docs: {
        operationId: 'portalListKeys',
        summary: 'API keys, newest first, ended ones included',
        tag: TAG,
      },
      schemas: { responses: { 200: listOf(LISTED_KEY.schema) } },
      authenticate: settings.authenticate('developers.read'),
      async handle({ caller }) {
        const keys = await settings.countedKeys.list(caller.reseller.id)
        return { status: 200, body: { data: keys.map((key) => LISTED_KEY.encode(key)) } }
      },
    }),
    memberAct(stage, {
      act: createKey,
      method: 'POST',
      path: PATH,
      permission: 'developers.write',
      docs: {
        operationId: 'portalCreateKey',
        summary: 'Make an API key',
        description:
          'Its signing secret is in this answer and in no other. Unknown members are refused, so that no misspelt cap ' +
          'makes a key without one.',
        tag: TAG,
      },
      isStrict: true,
      without: ['withoutSecret'],
      status: 201,
      answer: NEW_KEY.schema,
      view: (key) => NEW_KEY.encode(key),
    }),
    memberAct(stage, {
      act: changeKey,
      method: 'PATCH',
      path: `${PATH}/:id`,
      permission: 'developers.write',
      docs: {
        operationId: 'portalChangeKey',
        summary: 'Change what an API key may do',
        description:
          'What is left out stays as it is; null takes a bound away. A key that works beside it since a rotation is ' +
          'changed with it. Every node knows it within 5 seconds.',
        tag: TAG,
      },
      isStrict: true,
      without: ['key'],
      schemas: KEY_ID,
      answer: Type.Object(KEY.schema.properties),
      view: (key) => KEY.encode(key),
    }),
    memberAct(stage, {
      act: rotateKey,
      method: 'POST',
      path: `${PATH}/:id/rotate`,
      permission: 'developers.write',
      docs: {
        operationId: 'portalRotateKey',
        summary: 'Put a new key and secret in the place of one',
        description: 'The old key ends at once, or works beside the new one for the grace that is asked for.',
        tag: TAG,
      },
      without: ['key'],
      schemas: KEY_ID,
      answer: NEW_KEY.schema,
      view: (key) => NEW_KEY.encode(key),
    }),
    memberAct(stage, {
      act: revokeKey,
      method: 'DELETE',
      path: `${PATH}/:id`,
      permission: 'developers.write',
      docs: {
        operationId: 'portalRevokeKey',
        summary: 'Revoke an API key',
        description: 'It stops working on every node within 5 seconds. Revoking it again changes nothing.',
        tag: TAG,
      },
      hasBody: false,
      without: ['key'],
      schemas: KEY_ID,
      answer: Type.Object(KEY.schema.properties),
      view: (key) => KEY.encode(key),
    }),
  ]
}

const ALLOWLIST = 'IP allowlist'
const ALLOWLIST_PATH = '/portal/v1/ip-allowlist'

export function portalAllowlistOperations(settings: PortalSettings): Operation[] {
  const { authenticate, database } = settings
  const stage = accessStage(settings)
  const answer = listOf(ALLOWED_NETWORK.schema)
  const view = (networks: readonly AllowedNetwork[]) => networks.map((each) => ALLOWED_NETWORK.encode(each))
  return [
    operation({
      method: 'GET',
      path: ALLOWLIST_PATH,
      docs: {
        operationId: 'portalListNetworks',
        summary: 'Addresses that may call the API; empty: every address',
        tag: ALLOWLIST,
      },
      schemas: { responses: { 200: answer } },
      authenticate: authenticate('developers.read'),
      async handle({ caller }) {
        return { status: 200, body: { data: view(await listAllowlist(database, caller.reseller.id)) } }
      },
    }),
    memberAct(stage, {
      act: addNetworks,
      method: 'POST',
      path: ALLOWLIST_PATH,
      permission: 'developers.write',
      docs: {
        operationId: 'portalAllowNetworks',
        summary: 'Allow addresses or CIDRs',
        description:
          'With the first entry every other address is refused: by the API altogether, here for paying. One that is ' +
          'there gets the label.',
        tag: ALLOWLIST,
      },
      answer: answer.properties.data,
      view,
    }),
    memberAct(stage, {
      act: removeNetwork,
      method: 'DELETE',
      path: ALLOWLIST_PATH,
      permission: 'developers.write',
      docs: {
        operationId: 'portalDisallowNetwork',
        summary: 'Take an entry off the allowlist',
        description: 'When the last one goes, every address may call again.',
        tag: ALLOWLIST,
      },
      hasBody: false,
      query: Type.Object({ network: parameter(required('network', EXACT), 'The entry to be taken away') }),
      answer: answer.properties.data,
      view,
    }),
  ]
}
