import type { Command } from '../command.ts'
import { alertCommands } from './alerts.ts'
import { catalogFileCommands } from './catalog.ts'
import { clockCommands } from './clock.ts'
import { edgeCommands } from './edge.ts'
import { floatCommands } from './floats.ts'
import { allowlistCommands, keyCommands } from './keys.ts'
import { ledgerCommands } from './ledger.ts'
import { operatorCommands, userCommands } from './logins.ts'
import { noticeCommands } from './notices.ts'
import { overlayCommands } from './overlays.ts'
import { paymentCommands } from './payments.ts'
import { levelCommands, priceCommands } from './prices.ts'
import { providerCommands } from './providers.ts'
import { resellerCommands, settingsCommands } from './resellers.ts'
import { routeCommands } from './routes.ts'
import { secretCommands } from './secrets.ts'
import { serviceCommands } from './service.ts'
import { settlementCommands } from './settlement.ts'
import { stockCommands } from './stock.ts'
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
  ...noticeCommands,
  ...alertCommands,
  ...settlementCommands,
  ...providerCommands,
  ...routeCommands,
  ...floatCommands,
  ...stockCommands,
  ...catalogFileCommands,
  ...priceCommands,
  ...levelCommands,
  ...overlayCommands,
  ...operatorCommands,
  ...edgeCommands,
  ...secretCommands,
]
