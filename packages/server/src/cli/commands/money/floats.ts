import { formatMoney, moneyToNumber } from '../../../lib/money.ts'
import type { ProviderFloat } from '../../../modules/providers/float.rules.ts'
import { listFloats } from '../../../modules/providers/float.service.ts'
import type { Command } from '../../command.ts'
import { formatTable } from '../../text.ts'

export const floatCommands: readonly Command[] = [
  {
    name: 'provider float',
    summary: 'show our remaining money at each provider that reports it',
    options: {},
    async run(call) {
      const { database } = await call.runtime()
      const floats = await listFloats(database)
      return {
        json: { floats: floats.map((each) => floatView(each, moneyToNumber)) },
        text: formatTable(
          floats.map((each) => floatView(each, formatMoney)),
          'No provider has reported our remaining money yet.',
        ),
      }
    },
  },
]

function floatView<T>(float: ProviderFloat, money: (units: bigint) => T) {
  const orNull = (units: bigint | null) => (units === null ? null : money(units))
  return {
    provider: float.provider,
    amount: orNull(float.amount),
    currency: float.currency,
    ringgit: orNull(float.ringgit),
    read_at: float.readAt?.toISOString() ?? null,
    alert_below: orNull(float.alertBelow),
    spent_per_hour: orNull(float.spentPerHour),
    failing_since: float.failingSince?.toISOString() ?? null,
    trouble: float.trouble,
  }
}
