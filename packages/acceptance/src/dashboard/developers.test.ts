import { spawn } from 'node:child_process'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reloadOrder } from '../checkout-orders.ts'
import { send } from '../http.ts'
import { deposit } from '../payments.ts'
import { dataOf, newMember } from '../portal/members.ts'
import { signInMember, signInOperator } from '../portal/people.ts'
import type { Receiver } from '../receiver/receiver.ts'
import { REACHES_RECEIVER, startReceiver } from '../receiver/receiver.ts'
import type { Service, TestDatabase } from '../service.ts'
import { createDatabase, openService, stopServices, until } from '../service.ts'
import { canonicalString, freshNonce, signature } from '../signing.ts'
import { hasTool, TOOLS_PATH } from '../tools/installed.ts'
import type { ToolName } from '../tools/tools.ts'
import type { Visitor } from './browser.ts'
import { expectAccessible, hasBrowser, openVisitor } from './browser.ts'

let service: Service
let database: TestDatabase
let receiver: Receiver

beforeAll(async () => {
  if (!hasBrowser()) return
  receiver = await startReceiver()
  database = await createDatabase()
  service = await openService({ database, environment: { ...REACHES_RECEIVER } })
})
afterAll(async () => {
  await stopServices()
  await database?.drop()
})

/** Snippets that this machine can run: the label, and the tools that they call. */
const SNIPPETS: readonly (readonly [language: string, ...tools: ToolName[]])[] = [
  ['curl', 'curl', 'openssl'],
  ['Node'],
  ['Python', 'python'],
  ['PHP', 'php'],
]
/** Snippet of the tests that paste one. */
const PASTED = hasTool('curl') && hasTool('openssl') ? 'curl' : 'Node'

