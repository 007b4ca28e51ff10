import type { Command } from '../command.ts'
import { flag, text } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { UsageError } from '../io.ts'
import { serveMcp } from '../mcp/server.ts'
import { toolsOf } from '../mcp/tools.ts'

const AMOUNT = /^\d{1,9}(\.\d{1,4})?$/

export const mcp: Command = {
  name: 'mcp',
  summary: 'Serve the account to an assistant by the Model Context Protocol, on stdin and stdout',
  options: {
    'allow-payments': { type: 'boolean', text: 'offer the tool pay; needs --max-amount' },
    'max-amount': { type: 'string', value: 'RINGGIT', text: 'highest cost of one payment' },
  },
  details: [
    'Without --allow-payments all tools only read. With it, each payment is shown and must be confirmed: by a question',
    'of the client to its user where the client can ask, else by a second call with the token of the first.',
  ],
  async run({ io, values, connect }) {
    const maxAmount = text(values, 'max-amount')
    const isAllowed = flag(values, 'allow-payments')
    if (isAllowed && maxAmount === undefined) throw new UsageError('--allow-payments needs --max-amount.')
    if (maxAmount !== undefined && !AMOUNT.test(maxAmount))
      throw new UsageError('--max-amount is an amount in ringgit.')
    const { client, environment } = await connect()
    const payments = isAllowed ? { maxCost: Number(maxAmount) } : undefined
    await serveMcp(io, toolsOf({ client, environment, payments }))
    return EXIT.ok
  },
}
