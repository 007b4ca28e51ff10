import { randomInt } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { asksForRef2, findBiller } from '../bills.ts'
import type { Demo } from '../catalog.ts'
import { signed } from '../http.ts'
import { readMailbox } from '../mail/mailbox.ts'
import { createOrder } from '../orders.ts'
import type { Payer } from '../payments.ts'
import { reload } from '../payments.ts'
import type { Member, Shop } from '../portal/members.ts'
import { dataOf } from '../portal/members.ts'
import { call, createOperator, enrol, signIn } from '../portal/people.ts'
import type { Service } from '../service.ts'
import { makeDirectory, until } from '../service.ts'
import { pinSale, sellFromStock } from '../stock/stock.ts'
import { createUser, getTokens } from '../tokens.ts'

// Users who make the service take, make and hand out every kind of secret that it has. Each function returns the secrets
// by name.

type Found = [name: string, secret: string][]

const SALES = 30
const BILLS = 10
const EXAMPLE = new URL('../../../../docs/examples/simulator-connection.json', import.meta.url)

/** Lists the secrets of a signed-in member and of the account's key. */
export function secretsOfShop({ payer, admin, viewer }: Shop): Found {
  return [
    ['signing secret of the first key', payer.credentials.secretBase64],
    ...[admin, viewer].flatMap(
      (member): Found => [
        [`password of ${member.username}`, member.password],
        [`session cookie of ${member.username}`, member.secret],
        [`device cookie of ${member.username}`, member.deviceSecret],
        [`CSRF token of ${member.username}`, member.csrfToken],
      ],
    ),
  ]
}

export async function enrolViewer({ viewer }: Shop): Promise<Found> {
  const { secret, codes } = await enrol(viewer, viewer.password)
  return [['TOTP secret', secret], ...codes.map((code, index): Found[number] => [`recovery ${index}`, code])]
}

export async function makeCredentials(admin: Member): Promise<Found> {
  const { password } = admin
  const key = await admin.send('POST', '/api-keys', { label: 'Till', scopes: ['read'], password })
  const endpoint = await admin.send('PUT', '/endpoints/balance', { url: 'https://shop.example/hook' })
  return [
    ['signing secret of the second key', dataOf<{ signing_secret: string }>(key).signing_secret],
    ['webhook secret', dataOf<{ secret: string }>(endpoint).secret],
  ]
}

export async function getTokensOf(service: Service, account: string): Promise<Found> {
  const user = await createUser(service, { account })
  const tokens = await getTokens(service, user)
  return [
    ['password of a program', user.password],
    ['ID token', tokens.IdToken],
    ['access token', tokens.AccessToken],
    ['refresh token', tokens.RefreshToken],
  ]
}

export async function makeOperatorToken(service: Service): Promise<Found> {
  const operator = await createOperator(service, 'finance')
  const browser = await signIn(service, 'operator', operator)
  const { password } = operator
  const body = { label: 'nightly script', role: 'finance', expires_in_days: 1, password }
  const { token } = dataOf<{ token: string }>(await browser.send('POST', '/tokens', body))
  return [
    ['password of an operator', password],
    ['session cookie of an operator', browser.secret],
    ['operator token', token],
  ]
}

/** Asks for a new password; the token is read from the mail, as its owner reads it. */
export async function forgetPassword(service: Service, account: string): Promise<Found> {
  const { username } = await createUser(service, { account })
  const asked = await call(service, 'POST', '/portal/v1/password-reset', { username })
  expect(asked.status).toBe(202)
  const token = await until('the mail is there', async () => {
    const mail = (await readMailbox(service)).find(({ text }) => text.includes(username))
    return /wpr_[\w-]{43}/.exec(mail?.text ?? '')?.[0]
  })
  return [['token for a new password', token]]
}

