import type { PersonKind } from './people.types.ts'
import type { SessionsOptions } from './settings.types.ts'
import { findByLogin } from './sql.ts'

/** Login of the demo, as its file holds it. */
export type DemoLogin = { readonly kind: PersonKind; readonly login: string; readonly password: string }

/** Reads the demo's file of this node. Empty: there is no demo. */
export type DemoAccounts = () => Promise<readonly DemoLogin[]>

/** Lists the demo's people who can sign in here. Production has none, whatever lies in its data directory. */
export async function listDemoAccounts(
  { config, database }: SessionsOptions,
  kind: PersonKind,
  accounts: DemoAccounts,
) {
  if (config.environment !== 'staging') return []
  const logins = (await accounts()).filter((each) => each.kind === kind)
  const people = await Promise.all(
    logins.map(async ({ login, password }) => ({
      password,
      person: await findByLogin(database, kind, login.toLowerCase()),
    })),
  )
  // The file may be of another database: a person is shown only if this one has them, as a part of its demo.
  return people.flatMap(({ password, person }) => {
    if (person === undefined || !person.isDemo || !person.isActive) return []
    const { login, name, role, account, resellerName } = person
    const reseller = kind === 'operator' ? null : { account, name: resellerName }
    return [{ login, password, name: name === '' ? login : name, role, reseller }]
  })
}
