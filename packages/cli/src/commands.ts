import type { Command } from './command.ts'
import { completionOf } from './commands/completion.ts'
import { events } from './commands/events.ts'
import { listen } from './commands/listen.ts'
import { login, profiles } from './commands/login.ts'
import { logs } from './commands/logs.ts'
import { mcp } from './commands/mcp.ts'
import { orders } from './commands/orders.ts'
import { pay, quote, status } from './commands/pay.ts'
import {
  balance,
  call,
  catalog,
  history,
  key,
  limits,
  number,
  options,
  receipt,
  statement,
} from './commands/reads.ts'
import { explain, sign } from './commands/signatures.ts'
import { trigger } from './commands/trigger.ts'
import { webhooks } from './commands/webhooks.ts'

const OWN: readonly Command[] = [
  login,
  profiles,
  balance,
  key,
  limits,
  catalog,
  options,
  number,
  quote,
  pay,
  status,
  receipt,
  history,
  statement,
  orders,
  events,
  listen,
  trigger,
  webhooks,
  logs,
  call,
  sign,
  explain,
  mcp,
]

export const COMMANDS: readonly Command[] = [...OWN, completionOf(OWN)]
