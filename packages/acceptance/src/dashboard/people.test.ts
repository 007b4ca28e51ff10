import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { originOf } from '../portal/passkeys.ts'
import type { Browser, Side, TestOperator } from '../portal/people.ts'
import { appCode, createOperator, signIn } from '../portal/people.ts'
import type { Service, TestDatabase } from '../service.ts'
import { createDatabase, newMasterKey, openService, stopServices } from '../service.ts'
import type { TestUser } from '../tokens.ts'
import { createUser } from '../tokens.ts'
import type { Visitor } from './browser.ts'
import { expectAccessible, hasBrowser, openVisitor, signInToPortal } from './browser.ts'
import { untilLinked } from './mailed-links.ts'

const MASTER_KEY = newMasterKey()
const PASSWORD = 'a new and longer one'
const STEP_MS = 30_000

let service: Service
let database: TestDatabase
const visitors: Visitor[] = []

beforeAll(async () => {
  database = await createDatabase()
  service = await openService({ database, masterKey: MASTER_KEY })
})
afterEach(async () => {
  for (const visitor of visitors.splice(0)) await visitor.close()
})
afterAll(async () => {
  await stopServices()
  await database?.drop()
})

/** Opens a browser of somebody new; browsers offer passkeys on localhost, and not at an address of numbers. */
async function newVisitor(at: Service = service): Promise<Visitor> {
  const visitor = await openVisitor({ ...at, baseUrl: originOf(at) })
  visitors.push(visitor)
  return visitor
}

/** Opens a session over HTTP, where signing in is not the subject. */
function sessionOf({ username, password }: Pick<TestUser, 'username' | 'password'>): Promise<Browser> {
  return signIn(service, 'portal', { username, password })
}

/** Collects the addresses of all requests, and what they send besides their bodies. */
function watchRequests(page: Page): string[] {
  const seen: string[] = []
  page.on('request', (request) => seen.push(`${request.url()} ${JSON.stringify(request.headers())}`))
  return seen
}

const textOf = (page: Page, role: 'alert' | 'status') => page.getByRole(role).first().textContent()

function click(page: Page, name: string): Promise<void> {
  return page.getByRole('button', { name, exact: true }).click()
}

/** Signs out, and waits for the page to sign in. */
async function signOut(page: Page): Promise<void> {
  await click(page, 'Sign out')
  await page.waitForURL('**/sign-in')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
}

async function choosePassword(page: Page, password: string, repeated: string, action: string): Promise<void> {
  await page.getByLabel('New password').fill(password)
  await page.getByLabel('The same again').fill(repeated)
  await click(page, action)
}

async function enrol(page: Page, password: string): Promise<{ secret: string; codes: string[] }> {
  await click(page, 'Set up')
  await page.getByLabel('Your password').fill(password)
  await click(page, 'Next')
  const secret = (await page.getByLabel('Secret', { exact: true }).textContent()) ?? ''
  await page.getByRole('img', { name: /QR code/ }).waitFor()
  await page.getByLabel('Code that the app shows').fill(appCode(secret))
  await click(page, 'Turn on')
  const shown = page.getByRole('list', { name: 'Your recovery codes' }).getByRole('listitem')
  await shown.first().waitFor()
  const codes = await shown.allTextContents()
  await page.getByText('I have put it where it will be found again').click()
  await click(page, 'Done')
  return { secret, codes }
}

