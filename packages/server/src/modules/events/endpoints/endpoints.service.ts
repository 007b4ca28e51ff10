import type { Environment } from '../../../config.ts'
import type { Database } from '../../../db/database.ts'
import type { Vault } from '../../../db/vault.ts'
import type { Network } from '../../../lib/addresses.ts'
import { invalidFields } from '../../../lib/errors.ts'
import { readFields } from '../../../lib/input/fields.ts'
import { required } from '../../../lib/input/parameters.ts'
import type { Outbound } from '../../../outbound/types.ts'
import type { Stream } from '../types.ts'
import { BALANCE_TYPES_AT_FIRST } from '../types.ts'
import { METHOD, notConfigured, readGrace, TYPES } from './endpoints.rules.ts'
import type { EndpointKey, NewSecret } from './endpoints.sql.ts'
import {
  deleteEndpoint,
  findEndpoint,
  findStatus,
  putEndpoint,
  updateEnabled,
  updateSecret,
  updateTypes,
} from './endpoints.sql.ts'
import type { Endpoint, EndpointMethod, EndpointStatus, WebhookStream } from './endpoints.types.ts'
import type { AddressesOf } from './names.service.ts'
import { refusalOfName } from './names.service.ts'
import { newSecret, sealSecret } from './secrets.service.ts'
import { URL_TEXT, urlProblemOf } from './urls.rules.ts'

export type Put = {
  readonly endpoint: Endpoint
  /** Of a new one: shown this once. */
  readonly secret: string | undefined
}

export type Endpoints = {
  find(resellerId: bigint, stream: Stream): Promise<Endpoint | undefined>
  putWebhook(resellerId: bigint, stream: WebhookStream, url: unknown): Promise<Put>
  putCallback(resellerId: bigint, wanted: { url: unknown; method: unknown }): Promise<Put>
  setEnabled(resellerId: bigint, stream: WebhookStream, isEnabled: boolean): Promise<Endpoint>
  /** The old secret ends at once, or beside the new one after the seconds that were asked for. */
  rotateSecret(
    resellerId: bigint,
    stream: Stream,
    graceSeconds: unknown,
  ): Promise<{ endpoint: Endpoint; secret: string }>
  setTypes(resellerId: bigint, types: unknown): Promise<Endpoint>
  /** Nothing to remove is as good. */
  remove(resellerId: bigint, stream: Stream): Promise<void>
  getStatus(resellerId: bigint, stream: Stream): Promise<EndpointStatus>
}

export type EndpointsSettings = {
  readonly database: Database
  readonly vault: Vault
  readonly environment: Environment
  readonly outbound: Pick<Outbound, 'refusalOf'>
  /** Networks that are open although they are not the open internet. */
  readonly allow: readonly Network[]
  readonly addressesOf: AddressesOf
}

export function createEndpoints(settings: EndpointsSettings): Endpoints {
  const { database, vault } = settings

  function makeSecret({ resellerId, stream }: EndpointKey): NewSecret & { shown: string } {
    const shown = newSecret()
    return { shown, sealed: sealSecret(vault, resellerId, stream, shown), lastFour: shown.slice(-4) }
  }

  async function put(key: EndpointKey, url: string, method: EndpointMethod): Promise<Put> {
    await checkUrl(settings, key, url)
    const secret = makeSecret(key)
    const types = key.stream === 'balance' ? BALANCE_TYPES_AT_FIRST : []
    const { endpoint, isNew } = await putEndpoint(database, key, { url, method, types, secret })
    return { endpoint, secret: isNew ? secret.shown : undefined }
  }

  return {
    find: (resellerId, stream) => findEndpoint(database, { resellerId, stream }),
    putWebhook(resellerId, stream, url) {
      const wanted = readFields({ url: required('url', URL_TEXT) }, { url })
      return put({ resellerId, stream }, wanted.url, 'POST')
    },
    putCallback(resellerId, wanted) {
      const { url, method } = readFields({ url: required('url', URL_TEXT), method: METHOD }, wanted)
      return put({ resellerId, stream: 'callback' }, url, method)
    },
    async setEnabled(resellerId, stream, isEnabled) {
      return existing(stream, await updateEnabled(database, { resellerId, stream }, isEnabled))
    },
    async rotateSecret(resellerId, stream, wantedGrace) {
      const graceSeconds = readGrace(stream, wantedGrace)
      const key = { resellerId, stream }
      const secret = makeSecret(key)
      const endpoint = existing(stream, await updateSecret(database, key, secret, graceSeconds))
      return { endpoint, secret: secret.shown }
    },
    async setTypes(resellerId, wanted) {
      const { types } = readFields({ types: TYPES }, { types: wanted })
      return existing('balance', await updateTypes(database, { resellerId, stream: 'balance' }, types))
    },
    remove: (resellerId, stream) => deleteEndpoint(database, { resellerId, stream }),
    getStatus: (resellerId, stream) => findStatus(database, { resellerId, stream }),
  }
}

async function checkUrl(
  { environment, outbound, allow, addressesOf }: EndpointsSettings,
  { resellerId, stream }: EndpointKey,
  url: string,
): Promise<void> {
  const problem =
    urlProblemOf(stream, environment === 'production', outbound.refusalOf, url) ??
    (await refusalOfName(url, resellerId, allow, addressesOf))
  if (problem !== undefined) throw invalidFields({ url: [`The url field ${problem}.`] })
}

function existing(stream: Stream, endpoint: Endpoint | undefined): Endpoint {
  if (endpoint === undefined) throw notConfigured(stream)
  return endpoint
}
