import type { Tx } from '../../../db/database.ts'
import {
  allowNetworks,
  changeAllowlist,
  clearAllowlist,
  createApiKey,
  disallowNetwork,
  getApiKey,
  listAllowlist,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
} from '../../../modules/accounts/keys.service.ts'
import { lockUsers } from '../../../modules/accounts/public.sql.ts'
import type { Accounts } from '../../../modules/accounts/service.ts'
import type { AllowedNetwork, ApiKey, NewApiKey, Reseller, Scope } from '../../../modules/accounts/types.ts'
import { SCOPES } from '../../../modules/accounts/types.ts'
import { networkView } from '../../../modules/accounts/view.ts'
import { keyView } from '../../../modules/operator/resellers/keys.view.ts'
import type { Call, Command, Option, Output } from '../../command.ts'
import { RESELLER_OPTION } from '../../command.ts'
import { openReseller, wholeNumber } from '../../options.ts'
import { recordedAccounts, toldAccounts } from '../../record.ts'
import { formatFields, formatTable } from '../../text.ts'
import { apiKeyView } from '../../views.ts'

const KEY: Option = { value: 'KEY', help: 'the API key, wk_…', required: true }
const ONE_KEY = { reseller: RESELLER_OPTION, key: KEY }

export const keyCommands: readonly Command[] = [
  {
    name: 'key create',
    summary: 'make an API key; its signing secret is shown once',
    options: {
      reseller: RESELLER_OPTION,
      label: { value: 'TEXT', help: 'the purpose of the key, up to 100 characters' },
      scope: { value: 'SCOPE', help: `${SCOPES.join(', ')} (default: all of them)`, multiple: true },
      'without-secret': { help: 'a key that cannot sign yet; `key rotate` gives it a secret' },
    },
    async run(call) {
      const scopes = call.list('scope') as readonly Scope[]
      const wanted = {
        label: call.find('label'),
        scopes: scopes.length === 0 ? undefined : scopes,
        withoutSecret: call.has('without-secret'),
      }
      return showNew(
        await changeKey(call, 'key.create', undefined, (accounts, { id }) =>
          createApiKey(accounts, id, wanted),
        ),
      )
    },
  },
  {
    name: 'key list',
    summary: "list a reseller's API keys, newest first",
    options: { reseller: RESELLER_OPTION },
    async run(call) {
      const { accounts, reseller } = await openReseller(call)
      const keys = (await listApiKeys(accounts.database, reseller.id)).map(apiKeyView)
      const columns = keys.map(({ key, label, scopes, state, expires_at }) => ({
        key,
        label,
        scopes,
        state,
        expires_at,
      }))
      return { json: { keys }, text: formatTable(columns, 'This reseller has no API keys.') }
    },
  },
  {
    name: 'key rotate',
    summary: 'replace an API key and its secret by new ones',
    options: {
      ...ONE_KEY,
      'grace-seconds': {
        value: 'SECONDS',
        help: 'how long the old key goes on working, up to 30 days (default 0: it stops at once)',
      },
    },
    async run(call) {
      const graceSeconds = wholeNumber(call.find('grace-seconds') ?? '0')
      return showNew(
        await changeKey(call, 'key.rotate', call.text('key'), (accounts, { id }, old) =>
          rotateApiKey(accounts, id, old, { graceSeconds }),
        ),
      )
    },
  },
  {
    name: 'key revoke',
    summary: 'end an API key at once',
    options: ONE_KEY,
    async run(call) {
      return showKey(
        await changeKey(call, 'key.revoke', call.text('key'), (accounts, { id }, old) =>
          revokeApiKey(accounts, id, old),
        ),
      )
    },
  },
]

/** Makes a key, or changes the named one. */
async function changeKey<Key extends ApiKey>(
  call: Call,
  action: string,
  named: string | undefined,
  work: (accounts: Accounts, reseller: Reseller, keyId: bigint) => Promise<Key>,
): Promise<Key> {
  const { reseller } = await openReseller(call)
  const change = async (accounts: Accounts, tx: Tx) => {
    await lockUsers(tx)
    const before = named === undefined ? null : await getApiKey(tx, reseller.id, named)
    const after = await work(accounts, reseller, before?.id ?? 0n)
    return {
      target: { kind: 'api_key', id: `${reseller.account}/${before?.id ?? after.id}` },
      before: before === null ? null : keyView(before),
      after: keyView(after),
      result: after,
    }
  }
  return toldAccounts(call, { action, company: reseller }, change, () =>
    action === 'key.revoke' ? null : { kind: 'api_key', command: {} },
  )
}

export const allowlistCommands: readonly Command[] = [
  {
    name: 'allowlist add',
    summary: 'let addresses call; with the first entry all others are shut out',
    options: {
      reseller: RESELLER_OPTION,
      network: { value: 'CIDR', help: 'an IPv4 or IPv6 address or CIDR', required: true, multiple: true },
      label: { value: 'TEXT', help: 'what the addresses are, up to 100 characters' },
    },
    async run(call) {
      const input = { networks: call.list('network'), label: call.find('label') }
      return showAllowlist(
        await changeList(call, 'allowlist.add', (accounts, id) => allowNetworks(accounts, id, input)),
      )
    },
  },
  {
    name: 'allowlist remove',
    summary: 'take an entry off the list; without any entry every address may call',
    options: {
      reseller: RESELLER_OPTION,
      network: { value: 'CIDR', help: 'the entry', required: true },
    },
    async run(call) {
      const network = call.text('network')
      return showAllowlist(
        await changeList(call, 'allowlist.remove', (accounts, id) => disallowNetwork(accounts, id, network)),
      )
    },
  },
  {
    name: 'allowlist list',
    summary: 'show which addresses may call',
    options: { reseller: RESELLER_OPTION },
    async run(call) {
      const { accounts, reseller } = await openReseller(call)
      return showAllowlist(await listAllowlist(accounts.database, reseller.id))
    },
  },
  {
    name: 'allowlist clear',
    summary: 'empty the list: every address may call',
    options: { reseller: RESELLER_OPTION },
    async run(call) {
      const removed = await changeList(call, 'allowlist.clear', clearAllowlist)
      return { json: { allowlist: [], removed }, text: `Removed ${removed}. Every address may call.` }
    },
  },
]

async function changeList<T>(
  call: Call,
  action: string,
  work: (accounts: Accounts, resellerId: bigint) => Promise<T>,
): Promise<T> {
  const { reseller } = await openReseller(call)
  return recordedAccounts(call, { action }, (accounts, tx) => changeAllowlist(tx, accounts, reseller, work))
}

function showKey(key: ApiKey): Output {
  const view = apiKeyView(key)
  return { json: view, text: formatFields(view) }
}

function showNew(key: NewApiKey): Output {
  const view = { ...apiKeyView(key), signing_secret: key.signingSecret }
  const hint = key.signingSecret === null ? '' : '\n\nThe signing secret is shown this once; keep it now.'
  return { json: view, text: formatFields(view) + hint }
}

function showAllowlist(entries: readonly AllowedNetwork[]): Output {
  const allowlist = entries.map(networkView)
  return { json: { allowlist }, text: formatTable(allowlist, 'No entries: every address may call.') }
}
