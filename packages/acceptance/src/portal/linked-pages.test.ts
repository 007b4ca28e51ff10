import { createHash } from 'node:crypto'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { withToken } from '../mail/mailbox.ts'
import type { Service, TestDatabase } from '../service.ts'
import { createDatabase, startService, stopServices, until } from '../service.ts'
import { createUser } from '../tokens.ts'
import type { Side, SignInFields } from './people.ts'
import { call, createOperator, signIn } from './people.ts'

// Links of mails lead to pages that answer. The script of a page is run here with as much of a document as it uses.

let service: Service
let database: TestDatabase

beforeAll(async () => {
  database = await createDatabase()
  service = await startService({ database })
})
afterAll(async () => {
  await stopServices()
  await database?.drop()
})

const PASSWORD = 'a new and longer one'
const LINK = /https?:\/\/[^\s<"]+#w(?:pr|iv)_[\w-]{43}/

/** Returns the link of the newest mail that contains a name. */
function untilLinked(kind: string, name: string): Promise<URL> {
  return until(`${name} has a mail of ${kind} with a link`, async () => {
    const { rows } = await database.query<{ id: string }>(
      'select id::text as id from mails where kind = $1 order by id desc',
      [kind],
    )
    for (const { id } of rows) {
      const { text } = await service.get(withToken(service, `/mailbox/${id}`))
      const link = LINK.exec(text)?.[0]
      if (link !== undefined && text.includes(name)) return new URL(link)
    }
    return undefined
  })
}

type Opened = { readonly note: () => string; submit(values: Record<string, string>): Promise<void> }

/** Opens the page of a link as a browser does: the part after the # stays here, and the policy decides what runs. */
async function open(link: URL): Promise<Opened> {
  const answer = await service.get(link.pathname)
  expect(answer.status).toBe(200)
  const policy = String(answer.headers['content-security-policy'])
  const script = /<script>([\s\S]*?)<\/script>/.exec(answer.text)?.[1] ?? ''
  expect(policy).toContain(`script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`)
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toContain('unsafe')
  const data = (name: string) => new RegExp(`data-${name}="([^"]*)"`).exec(answer.text)?.[1] ?? ''
  const note = { textContent: '', focus() {} }
  let values: Record<string, string> = {}
  let onSubmit: (event: { preventDefault(): void }) => Promise<void> = async () => {}
  const form = {
    hidden: false,
    dataset: { request: data('request'), done: data('done') },
    querySelector: () => ({ disabled: false }),
    addEventListener: (_: string, listener: typeof onSubmit) => {
      onSubmit = listener
    },
  }
  runInNewContext(script, {
    document: { querySelector: (selector: string) => (selector === 'form' ? form : note) },
    location: { hash: link.hash, pathname: link.pathname },
    history: { replaceState() {} },
    FormData: function FormData() {
      return Object.entries(values)
    },
    fetch: (path: string, init: RequestInit) =>
      fetch(new URL(path, service.baseUrl), {
        ...init,
        headers: { ...(init.headers as Record<string, string>), Origin: new URL(service.baseUrl).origin },
      }),
    decodeURIComponent,
    Object,
    JSON,
  })
  return {
    note: () => note.textContent,
    async submit(wanted) {
      values = wanted
      await onSubmit({ preventDefault() {} })
    },
  }
}

it.each<Side>(['operator', 'portal'])('the link of a password mail leads to its page (%s)', async (side) => {
  const person: SignInFields =
    side === 'operator' ? await createOperator(service, 'support') : await createUser(service)
  const { email, username } = person
  await call(service, 'POST', `/${side}/v1/password-reset`, side === 'operator' ? { email } : { username })
  const page = await open(await untilLinked('password_reset', email ?? username ?? ''))
  await page.submit({ password: PASSWORD, repeated: 'another one' })
  expect(page.note()).toBe('The two passwords are not the same.')
  await page.submit({ password: 'short', repeated: 'short' })
  expect(page.note()).toMatch(/password|characters/i)
  await page.submit({ password: PASSWORD, repeated: PASSWORD })
  expect(page.note()).toContain('The password is set.')
  const { account: _, ...fields } = person as SignInFields & { account?: string }
  await signIn(service, side, { ...fields, password: PASSWORD })
  await page.submit({ password: PASSWORD, repeated: PASSWORD })
  expect(page.note()).not.toContain('The password is set.')
})

it('the link of an invitation leads to its page', async () => {
  const { account: _, ...admin } = await createUser(service, { role: 'admin' })
  const browser = await signIn(service, 'portal', admin)
  const email = `${admin.username}@guests.example.com`
  expect((await browser.send('POST', '/invitations', { email, role: 'viewer' })).status).toBe(201)
  const page = await open(await untilLinked('invitation', String(admin.username)))
  const username = `guest${Date.now()}`
  await page.submit({ username, password: PASSWORD, repeated: PASSWORD })
  expect(page.note()).toContain('Welcome.')
  await signIn(service, 'portal', { username, password: PASSWORD })
})

it('a page without a token asks for the whole link', async () => {
  const page = await open(new URL('/portal/invitation', service.baseUrl))
  expect(page.note()).toContain('needs the whole link')
})
