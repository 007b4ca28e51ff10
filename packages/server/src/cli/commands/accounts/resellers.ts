import type { ResellerChanges } from '../../../modules/accounts/service.ts'
import {
  changeReseller,
  createReseller,
  getReseller,
  listResellers,
  updateReseller,
} from '../../../modules/accounts/service.ts'
import type { Reseller, ResellerStatus } from '../../../modules/accounts/types.ts'
import { resellerView } from '../../../modules/accounts/view.ts'
import { changePriceLevel } from '../../../modules/catalog/edit/overlays.service.ts'
import { lockCatalog, requireLevel } from '../../../modules/catalog/operators.service.ts'
import type { Call, Command, Option, Output } from '../../command.ts'
import { RESELLER_OPTION, UsageError } from '../../command.ts'
import { openAccounts, openReseller, readLimit, wholeNumber } from '../../options.ts'
import { recordedAccounts, told } from '../../record.ts'
import { formatFields, formatTable } from '../../text.ts'

const ACCESS: Option = { value: '0|50', help: '0: may pay (the default); 50: read only' }

export const resellerCommands: readonly Command[] = [
  {
    name: 'reseller create',
    summary: 'open an account with an empty wallet',
    options: {
      name: { value: 'TEXT', help: 'name, 1 to 200 characters', required: true },
      email: { value: 'ADDRESS', help: 'where mail for the reseller goes', required: true },
      'price-level': { value: 'CODE', help: 'name of its price list (default STANDARD)' },
      account: { value: 'DIGITS', help: 'account number (default: a free one of 7 digits)' },
      access: ACCESS,
    },
    async run(call) {
      const access = call.find('access')
      const made = await recordedAccounts(call, { action: 'reseller.create' }, async (accounts, tx) => {
        const priceLevel = call.find('price-level') ?? 'STANDARD'
        await requireLevel(tx, priceLevel)
        const reseller = await createReseller(accounts, {
          account: call.find('account'),
          name: call.text('name'),
          email: call.text('email'),
          priceLevel,
          access: access === undefined ? undefined : wholeNumber(access),
        })
        return { target: targetOf(reseller), before: null, after: reseller, result: reseller }
      })
      return show(made)
    },
  },
  {
    name: 'reseller show',
    summary: 'show an account',
    options: { reseller: RESELLER_OPTION },
    run: async (call) => show((await openReseller(call)).reseller),
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
      const views = resellers.map(resellerView)
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
  {
    name: 'reseller update',
    summary: 'change the name, address, price list or access of an account',
    options: {
      reseller: RESELLER_OPTION,
      name: { value: 'TEXT', help: 'name, 1 to 200 characters' },
      email: { value: 'ADDRESS', help: 'where mail for the reseller goes' },
      'price-level': { value: 'CODE', help: 'name of its price list' },
      access: { ...ACCESS, help: '0: may pay; 50: read only' },
    },
    async run(call) {
      const changes = ['name', 'email', 'price-level', 'access']
      if (!changes.some((option) => call.has(option))) {
        throw new UsageError(`give at least one of ${changes.map((option) => `--${option}`).join(', ')}`)
      }
      const access = call.find('access')
      return show(
        await change(call, 'reseller.update', {
          name: call.find('name'),
          email: call.find('email'),
          priceLevel: call.find('price-level'),
          access: access === undefined ? undefined : wholeNumber(access),
        }),
      )
    },
  },
  statusCommand('reseller suspend', 'refuse new payments of an account', 'suspended'),
  statusCommand('reseller activate', 'end a suspension', 'active'),
]

export const settingsCommands: readonly Command[] = [
  {
    name: 'settings show',
    summary: "show the reseller's own settings",
    options: { reseller: RESELLER_OPTION },
    run: async (call) => showSettings((await openReseller(call)).reseller),
  },
  {
    name: 'settings set',
    summary: "change the reseller's own settings",
    options: {
      reseller: RESELLER_OPTION,
      'topup-requires-api-key': {
        value: 'on|off',
        help: 'on: payments with a legacy bearer token are refused',
        required: true,
      },
    },
    async run(call) {
      const topupRequiresApiKey = readSwitch(call, 'topup-requires-api-key')
      return showSettings(await change(call, 'settings.update', { topupRequiresApiKey }))
    },
  },
]

function statusCommand(name: string, summary: string, status: ResellerStatus): Command {
  return {
    name,
    summary,
    options: { reseller: RESELLER_OPTION },
    run: async (call) => show(await change(call, name.replace(' ', '.'), { status })),
  }
}

async function change(call: Call, action: string, changes: ResellerChanges): Promise<Reseller> {
  const company = (await openReseller(call)).reseller
  return recordedAccounts(call, { action }, async (accounts, tx) => {
    // The catalog is locked before the directory, as everywhere; another order could deadlock.
    if (changes.priceLevel !== undefined) await lockCatalog(tx)
    // The lock is taken here, so that the recorded state before is exactly the state that the change was made to.
    const work = () =>
      changeReseller(accounts, company.id, async (_, before) => {
        const after = await updateReseller(accounts, company.id, changes, async (_tx, levelCode) => {
          await changePriceLevel(tx, company.id, levelCode, 'reseller update')
        })
        return { target: targetOf(after), before, after, result: after }
      })
    if (changes.email === undefined) return work()
    return told(call, tx, company, work, ({ result: { email } }) =>
      email === company.email ? null : { kind: 'reseller_email', command: { from: company.email, email } },
    )
  })
}

function targetOf({ account }: Reseller) {
  return { kind: 'reseller', id: account }
}

function readSwitch(call: Call, option: string): boolean {
  const value = call.text(option)
  if (value !== 'on' && value !== 'off') throw new UsageError(`--${option}: must be on or off`)
  return value === 'on'
}

function show(reseller: Reseller): Output {
  const view = resellerView(reseller)
  return { json: view, text: formatFields(view) }
}

function showSettings(reseller: Reseller): Output {
  const view = { account: reseller.account, topup_requires_api_key: reseller.topupRequiresApiKey }
  return { json: view, text: formatFields(view) }
}
