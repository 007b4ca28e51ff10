import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestDatabase } from '../../testing/database.ts'
import { openTestDatabase } from '../../testing/database.ts'
import type { Granted, GrantsBench } from '../../testing/grants.ts'
import {
  addOperator,
  addUser,
  contextOf,
  editOperator,
  editReseller,
  editUser,
} from '../../testing/grants.ts'
import {
  giveMoney,
  newName,
  newOperator,
  newReseller,
  newUser,
  PASSWORD,
  signedIn,
} from '../../testing/people.ts'
import { createApiKey, listApiKeys } from '../accounts/keys.service.ts'
import {
  getOperatorByEmail,
  getReseller,
  getUserByName,
  listUsers,
  updateOperator,
  updateUser,
} from '../accounts/service.ts'
import type { Reseller } from '../accounts/types.ts'
import { listMails } from '../alerts/mail/mail.service.ts'
import { openMail } from '../alerts/mail/outbox.service.ts'
import type { Approval } from '../approvals/types.ts'
import { acceptInvitation, invite } from '../sessions/passwords/invitations.service.ts'
import type { OperatorCaller } from '../sessions/people/types.ts'
import { stopGrant } from './stops.service.ts'

let test: TestDatabase
let context: GrantsBench
/** Fresh proof of the caller, which has tests of its own. */
const proof = { isRequired: false, hold: async () => {} }

let asker: OperatorCaller
let second: OperatorCaller

beforeAll(async () => {
  test = await openTestDatabase()
  context = contextOf(test)
  ;[asker, second] = [await newOperator(context), await newOperator(context)]
})
afterAll(() => test.close())

const ADDRESS = '192.0.2.9'
const REASON = 'asked for by mail'

type Door = {
  readonly name: string
  /** Prepares the reseller, before it is guarded. */
  readonly prepare: (reseller: Reseller) => Promise<string>
  readonly open: (by: OperatorCaller, reseller: Reseller, subject: string) => Promise<Granted<unknown>>
  /** Tells whether the door was passed. */
  readonly isOpen: (reseller: Reseller, subject: string) => Promise<boolean>
}

const userIs = async ({ id }: Reseller, username: string, role: string) => {
  const user = (await listUsers(context.database, id)).find((each) => each.username === username)
  return user?.role === role && user.status === 'active'
}

const changing = (changes: Parameters<typeof editUser>[3]): Door['open'] => {
  return (by, { account }, username) => editUser(context, by, { account, username }, changes, REASON)
}

/** Every operation of the back office after which an operator could hold a login, or keep its owner from being warned. */
const DOORS: readonly Door[] = [
  ...(['admin', 'viewer'] as const).map(
    (role): Door => ({
      name: `a new ${role}`,
      prepare: async () => newName('login'),
      open: (by, { account }, username) =>
        addUser(context, by, account, { username, email: by.email, role }, REASON),
      isOpen: (reseller, username) => userIs(reseller, username, role),
    }),
  ),
  {
    name: 'a viewer who becomes an admin',
    prepare: async (reseller) => (await newUser(context, reseller, 'viewer')).username,
    open: changing({ role: 'admin' }),
    isOpen: (reseller, username) => userIs(reseller, username, 'admin'),
  },
  ...(['admin', 'viewer'] as const).map(
    (role): Door => ({
      name: `a disabled ${role} who is let in again`,
      prepare: async (reseller) => {
        const { id, username } = await newUser(context, reseller, role)
        await updateUser(context.accounts, reseller.id, id, { status: 'disabled' })
        return username
      },
      open: changing({ status: 'active' }),
      isOpen: (reseller, username) => userIs(reseller, username, role),
    }),
  ),
  {
    name: 'a disabled viewer who becomes an admin before being let in again',
    prepare: async (reseller) => {
      const { id, username } = await newUser(context, reseller, 'viewer')
      await updateUser(context.accounts, reseller.id, id, { status: 'disabled' })
      return username
    },
    open: changing({ status: 'disabled', role: 'admin' }),
    isOpen: async ({ id }, username) =>
      (await getUserByName(context.database, id, username)).role === 'admin',
  },
  {
    name: 'another registered address',
    prepare: async () => `${newName('mine')}@example.com`,
    open: (by, { account }, email) => editReseller(context, { ...by, proof }, account, { email }, REASON),
    isOpen: async ({ account }, email) => (await getReseller(context.database, account)).email === email,
  },
]