/** Makes an order of the checkout that its customer has not paid; its account is personal until it is bought. */
export async function openOrder(service: Service, payer: Payer): Promise<Found> {
  const account = `6019${randomInt(10_000_000, 99_999_999)}`
  const items = [{ product_code: 'NOVA', amount: '10.00', account }]
  const { client_token: token } = await createOrder(service, payer, { items })
  return [
    ['token of an order', String(token)],
    ['account of an unpaid order', account],
  ]
}

/** Buys PINs and links from the supplier. */
export async function buyOutputs(payer: Payer): Promise<Found> {
  const pins = Array.from({ length: SALES }, () => payer.untilStatus(pinSale(), 'Succesful'))
  const link = reload({ product: 'ESIMGO', account: 'a@b.example', amount: 24.5 })
  const { voucherlink } = await payer.untilStatus(link, 'Succesful')
  const bought = await Promise.all(pins)
  return [
    ['voucher link', voucherlink.replace(/^.*\//, '')],
    ...bought.map(({ pin }, index): Found[number] => [`PIN ${index} of the supplier`, pin]),
  ]
}

/** Fills the shelf and sells half of it; the other half lies there. */
export async function sellShelf(service: Service, payer: Payer): Promise<Found> {
  const pins = Array.from({ length: SALES }, (_, index) => `77${randomInt(1e12, 1e13)}${100 + index}`)
  await sellFromStock(service, payer)
  const file = join(await makeDirectory(), 'pins.csv')
  // The serial number is no secret, so it has nothing of the PIN.
  const lines = pins.map((pin, index) => `${pin},SN-${index},20991231`)
  await writeFile(file, `pin,serial,expiry\n${lines.join('\n')}\n`)
  const what = ['--product', 'PINTEN', '--denomination', '10', '--file', file]
  await service.warungd('stock', 'load', ...what)
  const sales = Array.from({ length: SALES / 2 }, () => payer.untilStatus(pinSale(), 'Succesful'))
  for (const { pin } of await Promise.all(sales)) expect(pins).toContain(pin)
  return pins.map((pin, index): Found[number] => [`PIN ${index} of the shelf`, pin])
}

/** Pays bills under identity numbers, and asks with one in the address, also with a signature that is refused. */
export async function payBills(demo: Demo, payer: Payer): Promise<Found> {
  const isFit = (biller: { min: string; max: string }) =>
    Number(biller.min) <= 50 && (biller.max === '-1' || Number(biller.max) >= 50)
  const biller = await findBiller(demo, (each) => asksForRef2(each) && isFit(each))
  const numbers = Array.from({ length: BILLS }, () => `900101${randomInt(100_000, 999_999)}`)
  const bills = numbers.map((ic_number) => {
    const extras = { biller_code: biller.biller_code, ic_number, ref2: 'R-2' }
    return payer.pay(reload({ product: 'BILLPAY', account: '100200300', amount: 50, extras }))
  })
  await Promise.all(bills)
  const asked = `900101${randomInt(100_000, 999_999)}`
  const path = `/v2/options?product_code=EDULOAN&field_id=loan_account&account_number=${asked}`
  const { baseUrl } = demo.service
  expect((await signed(baseUrl, payer.credentials, { path })).status).toBe(200)
  const wrong = { ...payer.credentials, secretBase64: Buffer.alloc(32, 7).toString('base64') }
  expect((await signed(baseUrl, wrong, { path })).status).toBe(401)
  return [...numbers, asked].map((each, index): Found[number] => [`identity number ${index}`, each])
}

export async function connectSupplier(service: Service): Promise<Found> {
  const secret = `hush-${randomInt(1e12, 1e13)}-of-the-supplier`
  const directory = await makeDirectory()
  const [file, secrets] = [join(directory, 'config.json'), join(directory, 'secrets.json')]
  await writeFile(file, await readFile(EXAMPLE))
  await writeFile(secrets, JSON.stringify({ callback: secret }))
  const how = ['--kind', 'http', '--file', file, '--secrets-file', secrets]
  await service.warungd('provider', 'add', '--code', 'vaulted', ...how)
  return [['secret of a supplier', secret]]
}
