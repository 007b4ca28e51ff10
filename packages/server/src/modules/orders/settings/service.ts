import type { Database, Queryable } from '../../../db/database.ts'
import type { Directory } from '../../accounts/types.ts'
import { settingsAtFirst } from './rules.ts'
import { findSettings, saveSettings } from './sql.ts'
import type { CheckoutSettings } from './types.ts'

export type CheckoutSettingsStore = {
  /** Returns the settings of an account, or those that every account has at first. */
  settingsOf(resellerId: bigint, connection?: Queryable): Promise<CheckoutSettings>
  /** Replaces the settings. */
  save(resellerId: bigint, settings: CheckoutSettings, connection?: Queryable): Promise<CheckoutSettings>
}

export function createCheckoutSettings({
  database,
  directory,
}: {
  readonly database: Database
  readonly directory: Pick<Directory, 'findReseller'>
}): CheckoutSettingsStore {
  return {
    settingsOf: async (resellerId, connection = database) =>
      (await findSettings(connection, resellerId)) ??
      settingsAtFirst(directory.findReseller(resellerId)?.name ?? ''),
    async save(resellerId, settings, connection = database) {
      await saveSettings(connection, resellerId, settings)
      return settings
    },
  }
}
