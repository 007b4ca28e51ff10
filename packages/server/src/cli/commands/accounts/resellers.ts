import { wireName } from '../../../lib/input/fields.ts'
import type { ResellerChanges } from '../../../modules/accounts/resellers.codec.ts'
import { RESELLER } from '../../../modules/accounts/resellers.codec.ts'
import { getReseller, listResellers } from '../../../modules/accounts/service.ts'
import type { Reseller, ResellerStatus } from '../../../modules/accounts/types.ts'
import { changeSettings, editReseller, openReseller } from '../../../modules/grants/resellers.acts.ts'
import type { Call, Command, Output } from '../../command.ts'
import { RESELLER_OPTION, UsageError } from '../../command.ts'
import { actCommand } from '../../kit/acts.ts'
import { accessWorld, openReseller as findReseller, openAccounts, readLimit } from '../../options.ts'
import { formatFields, formatTable } from '../../text.ts'

const SUSPENSION = ['status', 'topupRequiresApiKey'] as const
const ATTRIBUTES = (Object.keys(editReseller.input.members) as (keyof ResellerChanges | 'account')[]).filter(
  (name) => name !== 'account' && !SUSPENSION.some((each) => each === name),
)

export const resellerCommands: readonly Command[] = [
  actCommand({
    name: 'reseller create',
    summary: 'open an account with an empty wallet',
    act: openReseller,
    without: ['priceLevel'],
    options: { 'price-level': { value: 'CODE', help: 'name of its price list (default STANDARD)' } },
    input: (call) => ({ price_level: call.find('price-level') ?? 'STANDARD' }),
    world: accessWorld,
    show,
  }),
  {
    name: 'reseller show',
    summary: 'show an account',
    options: { reseller: RESELLER_OPTION },
    run: async (call) => show((await findReseller(call)).reseller),
  },
  {
    name: 'reseller list',
    summary: 'list accounts, oldest first',
    options: {
      limit: { value: 'NUMBER', help: 'at most this many, 1 to 1000 (default 100)' },
      after: { value: 'ACCOUNT', help: 'begin after this account', names: 'reseller' },
    },
    async run(call) {
      const limit = readLimit(call, 100)
      const { database } = await openAccounts(call)
      const after = call.find('after')
      const resellers = await listResellers(database, {
        limit,
        after: after === undefined ? undefined : (await getReseller(database, after)).id,
      })
      const views = resellers.map((each) => RESELLER.encode(each))
      const columns = views.map(({ account, name, price_level, access, status }) => ({
        account,
        name,
        price_level,
        access,
        status,
      }))
      return { json: { resellers: views }, text: formatTable(columns, 'There are no resellers.') }
    },
  },
  actCommand({
    name: 'reseller update',
    summary: 'change attributes of an account, such as its name, address, price list or access',
    act: editReseller,
    without: SUSPENSION,
    input: mustChangeSomething,
    world: accessWorld,
    show,
  }),
  statusCommand('reseller suspend', 'refuse new payments of an account', 'suspended'),
  statusCommand('reseller activate', 'end a suspension', 'active'),
]

function mustChangeSomething(call: Call) {
  const changes = ATTRIBUTES.map((name) => wireName(name).replaceAll('_', '-'))
  if (changes.some((option) => call.has(option))) return {}
  throw new UsageError(`give at least one of ${changes.map((option) => `--${option}`).join(', ')}`)
}

function statusCommand(name: string, summary: string, status: ResellerStatus): Command {
  return actCommand({
    name,
    summary,
    act: editReseller,
    without: [...SUSPENSION, ...ATTRIBUTES],
    input: () => ({ status }),
    world: accessWorld,
    show,
  })
}

export const settingsCommands: readonly Command[] = [
  {
    name: 'settings show',
    summary: "show the reseller's own settings",
    options: { reseller: RESELLER_OPTION },
    run: async (call) => showSettings((await findReseller(call)).reseller),
  },
  actCommand({
    name: 'settings set',
    summary: "change the reseller's own settings",
    act: changeSettings,
    without: ['topupRequiresApiKey'],
    options: {
      'topup-requires-api-key': {
        value: 'on|off',
        help: 'on: payments with a legacy bearer token are refused',
      },
    },
    input: (call) => ({ topup_requires_api_key: readSwitch(call, 'topup-requires-api-key') }),
    world: accessWorld,
    show: showSettings,
  }),
]

function readSwitch(call: Call, option: string): boolean | undefined {
  const value = call.find(option)
  if (value === undefined) return undefined
  if (value !== 'on' && value !== 'off') throw new UsageError(`--${option}: must be on or off`)
  return value === 'on'
}

function show(reseller: Reseller): Output {
  const view = RESELLER.encode(reseller)
  return { json: view, text: formatFields(view) }
}

function showSettings(reseller: Reseller): Output {
  const view = {
    account: reseller.account,
    topup_requires_api_key: reseller.topupRequiresApiKey,
    duplicate_window_seconds: reseller.duplicateWindowSeconds,
  }
  return { json: view, text: formatFields(view) }
}
