import { hireOperator } from '../operator/operators.ts'
import { newAuthenticator } from '../portal/authenticator.ts'
import { newMember } from '../portal/members.ts'
import { addPasskey, beginPasskey, beginSignIn, originOf } from '../portal/passkeys.ts'
import type { Browser, Side } from '../portal/people.ts'
import { appCode, enrol, signIn } from '../portal/people.ts'
import type { Service } from '../service.ts'
import { createUser, getTokens } from '../tokens.ts'
import type { Actor } from './actors.ts'
import { browserActor } from './actors.ts'
import type { PathValues } from './pool.ts'
import type { Target } from './target.ts'

// Requests that need a step before them: second factors, passkeys, tokens. Each recipe makes that step with a person of
// its own, and returns the valid request, which the fuzzer then sends as it is or changes.

export type Prepared = { readonly actor: Actor; readonly path?: PathValues; readonly body: unknown }

type Person = { readonly browser: Browser; readonly password: string }
type Recipe = (target: Target) => Promise<Prepared>

async function newPerson({ service, victim }: Target, side: Side): Promise<Person> {
  if (side === 'portal') {
    const member = await newMember(service, victim.account, 'admin')
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

export const RECIPES: Readonly<Record<string, Recipe>> = {
  ...recipesOf('portal', 'Portal'),
  ...recipesOf('operator', 'Operator'),
  createToken: async ({ service, victim, actors }) => {
    const { username, password } = await createUser(service, victim)
    return { actor: await actors.get('reseller'), body: { username, password } }
  },
  refreshToken: async ({ service, victim, actors }) => {
    const { RefreshToken: token } = await getTokens(service, await createUser(service, victim))
    return { actor: await actors.get('reseller'), body: { refresh_token: token } }
  },
}