const GUARDS = {
  money: (reseller: Reseller) => giveMoney(context, reseller),
  'an admin': (reseller: Reseller) => newUser(context, reseller),
} as const

const TABLE = DOORS.flatMap((door) =>
  (Object.keys(GUARDS) as (keyof typeof GUARDS)[]).map((guard) => ({ ...door, guard })),
)

function askedIn(granted: Granted<unknown>): Approval {
  if (!('asked' in granted)) throw new Error('one operator alone did it')
  return granted.asked
}

async function lettersTo(address: string): Promise<string[]> {
  const mails = await listMails(context.database, { limit: 1_000, status: undefined })
  const own = mails.filter(({ kind, recipient }) => kind === 'access' && recipient === address)
  return Promise.all(own.map(async (mail) => (await openMail(test.vault, mail)).body))
}

async function lastLinkTo(address: string): Promise<string> {
  const [letter] = await lettersTo(address)
  const token = /Token: (wst_\S+)/.exec(letter ?? '')?.[1]
  if (token === undefined) throw new Error(`there is no link in ${letter}`)
  return token
}

describe.each(TABLE)('$name of a reseller with $guard', ({ prepare, open, isOpen, guard }) => {
  async function ask(): Promise<{ reseller: Reseller; subject: string; asked: Approval }> {
    const reseller = await newReseller(context)
    const subject = await prepare(reseller)
    await GUARDS[guard](reseller)
    return { reseller, subject, asked: askedIn(await open(asker, reseller, subject)) }
  }

  it('waits for a second person, and is not decided by the one who asked', async () => {
    const { reseller, subject, asked } = await ask()
    expect(asked.state).toBe('pending')
    await expect(context.approvals.approve(asker, asked.id, 'mine')).rejects.toMatchObject({
      code: 'own_request',
    })
    const made = await newOperator(context, 'admin', asker)
    await expect(context.approvals.approve(made, asked.id, 'mine')).rejects.toMatchObject({ status: 403 })
    expect(await isOpen(reseller, subject)).toBe(false)
    expect(await lettersTo(reseller.email)).toHaveLength(1)
  })

  it('is not asked for with a token', async () => {
    const reseller = await newReseller(context)
    const subject = await prepare(reseller)
    await GUARDS[guard](reseller)
    await expect(open({ ...asker, via: 'token' }, reseller, subject)).rejects.toMatchObject({
      status: 403,
      code: 'session_required',
    })
    expect(await isOpen(reseller, subject)).toBe(false)
  })

  it('is carried out when an independent operator approves, and is told once more', async () => {
    const { reseller, subject, asked } = await ask()
    await context.approvals.approve(second, asked.id, 'called them')
    expect(await isOpen(reseller, subject)).toBe(true)
    expect(await lettersTo(reseller.email)).toHaveLength(2)
  })

  it('is stopped by the link in the mail, before and after it is carried out', async () => {
    const before = await ask()
    expect(
      await stopGrant(context, { token: await lastLinkTo(before.reseller.email), address: ADDRESS }),
    ).toBe('refused')
    await expect(context.approvals.approve(second, before.asked.id, 'late')).rejects.toMatchObject({
      code: 'already_decided',
    })
    expect(await isOpen(before.reseller, before.subject)).toBe(false)
    const after = await ask()
    const early = await lastLinkTo(after.reseller.email)
    await context.approvals.approve(second, after.asked.id, 'called them')
    expect(await stopGrant(context, { token: early, address: ADDRESS })).toBe('undone')
    const user = (await listUsers(context.database, after.reseller.id)).find(
      ({ username }) => username === after.subject,
    )
    expect(user?.status ?? 'disabled').toBe('disabled')
    expect((await getReseller(context.database, after.reseller.account)).email).toBe(after.reseller.email)
  })
})

