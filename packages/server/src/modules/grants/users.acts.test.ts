import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestDatabase } from '../../testing/database.ts'
import { openTestDatabase } from '../../testing/database.ts'
import type { GrantsBench } from '../../testing/grants.ts'
import { addUser, contextOf, editUser } from '../../testing/grants.ts'
import { proven } from '../../testing/sessions.ts'
import { createOperator, createReseller, listUsers, updateOperator } from '../accounts/service.ts'
import type { Reseller } from '../accounts/types.ts'
import type { OperatorCaller } from '../sessions/people/types.ts'
import { signIn } from '../sessions/session/service.ts'

const PASSWORD = 'a long enough password'
const ADDRESS = '192.0.2.1'

let test: TestDatabase
let context: GrantsBench

beforeAll(async () => {
  test = await openTestDatabase()
  context = contextOf(test)
})
afterAll(() => test.close())

let people = 0

async function newOperator(): Promise<OperatorCaller> {
  people += 1
  const login = `operator-${people}@example.com`
  const input = { email: login, name: 'Siti', password: PASSWORD, role: 'admin' } as const
  const { id: operatorId } = await createOperator(context.accounts, input)
  const { session } = await signIn(context.sessions, {
    kind: 'operator',
    login,
    password: PASSWORD,
    address: ADDRESS,
    userAgent: 'test',
    code: undefined,
    previousSecret: undefined,
    deviceSecret: undefined,
  })
  const credentialId = `session:${session.id}`
  const own = { operatorId, email: login, name: 'Siti', role: 'admin', credentialId } as const
  const caller = { ...own, kind: 'operator', via: 'session', address: ADDRESS } as const
  return proven(context.sessions, caller, PASSWORD)
}

function newReseller(): Promise<Reseller> {
  people += 1
  const input = { name: 'Kedai', email: `kedai-${people}@example.com`, priceLevel: 'RETAIL' }
  return createReseller(context.accounts, input)
}

function newPerson() {
  people += 1
  const username = `member-${people}`
  return { username, email: `${username}@example.com`, role: 'viewer' } as const
}

describe('people of a reseller, changed by an operator', () => {
  it('a person is added and changed while the operator’s session lives', async () => {
    const [caller, { account }] = [await newOperator(), await newReseller()]
    const person = newPerson()
    await addUser(context, caller, account, person, 'new colleague')
    const place = { account, username: person.username }
    const changed = await editUser(context, caller, place, { role: 'admin' }, 'promoted')
    expect(changed).toMatchObject({ done: { username: person.username, role: 'admin' } })
  })

  it('a person is neither added nor changed by a session that has ended since the request was let in', async () => {
    const [caller, { account, id }] = [await newOperator(), await newReseller()]
    const person = newPerson()
    await addUser(context, caller, account, person, 'new colleague')
    await updateOperator(context.accounts, caller.operatorId, { password: 'another long password' })
    const place = { account, username: person.username }
    await expect(editUser(context, caller, place, { role: 'admin' }, 'promoted')).rejects.toMatchObject({
      status: 401,
      code: 'invalid_session',
    })
    await expect(addUser(context, caller, account, newPerson(), 'new colleague')).rejects.toMatchObject({
      status: 401,
      code: 'invalid_session',
    })
    const left = (await listUsers(context.database, id)).map(({ username, role }) => [username, role])
    expect(left).toEqual([[person.username, 'viewer']])
  })
})
