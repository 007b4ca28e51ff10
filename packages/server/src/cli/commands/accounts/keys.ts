import { ALLOWED_NETWORK, KEY, NEW_KEY } from '../../../modules/accounts/keys.codec.ts'
import { listAllowlist, listApiKeys } from '../../../modules/accounts/keys.service.ts'
import type { AllowedNetwork, ApiKey, NewApiKey } from '../../../modules/accounts/types.ts'
import { SCOPES } from '../../../modules/accounts/types.ts'
import {
  addNetworks,
  changeKey,
  createKey,
  emptyAllowlist,
  removeNetwork,
  revokeKey,
  rotateKey,
} from '../../../modules/grants/keys.acts.ts'
import type { Call, Command, Option, Output } from '../../command.ts'
import { RESELLER_OPTION } from '../../command.ts'
import { actCommand } from '../../kit/acts.ts'
import { accessWorld, openReseller } from '../../options.ts'
import { formatFields, formatTable } from '../../text.ts'

const ONE_KEY: Readonly<Record<string, Option>> = {
  key: { value: 'KEY', help: 'the API key, wk_…', required: true },
}

const SCOPE: Option = { value: 'SCOPE', help: SCOPES.join(', '), multiple: true }

/** Options of bounds, with the names of their members. */
const BOUNDS = [
  ['product', 'products'],
  ['max-amount', 'max_amount'],
  ['daily-cap', 'daily_cap'],
  ['monthly-cap', 'monthly_cap'],
  ['expires', 'expires_at'],
  ['address', 'ip_allowlist'],
] as const

function isNone(call: Call, option: string): boolean {
  const given = call.has(option) ? call.list(option) : []
  return given.length === 1 && given[0] === 'none'
}

export const keyCommands: readonly Command[] = [
  actCommand({
    name: 'key create',
    summary: 'make an API key; its signing secret is shown once',
    act: createKey,
    // Scripts know a wrong scope by the name `scopes`.
    without: ['scopes'],
    options: { scope: { ...SCOPE, help: `${SCOPE.help} (default: all of them)` } },
    input: (call) => (call.has('scope') ? { scopes: call.list('scope') } : {}),
    world: accessWorld,
    show: showNew,
  }),
  actCommand({
    name: 'key update',
    summary: 'change what an API key may do',
    details: '"none" takes a bound away: --daily-cap none. What is left out stays as it is.',
    act: changeKey,
    without: ['id', 'scopes'],
    options: { ...ONE_KEY, scope: SCOPE },
    input: (call) => ({
      ...(call.has('scope') && { scopes: call.list('scope') }),
      ...Object.fromEntries(
        BOUNDS.filter(([option]) => isNone(call, option)).map(([, wire]) => [wire, null]),
      ),
    }),
    world: accessWorld,
    show: showKey,
  }),
  {
    name: 'key list',
    summary: "list a reseller's API keys, newest first",
    options: { reseller: RESELLER_OPTION },
    async run(call) {
      const { accounts, reseller } = await openReseller(call)
      const keys = (await listApiKeys(accounts.database, reseller.id)).map((each) => KEY.encode(each))
      const columns = keys.map(
        ({ key, label, scopes, products, daily_cap, monthly_cap, state, expires_at }) => ({
          key,
          label,
          scopes,
          products,
          daily_cap,
          monthly_cap,
          state,
          expires_at,
        }),
      )
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
    show: showKey,
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

function showKey(key: ApiKey): Output {
  const view = KEY.encode(key)
  return { json: view, text: formatFields(view) }
}

function showNew(key: NewApiKey): Output {
  const view = NEW_KEY.encode(key)
  const hint = key.signingSecret === null ? '' : '\n\nThe signing secret is shown this once; keep it now.'
  return { json: view, text: formatFields(view) + hint }
}

function showAllowlist(entries: readonly AllowedNetwork[]): Output {
  const allowlist = entries.map((each) => ALLOWED_NETWORK.encode(each))
  return { json: { allowlist }, text: formatTable(allowlist, 'No entries: every address may call.') }
}