describe('an admin of the reseller', () => {
  it('is the second person for a request about their reseller, and for no other', async () => {
    const [own, foreign] = [await newReseller(context), await newReseller(context)]
    const admin = await signedIn(context, own, (await newUser(context, own)).username)
    const viewer = await signedIn(context, own, (await newUser(context, own, 'viewer')).username)
    const stranger = await signedIn(context, foreign, (await newUser(context, foreign)).username)
    const username = newName('login')
    const asked = askedIn(await addUser(context, asker, own.account, { username, role: 'viewer' }, REASON))
    await expect(context.approvals.approve(stranger, asked.id, 'x')).rejects.toMatchObject({ status: 404 })
    await expect(context.approvals.approve(viewer, asked.id, 'x')).rejects.toMatchObject({ status: 403 })
    const approved = await context.approvals.approve(admin, asked.id, 'in the portal')
    expect(approved).toMatchObject({
      state: 'approved',
      decision: { by: { kind: 'member', name: admin.username } },
    })
    expect(await context.approvals.approve(admin, asked.id, 'again')).toEqual(approved)
    expect(await userIs(own, username, 'viewer')).toBe(true)
    expect(await context.approvals.listOfReseller(own.id, 10)).toEqual([approved])
    expect(await context.approvals.listOfReseller(foreign.id, 10)).toEqual([])
  })

  it('is not the second person for money or for an operator', async () => {
    const own = await newReseller(context)
    const admin = await signedIn(context, own, (await newUser(context, own)).username)
    const deposit = await context.approvals.request(asker, {
      kind: 'deposit',
      target: { kind: 'wallet', id: own.account },
      command: { account: own.account, amount: '5.00', remarks: 'x', reference: null },
      reason: 'x',
    })
    await expect(context.approvals.approve(admin, deposit.id, 'x')).rejects.toMatchObject({ status: 404 })
    expect((await context.approvals.get(deposit.id)).state).toBe('pending')
  })
})

describe('a login that was approved and is stopped by its link', () => {
  it('ends with everybody whom it invited, and the keys that they made, and with nobody else', async () => {
    const reseller = await newReseller(context)
    const owner = await newUser(context, reseller)
    const kept = await createApiKey(context.accounts, reseller.id, { createdBy: owner.id })
    const username = newName('login')
    const input = { username, email: 'rogue@example.com', role: 'admin' } as const
    const asked = askedIn(await addUser(context, asker, reseller.account, input, REASON))
    await context.approvals.approve(second, asked.id, 'fooled')
    const { id } = await getUserByName(context.database, reseller.id, username)
    await updateUser(context.accounts, reseller.id, id, { password: PASSWORD })
    const rogue = await signedIn(context, reseller, username)
    await invite(context.sessions, rogue, { email: 'helper@example.com', role: 'admin' })
    const helper = newName('helper')
    const [invitation] = (await listMails(context.database, { limit: 100, status: undefined })).filter(
      ({ kind, recipient }) => kind === 'invitation' && recipient === 'helper@example.com',
    )
    const letter = invitation && (await openMail(test.vault, invitation)).body
    const token = /Token: (wiv_\S+)/.exec(letter ?? '')?.[1] ?? ''
    const accepted = await acceptInvitation(context.sessions, {
      token,
      username: helper,
      password: PASSWORD,
      address: ADDRESS,
    })
    await createApiKey(context.accounts, reseller.id, { createdBy: id })
    await createApiKey(context.accounts, reseller.id, { createdBy: accepted.user.id })
    const stopped = await stopGrant(context, { token: await lastLinkTo(reseller.email), address: ADDRESS })
    expect(stopped).toBe('undone')
    const users = (await listUsers(context.database, reseller.id)).map((each) => [each.username, each.status])
    expect(users).toEqual([
      [owner.username, 'active'],
      [username, 'disabled'],
      [helper, 'disabled'],
    ])
    const live = (await listApiKeys(context.database, reseller.id)).filter(({ state }) => state === 'active')
    expect(live.map((key) => key.id)).toEqual([kept.id])
    const { rows } = await test.database.query(
      `select 1 from sessions where kind = 'member' and person_id = $1 and ended_at is null`,
      [id],
    )
    expect(rows).toEqual([])
  })

  it('is answered the same by a link that is used again, which does nothing', async () => {
    const reseller = await newReseller(context)
    await newUser(context, reseller)
    const username = newName('login')
    const asked = askedIn(
      await addUser(context, asker, reseller.account, { username, role: 'admin' }, REASON),
    )
    const token = await lastLinkTo(reseller.email)
    await context.approvals.approve(second, asked.id, 'called them')
    expect(await stopGrant(context, { token, address: ADDRESS })).toBe('undone')
    const { id } = await getUserByName(context.database, reseller.id, username)
    await updateUser(context.accounts, reseller.id, id, { status: 'active' })
    expect(await stopGrant(context, { token, address: ADDRESS })).toBe('undone')
    expect(await userIs(reseller, username, 'admin')).toBe(true)
    await expect(stopGrant(context, { token: 'wst_unknown', address: ADDRESS })).rejects.toMatchObject({
      status: 400,
    })
  })
})