describe.runIf(hasBrowser())('links of mails', () => {
  it.each<Side>(['operator', 'portal'])('lead to a page that sets a password (%s)', async (side) => {
    const name =
      side === 'operator'
        ? (await createOperator(service, 'support')).email
        : (await createUser(service)).username
    const { page, takeProblems, ...visitor } = await newVisitor()
    const answers: (string | null)[] = []
    for (const asked of [`nobody-${name}`, name]) {
      await visitor.go(`/${side}/forgot`)
      await page.getByLabel(side === 'operator' ? 'Email' : 'Username').fill(asked)
      await click(page, 'Send the link')
      await page.getByText('is on its way').waitFor()
      answers.push(((await page.locator('.note').textContent()) ?? '').replace(asked, ''))
    }
    expect(answers[0]).toBe(answers[1])

    const link = await untilLinked(service, database, 'password_reset', name)
    const seen = watchRequests(page)
    await visitor.go(link.pathname + link.hash)
    await choosePassword(page, PASSWORD, 'another one', 'Set the password')
    await page.getByText('Type the same password twice').waitFor()
    expect(takeProblems()).toEqual([])
    await choosePassword(page, 'short', 'short', 'Set the password')
    await page.getByText(/10 to 200 characters/).waitFor()
    await choosePassword(page, PASSWORD, PASSWORD, 'Set the password')
    await page.getByText('The password is set').waitFor()
    expect(page.url()).not.toContain('#')
    expect(seen.length).toBeGreaterThan(0)
    expect(seen.filter((each) => each.includes(link.hash.slice(1)))).toEqual([])
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.waitForURL(`**/${side}/sign-in`)
    await signIn(service, side, {
      ...(side === 'operator' ? { email: name } : { username: name }),
      password: PASSWORD,
    })

    await visitor.go(link.pathname + link.hash)
    await choosePassword(page, PASSWORD, PASSWORD, 'Set the password')
    await expect.poll(() => textOf(page, 'alert')).toContain('was used before or is too old')
  })

  it('lead an invited person in, with the role of the invitation', async () => {
    const admin = await createUser(service, { role: 'admin' })
    const host = await newVisitor()
    await host.letIn(await sessionOf(admin))
    await host.go('/portal/team')
    await click(host.page, 'Invite')
    const dialog = host.page.getByRole('dialog')
    await dialog.getByLabel('Email').fill(`${admin.username}@guests.example.com`)
    await dialog.getByRole('button', { name: 'Invite' }).click()
    // The session is older than any proof: the invitation waits until its host has shown who is there.
    const proof = host.page.getByRole('dialog', { name: 'Is it still you?' })
    await proof.getByText('lets somebody or something in').waitFor()
    await expectAccessible(host)
    await proof.getByLabel('Your password').fill('not the password')
    await host.page.keyboard.press('Enter')
    await proof.getByText('The password is incorrect.').waitFor()
    await proof.getByLabel('Your password').fill(admin.password)
    await host.page.keyboard.press('Enter')
    await host.page.getByRole('cell', { name: `${admin.username}@guests.example.com`, exact: true }).waitFor()

    const link = await untilLinked(service, database, 'invitation', admin.username)
    const guest = await newVisitor()
    await guest.go(link.pathname + link.hash)
    const username = `guest.${admin.username}`
    await guest.page.getByLabel('Username').fill(username)
    await choosePassword(guest.page, PASSWORD, PASSWORD, 'Join')
    await guest.page.getByText('Welcome.').waitFor()
    await signInToPortal(guest, { name: username, password: PASSWORD })
    await guest.go('/portal/team')
    await guest.page.getByText('You see all of this and change none of it.').waitFor()
  })

  it('ask for the whole link when they are cut off', async () => {
    const visitor = await newVisitor()
    for (const path of ['/portal/invitation', '/portal/reset-password', '/operator/reset-password']) {
      await visitor.go(path)
      await visitor.page.getByText('needs the whole link').waitFor()
    }
    expect(visitor.takeProblems()).toEqual([])
  })
})

describe.runIf(hasBrowser())('a person', () => {
  it('sets up an authenticator app, and signs in with its code or a recovery code', async () => {
    const { username: name, password } = await createUser(service)
    const visitor = await newVisitor()
    const { page } = visitor
    await visitor.letIn(await sessionOf({ username: name, password }))
    await visitor.go('/portal/account')
    const { secret, codes } = await enrol(page, password)
    expect(codes.length).toBeGreaterThan(5)
    await signOut(page)
    // The code of this step confirmed the app, and works no second time.
    await signInToPortal(visitor, { name, password, code: appCode(secret, Date.now() + STEP_MS) })
    await signOut(page)
    await signInToPortal(visitor, { name, password, code: codes[0] ?? '' })
    await visitor.go('/portal/account')
    await page.getByText(String(codes.length - 1), { exact: true }).waitFor()
    await expectAccessible(visitor)
  })

  it.each<Side>(['portal', 'operator'])(
    'registers a passkey and signs in with it alone (%s)',
    async (side) => {
      const visitor = await newVisitor()
      const { page } = visitor
      const debug = await visitor.context.newCDPSession(page)
      await debug.send('WebAuthn.enable')
      await debug.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          transport: 'internal',
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
          automaticPresenceSimulation: true,
        },
      })
      const person = await signInNew(visitor, side)
      await visitor.go(`/${side}/account`)
      await click(page, 'Add a passkey')
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Name of the passkey').fill('Counter laptop')
      await dialog.getByLabel('Your password').fill(person.password)
      await dialog.getByRole('button', { name: 'Add a passkey' }).click()
      await page.getByText('Counter laptop').waitFor()
      // A read that is under way would be refused after the end of the session.
      await visitor.settle()
      await signOut(page)
      await click(page, 'Sign in with a passkey')
      await page.waitForURL((url) => !url.pathname.endsWith('/sign-in'))
      await visitor.go(`/${side}/account`)
      const current = page.getByRole('row').filter({ hasText: 'This one' })
      await current.getByText('Passkey', { exact: true }).waitFor()
      await click(page, 'Remove: Counter laptop')
      await page.getByRole('dialog').getByLabel('Your password').fill(person.password)
      await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
      await page.getByText('No passkeys yet').waitFor()
      expect(visitor.takeProblems()).toEqual([])
    },
  )

  it('stays signed in after changing the password, and is signed out everywhere else', async () => {
    const { username: name, password } = await createUser(service)
    const [here, there] = [await newVisitor(), await newVisitor()]
    for (const visitor of [here, there]) {
      await visitor.letIn(await sessionOf({ username: name, password }))
    }
    await there.go('/portal/account')
    await here.go('/portal/account')
    await click(here.page, 'Change the password')
    const dialog = here.page.getByRole('dialog')
    await dialog.getByLabel('Present password').fill(password)
    await dialog.getByLabel('New password').fill(PASSWORD)
    await dialog.getByLabel('The same again').fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Change the password' }).click()
    await here.page.getByText('The password is changed').waitFor()
    await there.page.waitForURL('**/portal/sign-in**')
    // The new session takes changes, with a token of its own.
    await signInToPortal(there, { name, password: PASSWORD })
    await here.page.reload()
    await click(here.page, 'Sign out everywhere else')
    await here.page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere else' }).click()
    await here.page.getByText('You are signed out everywhere else.').waitFor()
    await there.page.waitForURL('**/portal/sign-in**')
    expect(new URL(here.page.url()).pathname).toBe('/portal/account')
  })

  it('tries the demo with one click, on either side', async () => {
    const visitor = await newVisitor()
    const { page } = visitor
    await visitor.go('/portal/sign-in')
    await page.getByRole('button', { name: /Kedai Maju/ }).waitFor()
    await expectAccessible(visitor)
    await page.getByRole('button', { name: /Kedai Maju/ }).click()
    await page.waitForURL('**/portal')
    await visitor.go('/portal/sign-in')
    await page.getByRole('button', { name: /Demo operator/ }).click()
    await page.waitForURL('**/operator')
    expect(visitor.takeProblems()).toEqual([])
  })
})

