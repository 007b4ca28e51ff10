import type { Queryable, Tx } from '../../../db/database.ts'
import { digestOf } from '../../../lib/secrets/digests.ts'
import type { KnownNetworks } from '../../auth/tokens.service.ts'
import { deleteOldDevices, deleteOtherDevices, isKnownDevice, putDevice } from './devices.sql.ts'
import type { Credentials, PersonKind } from './people.types.ts'
import { DEVICE_LIFETIME_DAYS, isLogin, NETWORK_LIFETIME_DAYS, newSecret } from './rules.ts'

// Devices from which a person has signed in before. An attempt from one of them is counted apart from the attempts of
// strangers, so that the owner can sign in while strangers guess at the name. Every change of the password ends all of
// them: a device is known only together with the password that it was last used with.

const DEVICES_KEPT_MAX = 20

/** Digest of the browser's secret, if the person of that name has signed in with it before. */
export async function findKnownBrowser(
  connection: Queryable,
  person: { kind: PersonKind; login: string },
  secret: string | undefined,
): Promise<Buffer | undefined> {
  if (secret === undefined || !isLogin(person.login)) return undefined
  const digest = digestOf(secret)
  const isKnown = await isKnownDevice(connection, person, { what: 'browser', digest }, DEVICE_LIFETIME_DAYS)
  return isKnown ? digest : undefined
}

/** Secret for the browser's cookie: the one that was sent if the person is known by it, otherwise a new one. */
export async function rememberBrowser(
  tx: Tx,
  credentials: Credentials,
  sent: string | undefined,
): Promise<string> {
  const known = await findKnownBrowser(tx, credentials, sent)
  // An unknown secret is never adopted: somebody else may have put it into this browser.
  const secret = known === undefined || sent === undefined ? newSecret('') : sent
  const device = { what: 'browser', digest: digestOf(secret) } as const
  if (await putDevice(tx, credentials, credentials.passwordVersion, device)) {
    await deleteOtherDevices(tx, credentials, 'browser', DEVICES_KEPT_MAX)
  }
  return secret
}

/** Networks from which members got legacy tokens. */
export const memberNetworks: KnownNetworks = {
  async isKnown(connection, login, digest) {
    if (!isLogin(login)) return false
    const device = { what: 'network', digest } as const
    return isKnownDevice(connection, { kind: 'member', login }, device, NETWORK_LIFETIME_DAYS)
  },
  async remember(tx, { resellerId, userId, passwordChangedAt }, digest) {
    const key = { kind: 'member', resellerId, id: userId } as const
    if (await putDevice(tx, key, passwordChangedAt, { what: 'network', digest })) {
      await deleteOtherDevices(tx, key, 'network', DEVICES_KEPT_MAX)
    }
  },
}

const DELETED_AT_ONCE_MAX = 1_000

/** Deletes devices that have not been used for long, in small steps. */
export async function sweepDevices(connection: Queryable): Promise<void> {
  while (
    (await deleteOldDevices(connection, DEVICE_LIFETIME_DAYS, DELETED_AT_ONCE_MAX)) === DELETED_AT_ONCE_MAX
  );
}
