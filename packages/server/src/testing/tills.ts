import type { Database } from '../db/database.ts'
import type { Amount } from '../lib/money.ts'
import { performAlone } from '../modules/acts/service.ts'
import type { Act } from '../modules/acts/types.ts'
import { createAuditLog } from '../modules/audit/service.ts'
import type { MemberCaller } from '../modules/sessions/people/types.ts'
import { addBranch, addTill, bindTill } from '../modules/tills/acts.ts'
import { closeShift, joinShift, moveCash, openShift } from '../modules/tills/shifts.acts.ts'
import type { Shift } from '../modules/tills/types.ts'
import type { PaymentsBench } from './payments/payments.ts'
import { openPaymentsBench } from './payments/payments.ts'

// Shops with people and tills, on a database of their own.

/** Till with the secret of the browser that it is. */
export type BoundTill = { readonly id: bigint; readonly browser: string }

export type TestShop = {
  readonly id: bigint
  readonly account: string
  /** Owner of the shop. */
  readonly owner: MemberCaller
  newPerson(role?: MemberCaller['role']): Promise<MemberCaller>
  newTill(name?: string): Promise<BoundTill>
  open(by: MemberCaller, till: BoundTill, float?: string): Promise<Shift>
  join(by: MemberCaller, till: BoundTill): Promise<Shift>
  move(by: MemberCaller, id: bigint, kind: string, amount: string): Promise<unknown>
  close(by: MemberCaller, id: bigint, counted?: string): Promise<Shift>
}

export type TillsBench = PaymentsBench & {
  /** Opens a shop; its acts run on `database`, which may be a connection that the test breaks. */
  newShop(balance?: Amount): Promise<TestShop>
  on(shop: TestShop, database: Database): Promise<TestShop>
}

export async function openTillsBench(): Promise<TillsBench> {
  const bench = await openPaymentsBench()
  const shopOn = async (database: Database, id: bigint, given?: MemberCaller): Promise<TestShop> => {
    const log = createAuditLog({ database, vault: bench.vault })
    await log.key()
    const { rows } = await bench.database.query<{ account: string }>(
      'select account from resellers where id = $1',
      [id],
    )
    const account = rows[0]?.account ?? ''
    const newPerson = (role: MemberCaller['role'] = 'cashier') =>
      insertPerson(bench.database, { id, account }, role)
    const owner = given ?? (await newPerson('admin'))
    const run = <Input, Result>(act: Act<undefined, Input, Result>, caller: MemberCaller, input: object) =>
      performAlone({ log, world: undefined }, act, { caller, input: { account, ...input }, reason: 'test' })
    let tills = 0
    return {
      id,
      account,
      owner,
      newPerson,
      async newTill(name) {
        tills += 1
        const branch = await run(addBranch, owner, { name: name ?? `Branch ${tills}` })
        const till = await run(addTill, owner, { branch_id: String(branch.id), name: 'Till' })
        const { secret } = await run(bindTill, owner, { id: String(till.id) })
        return { id: till.id, browser: secret }
      },
      open: (by, { browser }, float = '0.00') => run(openShift, by, { browser, float }),
      join: (by, { browser }) => run(joinShift, by, { browser }),
      move: (by, shift, kind, amount) =>
        run(moveCash, by, { id: String(shift), kind, amount, reason: 'change' }),
      close: (by, shift, counted = '0.00') => run(closeShift, by, { id: String(shift), counted }),
    }
  }
  return {
    ...bench,
    newShop: async (balance = 100_000_000n) => shopOn(bench.database, await bench.newReseller(balance)),
    on: (shop, database) => shopOn(database, shop.id, shop.owner),
  }
}

async function insertPerson(
  database: Database,
  { id, account }: Pick<TestShop, 'id' | 'account'>,
  role: MemberCaller['role'],
): Promise<MemberCaller> {
  const { rows } = await database.query<{ id: bigint; username: string }>(
    `insert into users (reseller_id, username, email, password_hash, role)
     values ($1, 'person-' || gen_random_uuid(), 'person@example.com', 'x', $2) returning id, username`,
    [id, role],
  )
  const [row] = rows
  if (row === undefined) throw new Error('the person was not made')
  const reseller = { id, account, name: 'Kedai' }
  return {
    kind: 'member',
    userId: row.id,
    username: row.username,
    email: 'person@example.com',
    role,
    reseller,
    credentialId: 'session:1',
    address: '192.0.2.1',
  }
}