/** Signs in a person who was just made. */
async function signInNew(visitor: Visitor, side: Side): Promise<{ password: string }> {
  if (side === 'portal') {
    const user = await createUser(service)
    await visitor.letIn(await sessionOf(user))
    return user
  }
  const operator = await createOperator(service, 'support')
  await visitor.letIn(await signIn(service, 'operator', operator))
  return operator
}

/** Signs in an operator on the way to a page. */
async function signInOperator({ page }: Visitor, operator: TestOperator, next: string): Promise<void> {
  await page.goto(`/operator/sign-in?next=${encodeURIComponent(next)}`)
  await page.getByLabel('Email', { exact: true }).fill(operator.email)
  await page.getByLabel('Password', { exact: true }).fill(operator.password)
  await click(page, 'Sign in')
  await page.waitForURL((url) => !url.pathname.endsWith('/sign-in'))
}

describe.runIf(hasBrowser())('a viewer', () => {
  it('reads the team and the alerts, and is offered no change of them', async () => {
    const admin = await createUser(service, { role: 'admin' })
    const viewer = await createUser(service, { account: admin.account, role: 'viewer' })
    const visitor = await newVisitor()
    const { page } = visitor
    await visitor.letIn(await sessionOf(admin))
    await visitor.go('/portal/team')
    await page.getByRole('button', { name: `Change: ${viewer.username}` }).waitFor()
    await page.getByLabel('Mail when the balance falls below').fill('750')
    await click(page, 'Add')
    await page.getByText('750.00', { exact: false }).first().waitFor()
    await expectAccessible(visitor)

    await visitor.letIn(await sessionOf(viewer))
    await visitor.go('/portal/team')
    const main = page.getByRole('main')
    await main.getByRole('cell', { name: admin.username }).first().waitFor()
    await main.getByRole('switch').first().waitFor()
    await main.getByText('750.00').waitFor()
    expect(await main.getByRole('button').and(main.locator(':not([role=switch])')).count()).toBe(0)
    expect(await main.getByRole('switch').and(main.locator(':enabled')).count()).toBe(0)
    expect(await main.getByRole('textbox').count()).toBe(0)
    await expectAccessible(visitor)
    expect(visitor.takeProblems()).toEqual([])
  })
})

describe.runIf(hasBrowser())('an operator without the second factor that is required', () => {
  it('is led to set it up, and works on afterwards', async () => {
    const strict = await openService({
      database,
      masterKey: MASTER_KEY,
      environment: { WARUNG_OPERATOR_SECOND_FACTOR: 'required' },
    })
    const operator = await createOperator(service, 'admin')
    const visitor = await newVisitor(strict)
    const { page } = visitor
    await signInOperator(visitor, operator, '/operator/people')
    await page.waitForURL('**/operator/account')
    await page.getByText('A second factor is needed here.').waitFor()
    await page.goto('/operator/people')
    await page.waitForURL('**/operator/account')
    await enrol(page, operator.password)
    await expect.poll(() => page.getByText('A second factor is needed here.').count()).toBe(0)
    await visitor.go('/operator/people')
    await page.getByRole('cell', { name: operator.email }).waitFor()
    await expectAccessible(visitor)
  })
})
