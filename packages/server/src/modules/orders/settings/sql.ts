import type { Queryable } from '../../../db/database.ts'
import type { CheckoutSettings, Theme } from './types.ts'

type SettingsRow = {
  display_name: string
  allowed_origins: string[]
  accepts_loss: boolean
  theme: Theme
}

const FIND = {
  name: 'checkout_settings_find',
  text: `select display_name, allowed_origins, accepts_loss, theme from checkout_settings where reseller_id = $1`,
}

export async function findSettings(
  connection: Queryable,
  resellerId: bigint,
): Promise<CheckoutSettings | undefined> {
  const { rows } = await connection.query<SettingsRow>(FIND, [resellerId])
  const row = rows[0]
  return (
    row && {
      displayName: row.display_name,
      allowedOrigins: row.allowed_origins,
      acceptsLoss: row.accepts_loss,
      theme: row.theme,
    }
  )
}

const SAVE = {
  name: 'checkout_settings_save',
  text: `insert into checkout_settings (reseller_id, display_name, allowed_origins, accepts_loss, theme, updated_at)
         values ($1, $2, $3, $4, $5, clock_timestamp())
         on conflict (reseller_id) do update
            set display_name = excluded.display_name, allowed_origins = excluded.allowed_origins,
                accepts_loss = excluded.accepts_loss, theme = excluded.theme, updated_at = excluded.updated_at`,
}

export async function saveSettings(
  connection: Queryable,
  resellerId: bigint,
  { displayName, allowedOrigins, acceptsLoss, theme }: CheckoutSettings,
): Promise<void> {
  await connection.query(SAVE, [resellerId, displayName, allowedOrigins, acceptsLoss, theme])
}
