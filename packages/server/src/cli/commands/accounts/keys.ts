import { ALLOWED_NETWORK, KEY, NEW_KEY } from '../../../modules/accounts/keys.codec.ts'
import { listAllowlist, listApiKeys } from '../../../modules/accounts/keys.service.ts'
import type { AllowedNetwork, NewApiKey } from '../../../modules/accounts/types.ts'
import { SCOPES } from '../../../modules/accounts/types.ts'
import {
  addNetworks,
  createKey,
  emptyAllowlist,
  removeNetwork,
  revokeKey,
  rotateKey,
} from '../../../modules/grants/keys.acts.ts'
import type { Command, Option, Output } from '../../command.ts'
import { RESELLER_OPTION } from '../../command.ts'
import { actCommand } from '../../kit/acts.ts'
import { accessWorld, openReseller } from '../../options.ts'
import { formatFields, formatTable } from '../../text.ts'

const ONE_KEY: Readonly<Record<string, Option>> = {
  key: { value: 'KEY', help: 'the API key, wk_…', required: true },
}

export const keyCommands: readonly Command[] = [
  actCommand({
    name: 'key create',
    summary: 'make an API key; its signing secret is shown once',
    act: createKey,
    // Scripts know a wrong scope by the name `scopes`.
    without: ['scopes'],
    options: {
      scope: { value: 'SCOPE', help: `${SCOPES.join(', ')} (default: all of them)`, multiple: true },
    },
    input: (call) => (call.has('scope') ? { scopes: call.list('scope') } : {}),
    world: accessWorld,
    show: showNew,
  }),
  {
    name: 'key list',
    summary: "list a reseller's API keys, newest first",
    options: { reseller: RESELLER_OPTION },
    async run(call) {
      const { accounts, reseller } = await openReseller(call)
      const keys = (await listApiKeys(accounts.database, reseller.id)).map((each) => KEY.encode(each))
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
  actCommand({
    name: 'key rotate',
    summary: 'replace an API key and its secret by new ones',
    act: rotateKey,
    without: ['id'],
    options: ONE_KEY,
    world: accessWorld,
    show: showNew,
  }),
  actCommand({
    name: 'key revoke',
    summary: 'end an API key at once',
    act: revokeKey,
    without: ['id'],
    options: ONE_KEY,
    world: accessWorld,
    show(key) {
      const view = KEY.encode(key)
      return { json: view, text: formatFields(view) }
    },
  }),
]

export const allowlistCommands: readonly Command[] = [
  actCommand({
    name: 'allowlist add',
    summary: 'let addresses call; with the first entry all others are shut out',
    act: addNetworks,
    world: accessWorld,
    show: showAllowlist,
  }),
  actCommand({
    name: 'allowlist remove',
    summary: 'take an entry off the list; without any entry every address may call',
    act: removeNetwork,
    world: accessWorld,
    show: showAllowlist,
  }),
  {
    name: 'allowlist list',
    summary: 'show which addresses may call',
    options: { reseller: RESELLER_OPTION },
    async run(call) {
      const { accounts, reseller } = await openReseller(call)
      return showAllowlist(await listAllowlist(accounts.database, reseller.id))
    },
  },
  actCommand({
    name: 'allowlist clear',
    summary: 'empty the list: every address may call',
    act: emptyAllowlist,
    world: accessWorld,
    show: (removed) => ({
      json: { allowlist: [], removed },
      text: `Removed ${removed}. Every address may call.`,
    }),
  }),
]

function showNew(key: NewApiKey): Output {
  const view = NEW_KEY.encode(key)
  const hint = key.signingSecret === null ? '' : '\n\nThe signing secret is shown this once; keep it now.'
  return { json: view, text: formatFields(view) + hint }
}

function showAllowlist(entries: readonly AllowedNetwork[]): Output {
  const allowlist = entries.map((each) => ALLOWED_NETWORK.encode(each))
  return { json: { allowlist }, text: formatTable(allowlist, 'No entries: every address may call.') }
}
