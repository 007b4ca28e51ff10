import type { Database, Queryable } from '../../../db/database.ts'
import type { Directory } from '../../accounts/types.ts'
import { settingsAtFirst } from './rules.ts'
import { findSettings, saveSettings } from './sql.ts'
import type { CheckoutSettings } from './types.ts'

export type CheckoutSettingsStore = {
  /** Returns the settings of an account, or those that every account has at first. */
  settingsOf(resellerId: bigint, connection?: Queryable): Promise<CheckoutSettings>
  /** Replaces the settings, in the given transaction or in one of its own. */
  save(resellerId: bigint, settings: CheckoutSettings, tx?: Queryable): Promise<CheckoutSettings>
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
    async save(resellerId, settings, tx) {
      // A transaction, because a single statement whose answer is lost would be reported as one that did nothing.
      if (tx === undefined) await database.transaction((own) => saveSettings(own, resellerId, settings))
      else await saveSettings(tx, resellerId, settings)
      return settings
    },
  }
}
