import type { Command } from '../command.ts'
import { catalogFileCommands } from './catalog.ts'
import { clockCommands } from './clock.ts'
import { edgeCommands } from './edge.ts'
import { allowlistCommands, keyCommands } from './keys.ts'
import { ledgerCommands } from './ledger.ts'
import { operatorCommands, userCommands } from './logins.ts'
import { overlayCommands } from './overlays.ts'
import { paymentCommands } from './payments.ts'
import { levelCommands, priceCommands } from './prices.ts'
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
  ...ledgerCommands,
  ...paymentCommands,
  ...clockCommands,
  ...catalogFileCommands,
  ...priceCommands,
  ...levelCommands,
  ...overlayCommands,
  ...operatorCommands,
  ...edgeCommands,
  ...secretCommands,
]
