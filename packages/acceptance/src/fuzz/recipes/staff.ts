import type { Role } from '../../operator/operators.ts'
import { signInAs } from '../../operator/operators.ts'
import type { Browser } from '../../portal/people.ts'
import type { Actor } from '../actors.ts'
import { browserActor, resellerActor } from '../actors.ts'
import type { Target } from '../target.ts'

// Callers that recipes use.

const hired = new WeakMap<Target, Map<Role, Browser>>()

/** Returns an operator who asks or prepares; another one when the last one was dismissed meanwhile. */
export async function staffOf(target: Target, role: Role): Promise<Browser> {
  const known = hired.get(target) ?? new Map<Role, Browser>()
  hired.set(target, known)
  const last = known.get(role)
  if (last !== undefined && (await last.get('/overview')).status === 200) return last
  const browser = await signInAs(target.service, role)
  known.set(role, browser)
  return browser
}

/** Returns the shop's administrator. */
export function memberOf({ service, shop: { subscriber, member } }: Target): Actor {
  const { username, password } = member
  return browserActor(service, member, {
    own_account: subscriber.account,
    own_username: username,
    own_password: password,
  })
}

/** Returns the shop's program. */
export function programOf({ service, shop }: Target): Actor {
  return resellerActor(service, shop.subscriber)
}
