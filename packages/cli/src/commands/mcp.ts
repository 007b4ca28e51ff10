import type { Command, Values } from '../command.ts'
import { flag, text } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { UsageError } from '../io.ts'
import type { Caps } from '../mcp/payments.ts'
import { serveMcp } from '../mcp/server.ts'
import { toolsOf } from '../mcp/tools.ts'

const AMOUNT = /^\d{1,9}(\.\d{1,4})?$/

export const mcp: Command = {
  name: 'mcp',
  summary: 'Serve the account to an assistant by the Model Context Protocol, on stdin and stdout',
  options: {
    'allow-payments': { type: 'boolean', text: 'offer the tool pay; needs --max-amount' },
    'max-amount': { type: 'string', value: 'RINGGIT', text: 'highest face value of one payment' },
    'max-total': {
      type: 'string',
      value: 'RINGGIT',
      text: 'highest sum of the payments until the command ends (as --max-amount)',
    },
    'show-pins': {
      type: 'boolean',
      text: 'let the assistant read PINs and voucher links; else they are hidden',
    },
  },
  details: [
    'Without --allow-payments all tools only read. With it, each payment is shown and must be confirmed: by a question',
    'of the client to its user where the client can ask, else by a second call with the token of the first.',
    'PINs and links are hidden from the assistant: warung status REFID shows them to you.',
  ],
  async run({ io, values, connect }) {
    const payments = capsOf(values)
    const { client, environment, profile } = await connect()
    const showsPins = flag(values, 'show-pins')
    await serveMcp(io, toolsOf({ client, baseUrl: profile.base_url, environment, payments, showsPins }))
    return EXIT.ok
  },
}

/** Reads the caps on payments; undefined: payments are not allowed. */
function capsOf(values: Values): Caps | undefined {
  const maxAmount = amountOf(values, 'max-amount')
  const maxTotal = amountOf(values, 'max-total') ?? maxAmount
  if (!flag(values, 'allow-payments')) return undefined
  if (maxAmount === undefined || maxTotal === undefined) {
    throw new UsageError('--allow-payments needs --max-amount.')
  }
  return { maxAmount, maxTotal }
}

function amountOf(values: Values, name: string): number | undefined {
  const given = text(values, name)
  if (given !== undefined && !AMOUNT.test(given)) throw new UsageError(`--${name} is an amount in ringgit.`)
  return given === undefined ? undefined : Number(given)
}
