import { randomBytes } from 'node:crypto'
import type { Random } from '../faults/random.ts'
import { CATALOGUE } from '../operator/operators.ts'
import { slipOf } from '../portal/slips.ts'
import type { Actor } from './actors.ts'
import type { Facts, PreparedRequest } from './cases.ts'
import { LEFT_OUT } from './cases.ts'
import type { Operation } from './documents.ts'
import type { Pool } from './pool.ts'

/** Values of the world that requests need to get further than the first check. */
export type World = {
  readonly pool: Pool
  /** Things of the portal: operators look at the orders that members make. */
  readonly members: Pool
  readonly actor: Actor
  /** Account of a reseller that operators may do anything with. */
  readonly victim: string
  /** Address that is blocked. */
  readonly blocked: string
  /** Request that a recipe has prepared. */
  readonly prepared?: PreparedRequest | undefined
}

type Fact = (world: World, random: Random, operation: Operation, given: unknown) => unknown

export function factsOf(world: World, random: Random): Facts {
  return {
    path(operation) {
      const found = world.pool.pathFor(random, operation)
      const own = world.actor.facts.order_id
      const order = operation.api === 'operator' ? world.members.named(random, 'order_id') : undefined
      const account = operation.api === 'operator' && random.chance(0.7) ? world.victim : found.account
      return {
        ...found,
        ...(order !== undefined && { order_id: order }),
        ...(account !== undefined && { account }),
        ...(operation.api === 'checkout' && own !== undefined && { order_id: own }),
      }
    },
    prepared: world.prepared,
    value: (operation, name, given) => FACTS[name]?.(world, random, operation, given),
  }
}

const fresh = (prefix: string) => `${prefix}${randomBytes(8).toString('hex')}`
const signsIn = ({ id }: Operation) => /^create(Portal|Operator)Session$|^createToken$/.test(id)
const own: Fact = ({ actor }) => actor.facts.own_password

/** Facts by the name of a member or of a query parameter. */
const FACTS: Readonly<Record<string, Fact>> = {
  password: own,
  current_password: own,
  username: ({ actor }, _, operation) =>
    signsIn(operation) ? (actor.facts.own_username ?? fresh('user-')) : fresh('user-'),
  email: ({ actor }, _, operation) =>
    signsIn(operation) ? actor.facts.own_email : `${fresh('somebody-')}@example.com`,
  // A second factor is asked for only where the person has one.
  code: (_, __, { id }) =>
    /TwoFactor|Passkey|Session|Token|RecoveryCodes/.test(id)
      ? LEFT_OUT
      : id === 'createLevel'
        ? newCode()
        : undefined,
  refid: ({ pool }, random, { id }) =>
    /^(pay|portalPay)$/.test(id) ? fresh('fuzz-') : pool.named(random, 'refid'),
  refids: ({ pool }, random) => [pool.named(random, 'refid') ?? 'nobody'],
  reference: (_, __, { id }) => (/Order$/.test(id) ? fresh('cart-') : undefined),
  bank_reference: () => fresh('bank-'),
  slip: () => slipOf('x').slip,
  account: ({ victim }, _, { api }) => (api === 'operator' ? victim : undefined),
  job_ids: ({ pool }, random, { path }) => [
    pool.rowValue(random, path.replace('/replay-bulk', ''), 'id') ?? '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b',
  ],
  delivery_ids: ({ pool }, random) => [
    pool.rowValue(random, '/portal/v1/endpoints/{stream}/deliveries', 'id') ??
      '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b',
  ],
  expected_version: ({ pool }) => Number(pool.latest('version') ?? 1),
  version: ({ pool }, _, { api }) => (api === 'checkout' ? Number(pool.latest('version') ?? 1) : undefined),
  total_amount: () => LEFT_OUT,
  month: () => thisMonth(),
  cursor: ({ pool }, random) => pool.named(random, 'cursor'),
  document: () => CATALOGUE,
  address: ({ blocked }, _, { id }) => (id === 'liftBlock' ? blocked : undefined),
  member_id: () => null,
  // The fuzzer's own addresses, so that the account is not closed to it.
  networks: () => [OWN_NETWORK],
  network: () => OWN_NETWORK,
}

const OWN_NETWORK = '198.51.0.0/16'

function newCode(): string {
  return `L${randomBytes(4).toString('hex').toUpperCase()}`
}

const GMT8_MS = 8 * 3_600_000

function thisMonth(): string {
  return new Date(Date.now() + GMT8_MS).toISOString().slice(0, 7)
}
