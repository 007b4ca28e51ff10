import { randomBytes } from 'node:crypto'
import { from } from '../../clients.ts'
import { untilLinked } from '../../dashboard/mailed-links.ts'
import { hireOperator, lettingIn } from '../../operator/operators.ts'
import { newAuthenticator } from '../../portal/authenticator.ts'
import type { Listed } from '../../portal/members.ts'
import { dataOf, newMember } from '../../portal/members.ts'
import { addPasskey, beginPasskey, beginSignIn, originOf } from '../../portal/passkeys.ts'
import type { Browser, Side } from '../../portal/people.ts'
import { appCode, call, enrol, signIn } from '../../portal/people.ts'
import type { Service } from '../../service.ts'
import { createUser, getTokens } from '../../tokens.ts'
import type { Actor } from '../actors.ts'
import { browserActor } from '../actors.ts'
import type { Target } from '../target.ts'
import type { Prepared, Recipe, Recipes } from './recipe.ts'
import { memberOf, staffOf } from './staff.ts'

// Second factors, passkeys, tokens, passwords and invitations. Each recipe has a person of its own.

type Person = { readonly browser: Browser; readonly password: string }

async function newPerson({ service, shop }: Target, side: Side): Promise<Person> {
  if (side === 'portal') {
    const member = await newMember(service, shop.subscriber.account, 'admin')
    return { browser: member, password: member.password }
  }
  const person = await hireOperator(service, 'support')
  return { browser: await signIn(service, 'operator', person), password: person.password }
}

function actorOf(service: Service, { browser, password }: Person): Actor {
  return browserActor(service, browser, { own_password: password })
}

function recipesOf(side: Side, name: 'Portal' | 'Operator'): Record<string, Recipe> {
  const withPerson =
    (make: (service: Service, person: Person) => Promise<Omit<Prepared, 'actor'>>): Recipe =>
    async (target) => {
      const person = await newPerson(target, side)
      return { ...(await make(target.service, person)), actor: actorOf(target.service, person) }
    }
  const withFactor = withPerson(async (_, { browser, password }) => {
    const { secret } = await enrol(browser, password)
    return { body: { password, code: appCode(secret) } }
  })
  const withPasskey = (body: (password: string) => object) =>
    withPerson(async (service, { browser, password }) => {
      const { id } = await addPasskey(service, browser, { password })
      return { path: { id }, body: body(password) }
    })
  return {
    [`confirm${name}TwoFactor`]: withPerson(async (_, { browser, password }) => {
      const made = await browser.send('POST', '/two-factor', { password })
      return { body: { code: appCode(made.json<{ data: { secret: string } }>().data.secret) } }
    }),
    [`renew${name}RecoveryCodes`]: withFactor,
    [`disable${name}TwoFactor`]: withFactor,
    [`create${name}Passkey`]: withPerson(async (service, { browser, password }) => {
      const { ceremony, options } = await beginPasskey(browser, { password })
      const credential = newAuthenticator(originOf(service)).create(options)
      return { body: { ceremony, label: 'Phone', credential } }
    }),
    [`rename${name}Passkey`]: withPasskey(() => ({ label: 'Old phone' })),
    [`delete${name}Passkey`]: withPasskey((password) => ({ password })),
    [`create${name}PasskeySession`]: withPerson(async (service, { browser, password }) => {
      const { device } = await addPasskey(service, browser, { password })
      const { ceremony, options } = await beginSignIn(service, side)
      return { body: { ceremony, credential: device.get(options) } }
    }),
  }
}

/** Sets a new password with the token of a mail. */
function resetOf(side: Side): Recipe {
  return async (target) => {
    const { service, database, shop, actors } = target
    const name =
      side === 'operator'
        ? (await hireOperator(service, 'support')).email
        : (await createUser(service, shop.subscriber)).username
    const whose = side === 'operator' ? { email: name } : { username: name }
    await call(service, 'POST', `/${side}/v1/password-reset`, whose)
    const { hash } = await untilLinked(service, database, 'password_reset', name)
    const body = { token: hash.slice(1), password: 'a new and longer one' }
    return { actor: await actors.get(side), body }
  }
}

