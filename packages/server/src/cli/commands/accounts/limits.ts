import { getReseller } from '../../../modules/accounts/service.ts'
import type { LimitsSet } from '../../../modules/payments/limits/acts.ts'
import { setLimits } from '../../../modules/payments/limits/acts.ts'
import { LIMIT, LIMIT_IN_USE } from '../../../modules/payments/limits/codec.ts'
import { listLevelLimits, readLimits } from '../../../modules/payments/limits/service.ts'
import type { Limit } from '../../../modules/payments/limits/types.ts'
import type { Call, Command, Option, Output } from '../../command.ts'
import { UsageError } from '../../command.ts'
import { DRY_RUN_OPTION } from '../../consent.ts'
import { actCommand } from '../../kit/acts.ts'
import { wholeNumber } from '../../options.ts'
import { formatTable } from '../../text.ts'

const SUBJECT: Readonly<Record<string, Option>> = {
  reseller: { value: 'ACCOUNT', help: "the reseller's account number", names: 'reseller' },
  level: {
    value: 'CODE',
    help: 'name of a price list: the limits of each of its resellers',
    names: 'price level',
  },
}

const KEY: Readonly<Record<string, Option>> = {
  scope: { value: 'SCOPE', help: 'account (each account that is paid for) or reseller', required: true },
  period: { value: 'PERIOD', help: 'day or month, of GMT+8', required: true },
  category: {
    value: 'CODE',
    help: 'only payments of this category (default: all together)',
    names: 'category',
  },
}

const LOG: Readonly<Record<string, Option>> = {
  reason: { value: 'TEXT', help: 'why, for the log' },
  'dry-run': DRY_RUN_OPTION,
}

export const limitCommands: readonly Command[] = [
  {
    name: 'limit list',
    summary: 'list the limits of a reseller with what is used, or those of a price level',
    options: SUBJECT,
    async run(call) {
      const { database } = await call.runtime()
      const { account, level } = subjectOf(call)
      if (level !== undefined) {
        return show({ limits: await listLevelLimits(database, level), inForce: [] }, call)
      }
      const { id } = await getReseller(database, account)
      return show(await readLimits(database, id, 'operator'), call)
    },
  },
  actCommand({
    name: 'limit set',
    summary: 'limit what a reseller, or each reseller of a price level, may pay',
    details: 'Another limit of the same scope, period and category is replaced. 0 lets nothing pass.',
    act: setLimits,
    without: ['limits'],
    options: {
      ...SUBJECT,
      ...KEY,
      payments: { value: 'NUMBER', help: 'at most so many payments' },
      sum: { value: 'RINGGIT', help: 'at most so much, in face values' },
      ...LOG,
    },
    input: async (call) => {
      // Reads names first: a slip in one is said before anything else.
      const others = await othersThan(call)
      const payments = call.find('payments')
      const sum = call.find('sum')
      if (payments === undefined && sum === undefined) throw new UsageError('give --payments, --sum or both')
      const limit = {
        ...keyOf(call),
        payments: payments === undefined ? null : wholeNumber(payments),
        sum: sum ?? null,
      }
      return { limits: [...others, limit] }
    },
    optionNames: () => ({ limits: 'scope' }),
    world: () => undefined,
    show,
  }),
  actCommand({
    name: 'limit remove',
    summary: 'remove a limit of a reseller or a price level',
    act: setLimits,
    without: ['limits'],
    options: { ...SUBJECT, ...KEY, ...LOG },
    input: async (call) => ({ limits: await othersThan(call) }),
    world: () => undefined,
    show,
  }),
]

type Subject =
  | { readonly account: string; readonly level: undefined }
  | { readonly account: undefined; readonly level: string }

function subjectOf(call: Call): Subject {
  const [account, level] = [call.find('reseller'), call.find('level')]
  if (account !== undefined && level === undefined) return { account, level }
  if (level !== undefined && account === undefined) return { account, level }
  throw new UsageError('give either --reseller or --level')
}

function keyOf(call: Call) {
  return {
    scope: call.text('scope'),
    period: call.text('period'),
    category: call.find('category') ?? null,
  }
}

/** Lists the limits of the reseller or level without the one that the call is about, as the act takes them. */
async function othersThan(call: Call) {
  const { database } = await call.runtime()
  const { account, level } = subjectOf(call)
  const limits =
    level === undefined
      ? (await readLimits(database, (await getReseller(database, account)).id, 'operator')).limits
      : await listLevelLimits(database, level)
  const { scope, period, category } = keyOf(call)
  return limits
    .filter((each: Limit) => each.scope !== scope || each.period !== period || each.category !== category)
    .map((each) => LIMIT.encode(each))
}

function show({ limits, inForce }: LimitsSet, call: Call): Output {
  const json = {
    limits: limits.map((each) => LIMIT.encode(each)),
    in_force: inForce.map((each) => LIMIT_IN_USE.encode(each)),
  }
  const rows = call.has('level') ? json.limits : json.in_force
  return { json, text: formatTable(rows, 'There are no limits.') }
}