/** Runs a text as if it were pasted into a terminal. */
function paste(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const shell = spawn('bash', {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, PATH: TOOLS_PATH },
    })
    let output = ''
    shell.stdout.on('data', (chunk) => {
      output += String(chunk)
    })
    shell.stderr.on('data', (chunk) => {
      output += String(chunk)
    })
    shell.on('error', reject)
    shell.on('close', () => resolve(output.trim()))
    shell.stdin.end(text)
  })
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Says that the secrets are kept, and closes their dialog. */
async function keepSecrets(page: Page): Promise<void> {
  await page.getByText('I have put it where it will be found again').click()
  await button(page, 'Done').click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

describe.runIf(hasBrowser())('the developers’ pages', () => {
  let visitor: Visitor
  let page: Page

  const reseller = () => {
    const [first] = service.demo.resellers
    if (first === undefined) throw new Error('the demo has a reseller')
    return first
  }

  beforeAll(async () => {
    visitor = await openVisitor(service)
    page = visitor.page
    const session = await signInMember(service)
    await session.prove()
    await visitor.letIn(session)
  })
  afterAll(() => visitor?.close())

  /** Copies the snippet of the open dialog. */
  const copied = async (language: string): Promise<string> => {
    await page.getByRole('dialog').getByRole('button', { name: language, exact: true }).click()
    await button(page, 'Copy snippet').click()
    return page.evaluate<string>('navigator.clipboard.readText()')
  }

  it('shows a key once beside snippets that run as they are pasted', async () => {
    await visitor.go('/portal/developers/keys')
    await button(page, 'New key').click()
    await page.getByLabel('Name').fill('Counter app')
    await page.getByLabel('Your password').fill('not the password')
    await button(page, 'Make the key').click()
    await page.getByRole('alert').waitFor()
    expect(await page.getByLabel('Name').inputValue()).toBe('Counter app')
    await page.getByLabel('Your password').fill(reseller().password)
    await button(page, 'Make the key').click()
    await page.getByRole('heading', { name: 'The new key' }).waitFor()
    // The service knows a new key within seconds.
    const snippet = await copied('curl')
    if (hasTool('curl')) await expect.poll(() => paste(snippet)).toMatch(/200$/)
    for (const [language, ...tools] of SNIPPETS) {
      if (!tools.every(hasTool)) continue
      const output = await paste(await copied(language))
      expect(output, language).toContain(`"account":"${reseller().account}"`)
      expect(output.endsWith('200'), `${language}: ${output}`).toBe(true)
    }
    const secret = /secret='([^']+)'/.exec(await copied('curl'))?.[1] ?? ''
    expect(Buffer.from(secret, 'base64')).toHaveLength(32)
    await keepSecrets(page)
    expect(await page.content()).not.toContain(secret)
    // A wrong password is an answer of 401, which the browser reports by itself.
    visitor.takeProblems()
    await expectAccessible(visitor)
  })

  it('rotates a key with a grace in which both work, and ends one for good', async () => {
    await visitor.go('/portal/developers/keys')
    await button(page, 'New key').click()
    await page.getByLabel('Name').fill('Till')
    await page.getByLabel('Your password').fill(reseller().password)
    await button(page, 'Make the key').click()
    await page.getByRole('heading', { name: 'The new key' }).waitFor()
    const old = await copied(PASTED)
    await keepSecrets(page)

    await button(page, 'Rotate Till').click()
    await page.getByLabel('Your password').fill(reseller().password)
    await button(page, 'Rotate the key').click()
    await page.getByRole('heading', { name: 'The new key' }).waitFor()
    const fresh = await copied(PASTED)
    await keepSecrets(page)
    expect(fresh).not.toBe(old)
    const inGrace = page.getByRole('row', { name: /In grace.*Till/ })
    await inGrace.waitFor()
    await expect.poll(() => paste(fresh)).toMatch(/200$/)
    expect(await paste(old)).toMatch(/200$/)

    await inGrace.getByRole('button', { name: 'Revoke Till' }).click()
    await page.getByLabel('Your password').fill(reseller().password)
    expect(await button(page, 'Revoke the key').isDisabled()).toBe(true)
    await page.getByLabel('Type this to confirm').fill('Till')
    await button(page, 'Revoke the key').click()
    await page.getByText('Till is revoked.').waitFor()
    await expect.poll(() => paste(old)).toMatch(/401$/)
    expect(await paste(fresh)).toMatch(/200$/)
    expect(visitor.takeProblems()).toEqual([])
  })

  const WEBHOOK = '/books'
  const deliveryDetails = () => page.getByRole('complementary', { name: 'Delivery' })

  it('shows a broken webhook, and replays what failed once it is mended', async () => {
    await receiver.answer(WEBHOOK, 500, 404, 200)
    await visitor.go('/portal/developers/webhooks/balance')
    await button(page, 'Set up: Balance webhook').click()
    await page.getByLabel('URL').fill(receiver.urls.secure + WEBHOOK)
    await button(page, 'Save').click()
    await page.getByRole('heading', { name: 'The webhook secret' }).waitFor()
    const secret = (await page.getByRole('dialog').locator('.secret .mono').textContent()) ?? ''
    await receiver.verifyWith(WEBHOOK, secret)
    await keepSecrets(page)

    await button(page, 'Send test: Balance webhook').click()
    await button(page, 'Send test').click()
    await deliveryDetails().getByText('Failed after 1 attempt').waitFor()
    await page.getByRole('row', { name: /Failed.*balance\.added.*test.*\b500\b/ }).waitFor()

    await deposit(service, reseller().account, '25')
    // A code of its own: the digits may also be a part of an event's id.
    const failed = page.getByRole('row', { name: /Failed.*\b404\b/ })
    await failed.waitFor()
    await failed.click()
    await deliveryDetails().getByRole('button', { name: 'Replay' }).click()
    await deliveryDetails().getByText('Delivered at once').waitFor()
    const [, broken, mended] = await receiver.untilReceived(WEBHOOK, 3)
    expect(mended?.headers['webhook-id']).toBe(broken?.headers['webhook-id'])
    expect(mended?.standard).toEqual(['verified'])
    await page.getByText('Healthy').waitFor()
    await expectAccessible(visitor)
    expect(visitor.takeProblems()).toEqual([])
  })

  it('shows on the page of an order what the order webhook was told, and leads to its deliveries', async () => {
    const member = await signInMember(service)
    const path = '/ended-orders'
    dataOf(await member.send('PUT', '/endpoints/order', { url: receiver.urls.secure + path }))
    const { order_id: id } = dataOf<{ order_id: string }>(
      await member.send('POST', '/orders', reloadOrder({ items: undefined })),
    )
    dataOf(await member.send('POST', `/orders/${id}/cancel`, {}))
    const event = await until('the webhook was taken', async () => {
      const [sent] = dataOf<{ status: string; event_id: string }[]>(
        await member.get(`/orders/${id}/deliveries`),
      )
      return sent?.status === 'success' && sent.event_id
    })
    const [received] = await receiver.untilReceived(path, 1)
    expect(JSON.parse(received?.body ?? '')).toMatchObject({ type: 'order.cancelled', order_id: id })
    await visitor.go(`/portal/orders/${id}`)
    await page.getByRole('link', { name: event }).click()
    await page.waitForURL(/webhooks\/order\?event=/)
    await page.getByRole('row', { name: /Delivered.*order\.cancelled/ }).waitFor()
    await button(page, 'Send test: Order webhook').waitFor()
    expect(visitor.takeProblems()).toEqual([])
  })

  it('replays many failed deliveries together', async () => {
    await receiver.answer(WEBHOOK, 404, 404, 200)
    await deposit(service, reseller().account, '26')
    await deposit(service, reseller().account, '27')
    await receiver.untilReceived(WEBHOOK, 5)
    await visitor.go('/portal/developers/webhooks/balance?status=failed')
    const boxes = page.getByRole('checkbox', { name: /^Select evt_/ })
    await expect.poll(() => boxes.count()).toBe(3)
    await boxes.nth(0).check()
    await boxes.nth(1).check()
    await button(page, 'Replay 2 selected').click()
    await page.getByText('2 are on their way again.').waitFor()
    const received = await receiver.untilReceived(WEBHOOK, 7)
    expect(received.slice(-2).map(({ status }) => status)).toEqual([200, 200])
    expect(visitor.takeProblems()).toEqual([])
  })

  it('shows that an operator has paused its webhook, and sends again when it is resumed', async () => {
    const operator = await openVisitor(service)
    await operator.letIn(await signInOperator(service))
    const consolePage = operator.page
    await operator.go(`/operator/deliveries/${reseller().account}/balance`)
    const ask = async (action: string, reason: string) => {
      await button(consolePage, action).click()
      await consolePage
        .getByRole('dialog')
        .getByLabel(/^Reason/)
        .fill(reason)
      await consolePage.getByRole('dialog').getByRole('button', { name: action, exact: true }).click()
      await consolePage.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await ask('Pause', 'it floods their server')
    await consolePage.getByText('The receiver is paused. Nothing is sent to it.').waitFor()
    await visitor.go('/portal/developers/webhooks')
    await page.getByText('Paused').first().waitFor()
    const before = (await receiver.requests(WEBHOOK)).length
    await deposit(service, reseller().account, '28')
    // The delivery ends while the receiver is paused. One that became due after the resumption would be sent.
    await expect
      .poll(async () => {
        const paused = "select 1 from deliveries where status = 'failed' and error = 'The endpoint is paused'"
        return (await database.query(paused)).rowCount
      })
      .toBe(1)
    await ask('Resume', 'their server is larger now')
    await consolePage.getByText('The receiver is resumed. New deliveries are sent.').waitFor()
    await deposit(service, reseller().account, '29')
    await receiver.untilReceived(WEBHOOK, before + 1)
    expect([...operator.takeProblems(), ...visitor.takeProblems()]).toEqual([])
    await operator.close()
  })

  it('tells how far a refused request came, and names the mistake in the text that was signed', async () => {
    const nonce = freshNonce()
    const timestamp = String(Math.floor(Date.now() / 1000))
    const right = canonicalString({ method: 'GET', nonce, timestamp })
    const wrong = right.replace(':GET:', ':get:')
    const { status } = await send({
      baseUrl: service.baseUrl,
      path: '/v2/balance',
      headers: {
        'X-Api-Key': reseller().api_key,
        'X-Timestamp': timestamp,
        'X-Nonce': nonce,
        'X-Signature': signature(reseller().signing_secret, wrong),
      },
    })
    expect(status).toBe(401)
    const row = page.getByRole('row', { name: /\b401\b.*\/v2\/balance.*invalid_signature/ })
    await expect
      .poll(async () => {
        await visitor.go('/portal/developers/requests?failed=true&error=invalid_signature')
        await page.getByRole('row').or(page.getByText('No request matches')).first().waitFor()
        return row.count()
      })
      .toBe(1)
    await expectAccessible(visitor)
    await row.click()
    await page.getByText('Signature matches the request: failed here').waitFor()
    expect(
      await page.getByRole('list', { name: 'Checks in the order of the contract' }).locator('li').count(),
    ).toBe(17)
    await page.getByLabel('Paste yours').fill(wrong)
    await button(page, 'Compare').click()
    await page.getByText(/They differ in the method, at line 1, column \d+ of yours\./).waitFor()
    expect(await page.locator('mark').allTextContents()).toEqual(['GET', 'get'])
    await page.getByText('The method is not in capitals.').waitFor()
    await page.getByLabel('Paste yours').fill(right)
    await button(page, 'Compare').click()
    await page.getByText('Both texts are the same.').waitFor()
    await expectAccessible(visitor)
    expect(visitor.takeProblems()).toEqual([])
  })

  it('warns before the first allowed address shuts its reader out', async () => {
    await visitor.go('/portal/developers/access')
    await button(page, 'Add').click()
    await page.getByLabel('Addresses or networks').fill('203.0.113.24')
    await page.getByText('your address 127.0.0.1 is not among them').waitFor()
    await page.getByLabel('Addresses or networks').fill('203.0.113.24 127.0.0.0/8')
    await page.getByText('is not among them').waitFor({ state: 'detached' })
    await page.getByLabel('Your password').fill(reseller().password)
    await button(page, 'Allow these addresses').click()
    await page.getByRole('cell', { name: '203.0.113.24', exact: true }).waitFor()
    for (const network of ['203.0.113.24', '127.0.0.0/8']) {
      await page.getByRole('button', { name: new RegExp(`^Remove ${network}`) }).click()
      await page.getByLabel('Your password').fill(reseller().password)
      await button(page, 'Remove').click()
      await page
        .getByText(/ is removed\.$/)
        .first()
        .waitFor()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await page.getByText('Every address may call').waitFor()
    expect(visitor.takeProblems()).toEqual([])
  })

  it('sets a limit lower than the operator’s, and is told at the field that a higher one is refused', async () => {
    const { account } = reseller()
    const limit = ['--reseller', account, '--scope', 'account', '--period', 'month']
    await service.warungd('limit', 'set', ...limit, '--payments', '900')
    await visitor.go('/portal/developers/access')
    const add = async (payments: string) => {
      await button(page, 'Add a limit').click()
      await page.getByLabel('For', { exact: true }).selectOption('account')
      await page.getByLabel('In', { exact: true }).selectOption('month')
      await page.getByLabel('Payments').fill(payments)
      await button(page, 'Save').click()
    }
    await add('901')
    await page.getByText('yours may be lower, not higher').first().waitFor()
    visitor.takeProblems()
    expect(await page.getByLabel('Payments').getAttribute('aria-invalid')).toBe('true')
    await expectAccessible(visitor)
    await page.getByLabel('Payments').fill('899')
    await button(page, 'Save').click()
    const rows = page.getByRole('row', { name: /^each account a month/ })
    await rows.filter({ hasText: '899 payments' }).getByText('here').waitFor()
    await rows.filter({ hasText: '900 payments' }).getByText('by the operator').waitFor()
    await button(page, 'Remove the limit for each account a month').click()
    await button(page, 'Remove').click()
    await page.getByText('The limit is removed.').waitFor()
    await service.warungd('limit', 'remove', ...limit)
    expect(visitor.takeProblems()).toEqual([])
  })

  it('lets a viewer read everything and change nothing', async () => {
    const viewer = await newMember(service, reseller().account, 'viewer')
    const other = await openVisitor(service)
    await other.letIn(viewer)
    const changes = /^(New key|Rotate|Revoke|Set up:|Send test|Edit:|Remove|Replay|Add( a limit)?$|Resume)/
    for (const path of ['', '/keys', '/webhooks', '/requests', '/events', '/access']) {
      await other.go(`/portal/developers${path}`)
      await other.settle()
      expect(await other.page.getByRole('button', { name: changes }).count(), path).toBe(0)
      expect(await other.page.getByRole('alert').count(), path).toBe(0)
    }
    await other.go('/portal/developers/access')
    expect(await other.page.getByRole('switch').isDisabled()).toBe(true)
    await other.go('/portal/developers/keys')
    await other.page.getByText('Only admins make, rotate and revoke keys.').waitFor()
    expect(other.takeProblems()).toEqual([])
    await other.close()
  })
})
