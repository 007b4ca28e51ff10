import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { readFields } from '../../../lib/input/fields.ts'
import { EXACT, required } from '../../../lib/input/parameters.ts'
import { listAllowlist } from '../../accounts/keys.service.ts'
import { getReseller } from '../../accounts/service.ts'
import { networkView } from '../../accounts/view.ts'
import type { PortalSettings } from '../access/types.ts'
import { changeSettings } from '../team/service.ts'
import {
  NetworkParameters,
  NetworksBody,
  NetworksResponse,
  SettingsBody,
  SettingsResponse,
} from './keys.schemas.ts'
import { allow, disallow } from './keys.service.ts'
import { settingsView } from './keys.view.ts'

export function portalSettingsOperations(settings: PortalSettings): Operation[] {
  return [...allowlistOperations(settings), ...accountOperations(settings)]
}

const ALLOWLIST = 'IP allowlist'
const ALLOWLIST_PATH = '/portal/v1/ip-allowlist'

function allowlistOperations(settings: PortalSettings): Operation[] {
  const { authenticate, database } = settings
  return [
    operation({
      method: 'GET',
      path: ALLOWLIST_PATH,
      docs: {
        operationId: 'portalListNetworks',
        summary: 'Addresses that may call the API; empty: every address',
        tag: ALLOWLIST,
      },
      schemas: { responses: { 200: NetworksResponse } },
      authenticate: authenticate('viewer'),
      async handle({ caller }) {
        const networks = await listAllowlist(database, caller.reseller.id)
        return { status: 200, body: { data: networks.map(networkView) } }
      },
    }),
    operation({
      method: 'POST',
      path: ALLOWLIST_PATH,
      docs: {
        operationId: 'portalAllowNetworks',
        summary: 'Allow addresses or CIDRs',
        description:
          'With the first entry every other address is refused: by the API altogether, here for paying. One that is ' +
          'there gets the label.',
        tag: ALLOWLIST,
      },
      schemas: { body: NetworksBody, responses: { 200: NetworksResponse } },
      authenticate: authenticate('admin'),
      async handle({ caller, body }) {
        const networks = await allow(settings, caller, body)
        return { status: 200, body: { data: networks.map(networkView) } }
      },
    }),
    operation({
      method: 'DELETE',
      path: ALLOWLIST_PATH,
      docs: {
        operationId: 'portalDisallowNetwork',
        summary: 'Take an entry off the allowlist',
        description: 'When the last one goes, every address may call again.',
        tag: ALLOWLIST,
      },
      schemas: {
        query: NetworkParameters,
        responses: { 200: NetworksResponse },
      },
      authenticate: authenticate('admin'),
      async handle({ caller, query }) {
        const { network } = readFields({ network: required('network', EXACT) }, { network: query.network })
        const networks = await disallow(settings, caller, network)
        return { status: 200, body: { data: networks.map(networkView) } }
      },
    }),
  ]
}

const ACCOUNT = 'Account'
const ACCOUNT_PATH = '/portal/v1/settings'

function accountOperations(settings: PortalSettings): Operation[] {
  const { authenticate, database } = settings
  return [
    operation({
      method: 'GET',
      path: ACCOUNT_PATH,
      docs: { operationId: 'portalGetSettings', summary: 'The account and its settings', tag: ACCOUNT },
      schemas: { responses: { 200: SettingsResponse } },
      authenticate: authenticate('viewer'),
      async handle({ caller }) {
        const reseller = await getReseller(database, caller.reseller.account)
        return { status: 200, body: { data: settingsView(reseller, settings, caller.address) } }
      },
    }),
    operation({
      method: 'PATCH',
      path: ACCOUNT_PATH,
      docs: { operationId: 'portalChangeSettings', summary: 'Change what may pay', tag: ACCOUNT },
      schemas: { body: SettingsBody, responses: { 200: SettingsResponse } },
      authenticate: authenticate('admin'),
      async handle({ caller, body }) {
        const reseller = await changeSettings(settings, caller, {
          topupRequiresApiKey: body.topup_requires_api_key,
        })
        return { status: 200, body: { data: settingsView(reseller, settings, caller.address) } }
      },
    }),
  ]
}
