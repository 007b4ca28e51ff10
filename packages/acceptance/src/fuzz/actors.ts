import { randomBytes } from 'node:crypto'
import type { CreatedOrder } from '../checkout/api-client.ts'
import { RETURN_URL } from '../checkout/api-client.ts'
import { from, newAddress } from '../clients.ts'
import { exchange, signed } from '../http.ts'
import { hireOperator } from '../operator/operators.ts'
import type { Payer } from '../payments.ts'
import { createPayer, deposit } from '../payments.ts'
import { dataOf, newMember } from '../portal/members.ts'
import type { Browser } from '../portal/people.ts'
import { signIn } from '../portal/people.ts'
import type { Api } from '../recording.ts'
import type { Service } from '../service.ts'
import { signRequest } from '../signing.ts'

// Callers of the four APIs. A request may end its own caller: it signs out, revokes its key, suspends its account. The
// fuzzer then goes on with a new one.

export type Proven = {
  readonly method: string
  readonly query: string
  readonly body: Buffer | undefined
}

export type Actor = {
  /** Returns the headers that prove the caller. */
  prove(request: Proven): [name: string, value: string][]
  /** Values of members and parameters that belong to the caller. */
  readonly facts: Readonly<Record<string, string>>
  /** Tells whether the caller is still let in. */
  isLetIn(): Promise<boolean>
}

export type Actors = {
  get(api: Api): Promise<Actor>
  /** Replaces a caller that is no longer let in; returns true if it was replaced. */
  renew(api: Api): Promise<boolean>
  /** Replaces a caller in any case. */
  replace(api: Api): Promise<Actor>
}

const RINGGIT = '1000000'

export function createActors(service: Service): Actors {
  const actors = new Map<Api, Actor>()
  const replace = async (api: Api) => {
    const actor = await MAKERS[api](service)
    actors.set(api, actor)
    return actor
  }
  return {
    get: async (api) => actors.get(api) ?? replace(api),
    async renew(api) {
      if ((await actors.get(api)?.isLetIn()) === true) return false
      await replace(api)
      return true
    },
    replace,
  }
}

const MAKERS: Readonly<Record<Api, (service: Service) => Promise<Actor>>> = {
  reseller: async (service) => resellerActor(service, await createPayer(service, RINGGIT)),
  portal: memberActor,
  operator: operatorActor,
  checkout: customerActor,
}

export function resellerActor(service: Pick<Service, 'baseUrl'>, { credentials, account }: Payer): Actor {
  return {
    facts: { own_account: account },
    prove: ({ method, query, body }) =>
      Object.entries(signRequest({ ...credentials, method, query, body })).concat(
        Object.entries(from(newAddress())),
      ),
    async isLetIn() {
      const path = '/v2/balance'
      const headers = signRequest({ ...credentials, method: 'GET' })
      return (await exchange({ baseUrl: service.baseUrl, path, headers })).status === 200
    },
  }
}

async function memberActor(service: Service): Promise<Actor> {
  const payer = await createPayer(service, null)
  await deposit(service, payer.account, RINGGIT)
  const member = await newMember(service, payer.account, 'admin')
  const { username, password } = member
  return browserActor(service, member, {
    own_account: payer.account,
    own_username: username,
    own_password: password,
  })
}

async function operatorActor(service: Service): Promise<Actor> {
  const person = await hireOperator(service, 'admin')
  const browser = await signIn(service, 'operator', person)
  return browserActor(service, browser, { own_email: person.email, own_password: person.password })
}

export function browserActor(service: Service, browser: Browser, facts: Actor['facts']): Actor {
  const { side, secret, csrfToken } = browser
  const cookie = `${side === 'operator' ? 'warung_operator' : 'warung_member'}=${secret}`
  return {
    facts,
    // Few attempts to sign in are open to one address.
    prove: ({ method }) => [
      ...Object.entries(from(newAddress())),
      ['Cookie', cookie],
      ...(method === 'GET' ? [] : [['X-CSRF-Token', csrfToken] as [string, string]]),
    ],
    async isLetIn() {
      const headers = { Cookie: cookie, ...from(newAddress()) }
      const path = side === 'operator' ? '/operator/v1/overview' : '/portal/v1/members'
      return (await exchange({ baseUrl: service.baseUrl, path, headers })).status === 200
    },
  }
}

const shops = new WeakMap<Service, Promise<Payer>>()

/** Returns the reseller whose customers hold the tokens. */
function shopOf(service: Service): Promise<Payer> {
  const shop = shops.get(service) ?? createPayer(service, RINGGIT)
  shops.set(service, shop)
  return shop
}

/** Holder of the token of a new order. */
async function customerActor(service: Service): Promise<Actor> {
  const { credentials } = await shopOf(service)
  const json = { reference: `cart-${randomBytes(8).toString('hex')}`, user_id: 'u-1', return_url: RETURN_URL }
  const answer = await signed(service.baseUrl, credentials, { method: 'POST', path: '/v2/orders', json })
  const { order_id: orderId, client_token: token } = dataOf<CreatedOrder>(answer)
  const bearer = ['Authorization', `Bearer ${token}`] as [string, string]
  return {
    facts: { order_id: orderId },
    prove: () => [bearer, ...Object.entries(from(newAddress()))],
    async isLetIn() {
      const headers = [bearer, ...Object.entries(from(newAddress()))]
      const answer = await exchange({
        baseUrl: service.baseUrl,
        path: `/checkout/v1/orders/${orderId}`,
        headers,
      })
      return answer.status === 200 && answer.text.includes('"status":"draft"')
    },
  }
}
