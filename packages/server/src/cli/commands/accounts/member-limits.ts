import { getReseller, getUserByName } from '../../../modules/accounts/service.ts'
import { setMemberLimits } from '../../../modules/payments/limits/acts.ts'
import { MEMBER_LIMIT } from '../../../modules/payments/limits/codec.ts'
import { listMemberLimits } from '../../../modules/payments/limits/service.ts'
import type { MemberLimitInUse } from '../../../modules/payments/limits/types.ts'
import type { Call, Command, Option, Output } from '../../command.ts'
import { RESELLER_OPTION, UsageError } from '../../command.ts'
import { DRY_RUN_OPTION } from '../../consent.ts'
import { actCommand } from '../../kit/acts.ts'
import { wholeNumber } from '../../options.ts'
import { formatTable } from '../../text.ts'

const WHOSE: Readonly<Record<string, Option>> = {
  username: { value: 'NAME', help: 'the name of the user', required: true, names: 'user' },
}
const PERIOD: Option = { value: 'PERIOD', help: 'day or month, of GMT+8', required: true }

const LOG: Readonly<Record<string, Option>> = {
  reason: { value: 'TEXT', help: 'why, for the log' },
  'dry-run': DRY_RUN_OPTION,
}

export const memberLimitCommands: readonly Command[] = [
  {
    name: 'member-limit list',
    summary: 'list what a user of a reseller may sell, with what is used',
    options: { reseller: RESELLER_OPTION, ...WHOSE },
    async run(call) {
      return show(await limitsOf(call))
    },
  },
  actCommand({
    name: 'member-limit set',
    summary: 'limit what a user of a reseller may sell in a day or a month',
    details: 'Another limit of the same period is replaced. 0 lets nothing pass.',
    act: setMemberLimits,
    without: ['id', 'limits'],
    options: {
      ...WHOSE,
      period: PERIOD,
      payments: { value: 'NUMBER', help: 'at most so many payments' },
      sum: { value: 'RINGGIT', help: 'at most so much, in face values' },
      ...LOG,
    },
    input: async (call) => {
      const { id, others } = await othersThan(call)
      const [payments, sum] = [call.find('payments'), call.find('sum')]
      if (payments === undefined && sum === undefined) throw new UsageError('give --payments, --sum or both')
      const limit = {
        period: call.text('period'),
        payments: payments === undefined ? null : wholeNumber(payments),
        sum: sum ?? null,
      }
      return { id, limits: [...others, limit] }
    },
    optionNames: () => ({ limits: 'period' }),
    world: () => undefined,
    show: ({ limits }) => show(limits),
  }),
  actCommand({
    name: 'member-limit remove',
    summary: 'remove a limit of a user of a reseller',
    act: setMemberLimits,
    without: ['id', 'limits'],
    options: { ...WHOSE, period: PERIOD, ...LOG },
    input: async (call) => {
      const { id, others } = await othersThan(call)
      return { id, limits: others }
    },
    world: () => undefined,
    show: ({ limits }) => show(limits),
  }),
]

/** Names the user, and lists their limits of the other period as the act takes them. */
async function othersThan(call: Call) {
  const limits = (await limitsOf(call)).filter(({ period }) => period !== call.text('period'))
  const others = limits.map((each) => {
    const { period, payments, sum } = MEMBER_LIMIT.encode(each)
    return { period, payments, sum }
  })
  return { id: String((await userOf(call)).id), others }
}

async function limitsOf(call: Call): Promise<readonly MemberLimitInUse[]> {
  const { database } = await call.runtime()
  const { id, resellerId } = await userOf(call)
  return (await listMemberLimits(database, resellerId)).filter(({ userId }) => userId === id)
}

async function userOf(call: Call) {
  const { database } = await call.runtime()
  const { id: resellerId } = await getReseller(database, call.text('reseller'))
  const { id } = await getUserByName(database, resellerId, call.text('username'))
  return { id, resellerId }
}

function show(limits: readonly MemberLimitInUse[]): Output {
  const rows = limits.map((each) => MEMBER_LIMIT.encode(each))
  return { json: { limits: rows }, text: formatTable(rows, 'This user has no limits.') }
}
