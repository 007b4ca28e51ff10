import type { Database } from '../../../db/database.ts'
import type { Directory } from '../../accounts/types.ts'
import { settingsAtFirst } from './rules.ts'
import { findSettings, saveSettings } from './sql.ts'
import type { CheckoutSettings } from './types.ts'

export type CheckoutSettingsStore = {
  /** Returns the settings of an account, or those that every account has at first. */
  settingsOf(resellerId: bigint): Promise<CheckoutSettings>
  /** Replaces the settings. */
  save(resellerId: bigint, settings: CheckoutSettings): Promise<CheckoutSettings>
}

export function createCheckoutSettings({
  database,
  directory,
}: {
  readonly database: Database
  readonly directory: Pick<Directory, 'findReseller'>
}): CheckoutSettingsStore {
  return {
    settingsOf: async (resellerId) =>
      (await findSettings(database, resellerId)) ??
      settingsAtFirst(directory.findReseller(resellerId)?.name ?? ''),
    async save(resellerId, settings) {
      await saveSettings(database, resellerId, settings)
      return settings
    },
  }
}