const newName = () => `fuzz-${randomBytes(6).toString('hex')}`

async function invite({ shop }: Target): Promise<{ id: string; email: string }> {
  const email = `${newName()}@kedai.example`
  const made = await shop.member.send('POST', '/invitations', { email, role: 'viewer' })
  return { id: dataOf<{ id: string }>(made).id, email }
}

/** Lets an operator ask for a login of the shop; returns the request's id. */
async function askAccess(target: Target, username = newName()): Promise<string> {
  const admin = await staffOf(target, 'admin')
  const path = `/resellers/${target.shop.subscriber.account}/users`
  return dataOf<{ id: string }>(await admin.send('POST', path, { username, role: 'viewer', reason: 'fuzz' }))
    .id
}

const TOKEN = { label: 'script', role: 'support', expires_in_days: 1 }

export const PEOPLE: Recipes = {
  ...recipesOf('portal', 'Portal'),
  ...recipesOf('operator', 'Operator'),
  confirmPortalPasswordReset: resetOf('portal'),
  confirmOperatorPasswordReset: resetOf('operator'),
  deleteInvitation: async (target) => ({
    actor: memberOf(target),
    path: { id: (await invite(target)).id },
  }),
  acceptInvitation: async (target) => {
    const { email } = await invite(target)
    const { hash } = await untilLinked(target.service, target.database, 'invitation', email)
    const body = { token: hash.slice(1), username: newName(), password: 'a password for it' }
    return { actor: await target.actors.get('portal'), body }
  },
  portalApproveApproval: async (target) => ({
    actor: memberOf(target),
    path: { id: await askAccess(target) },
  }),
  portalRefuseApproval: async (target) => ({
    actor: memberOf(target),
    path: { id: await askAccess(target) },
  }),
  stopApproval: async (target) => {
    const name = newName()
    await askAccess(target, name)
    const { hash } = await untilLinked(target.service, target.database, 'access', name)
    return { actor: await target.actors.get('portal'), body: { token: hash.slice(1) } }
  },
  portalChangeMember: async (target) => {
    const { username } = await createUser(target.service, target.shop.subscriber)
    const { data } = (await target.shop.member.get('/members')).json<Listed>()
    const id = data.find((each) => each.username === username)?.id ?? ''
    return { actor: memberOf(target), path: { id }, body: { role: 'viewer' } }
  },
  deleteOperatorToken: async (target) => {
    const { browser, password } = await newPerson(target, 'operator')
    const { id } = dataOf<{ id: string }>(await browser.send('POST', '/tokens', { ...TOKEN, password }))
    return { actor: actorOf(target.service, { browser, password }), path: { id } }
  },
  vouchForOperator: async (target) => {
    // An admin vouches for people that somebody else has let in.
    const body = { email: `${newName()}@example.com`, name: 'New', role: 'support', reason: 'hired' }
    const admin = await staffOf(target, 'admin')
    const id = await lettingIn(target.service, () => admin.send('POST', '/operators', body))
    return { actor: await target.actors.get('operator'), path: { id }, body: { reason: 'we have met' } }
  },
  createToken: async ({ service, shop, actors }) => {
    const { username, password } = await createUser(service, shop.subscriber)
    return { actor: await actors.get('reseller'), body: { username, password } }
  },
  refreshToken: async ({ service, shop, actors }) => {
    const { RefreshToken: token } = await getTokens(service, await createUser(service, shop.subscriber))
    return { actor: await actors.get('reseller'), body: { refresh_token: token } }
  },
  listOperatorDemoAccounts: demoAccountsOf('operator'),
  listPortalDemoAccounts: demoAccountsOf('portal'),
}

/** Asks from the machine itself: the accounts of the demo are shown nowhere else. */
function demoAccountsOf(side: Side): Recipe {
  return async ({ actors }) => ({ actor: await actors.get(side), headers: from('127.0.0.1') })
}
