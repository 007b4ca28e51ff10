import type { Command } from '../command.ts'
import { edgeCommands } from './edge.ts'
import { allowlistCommands, keyCommands } from './keys.ts'
import { operatorCommands, userCommands } from './logins.ts'
import { resellerCommands, settingsCommands } from './resellers.ts'
import { secretCommands } from './secrets.ts'
import { serviceCommands } from './service.ts'
import { walletCommands } from './wallet.ts'

/** Every command, in the order in which the help shows them. */
export const COMMANDS: readonly Command[] = [
  ...serviceCommands,
  ...resellerCommands,
  ...settingsCommands,
  ...userCommands,
  ...keyCommands,
  ...allowlistCommands,
  ...walletCommands,
  ...operatorCommands,
  ...edgeCommands,
  ...secretCommands,
]