describe('a reseller without people and without money', () => {
  it('gets its first user from one operator, and the registered address is told of a login that is not its own', async () => {
    const [own, foreign] = [await newReseller(context), await newReseller(context)]
    const login = { username: newName('login'), role: 'admin' }
    const first = await addUser(context, asker, own.account, login, REASON)
    expect(first).toMatchObject({ done: { user: { email: own.email, status: 'active' } } })
    expect(await lettersTo(own.email)).toEqual([])
    const input = { username: newName('login'), email: 'else@example.com', role: 'admin' } as const
    expect(await addUser(context, asker, foreign.account, input, REASON)).toHaveProperty('done')
    expect(await lettersTo(foreign.email)).toHaveLength(1)
  })

  it.each<[string, Parameters<typeof editUser>[3]]>([
    ['disabled', { status: 'disabled' }],
    ['made a viewer', { role: 'viewer' }],
  ])('is no reseller whose only admin was %s by the operator who asks', async (_, taken) => {
    const reseller = await newReseller(context)
    const { username } = await newUser(context, reseller)
    expect(await changing(taken)(asker, reseller, username)).toHaveProperty('done')
    const input = { username: newName('login'), email: 'else@example.com', role: 'admin' } as const
    expect(await addUser(context, asker, reseller.account, input, REASON)).toHaveProperty('asked')
    const other = editReseller(context, { ...asker, proof }, reseller.account, { email: input.email }, REASON)
    expect(await other).toHaveProperty('asked')
  })
})

describe('operators', () => {
  const newInput = () =>
    ({ email: `${newName('new')}@example.com`, name: 'Aminah', role: 'finance' }) as const

  it('are let in by one admin alone only while there is no independent admin', async () => {
    const own = await openTestDatabase()
    const lone = contextOf(own)
    const boss = await newOperator(lone)
    const made = await addOperator(lone, boss, newInput(), REASON)
    expect(made).toMatchObject({ done: { operator: { role: 'finance', empoweredBy: boss.operatorId } } })
    // An admin whom the first one let in is no person of their own, and approves nothing for them.
    expect(await addOperator(lone, boss, { ...newInput(), role: 'admin' }, REASON)).toHaveProperty('done')
    expect(await addOperator(lone, boss, newInput(), REASON)).toHaveProperty('done')
    const independent = await newOperator(lone)
    const asked = askedIn(await addOperator(lone, boss, newInput(), REASON))
    expect((await lone.approvals.approve(independent, asked.id, 'knows them')).state).toBe('approved')
    await own.close()
  })

  it.each([
    ['a new operator', async () => addOperator(context, asker, newInput(), REASON)],
    [
      'a wider role',
      async () => {
        const { operatorId } = await newOperator(context, 'read_only')
        return editOperator(context, asker, String(operatorId), { role: 'finance' }, REASON)
      },
    ],
    [
      'a disabled operator who is let in again',
      async () => {
        const { operatorId } = await newOperator(context, 'support')
        await updateOperator(context.accounts, operatorId, { status: 'disabled' })
        return editOperator(context, asker, String(operatorId), { status: 'active' }, REASON)
      },
    ],
  ])('%s waits for another admin, and finance is none', async (_name, open) => {
    const asked = askedIn(await open())
    const finance = await newOperator(context, 'finance')
    await expect(context.approvals.approve(finance, asked.id, 'x')).rejects.toMatchObject({ status: 403 })
    await expect(context.approvals.approve(asker, asked.id, 'x')).rejects.toMatchObject({
      code: 'own_request',
    })
    const letters = await lettersTo(second.email)
    expect(letters.length).toBeGreaterThan(0)
    expect((await context.approvals.approve(second, asked.id, 'knows them')).state).toBe('approved')
  })

  it('lose rights at once, by one admin', async () => {
    const { operatorId } = await newOperator(context, 'support')
    const id = String(operatorId)
    expect(await editOperator(context, asker, id, { role: 'read_only' }, REASON)).toHaveProperty('done')
    expect(await editOperator(context, asker, id, { status: 'disabled' }, REASON)).toHaveProperty('done')
  })

  it('an operator who was let in with an approval still has the one who asked behind them', async () => {
    const input = newInput()
    const asked = askedIn(await addOperator(context, asker, input, REASON))
    await context.approvals.approve(second, asked.id, 'knows them')
    const { empoweredBy } = await getOperatorByEmail(context.database, input.email)
    expect(empoweredBy).toBe(asker.operatorId)
  })
})
