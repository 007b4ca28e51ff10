import { randomBytes } from 'node:crypto'
import type { Answer } from '../http.ts'
import type { Browser } from '../portal/people.ts'
import { signIn } from '../portal/people.ts'
import type { Service } from '../service.ts'
import { until } from '../service.ts'

export const ROLES = ['admin', 'finance', 'support', 'catalogue', 'read_only'] as const
export type Role = (typeof ROLES)[number]

export type Person = { readonly email: string; readonly password: string }

/** Makes an operator with the operator's command, like the first operator of a service. */
export async function hireOperator(service: Service, role: Role): Promise<Person> {
  const email = `${role}-${randomBytes(4).toString('hex')}@example.com`
  const options = ['--email', email, '--name', `The ${role}`, '--role', role]
  const { password } = await service.warungd<{ password: string }>('operator', 'create', ...options)
  return { email, password }
}

/** Returns a signed-in operator of that role. */
export async function signInAs(service: Service, role: Role): Promise<Browser> {
  return signIn(service, 'operator', await hireOperator(service, role))
}

type Hired = { readonly id: string } | { readonly kind: string; readonly id: string }

/** Lets an operator in over HTTP, or changes one, with a second admin who approves where one is needed; returns the id. */
export async function lettingIn(service: Service, ask: () => Promise<Answer>): Promise<string> {
  // Somebody who was let in after the request may not decide it.
  const second = await signInAs(service, 'admin')
  const answer = await ask()
  if (answer.status >= 300) throw new Error(`${answer.status}: ${answer.text}`)
  const { data } = answer.json<{ data: Hired }>()
  if (answer.status !== 202) return data.id
  const approved = await second.send('POST', `/approvals/${data.id}/approve`, { reason: 'known in person' })
  if (approved.status !== 200) throw new Error(`${approved.status}: ${approved.text}`)
  return approved.json<{ data: { decision: { outcome: { id: string } } } }>().data.decision.outcome.id
}

export const PRODUCT = {
  code: 'KOPI',
  category: 'DRINKS',
  kind: 'reload',
  name: 'Kopi card',
  image_url: 'https://static.example.com/kopi.png',
  processing_time: 'instant',
  fields: [
    {
      id: 'phone',
      type: 'text',
      input_mode: 'tel',
      label: 'Mobile number',
      placeholder: '',
      required: true,
      order: 1,
      role: 'account',
      validation: {},
    },
    {
      id: 'amount',
      type: 'select',
      input_mode: 'text',
      label: 'Amount',
      placeholder: '',
      required: true,
      order: 2,
      role: 'pricing',
      validation: {},
      data_source: {
        type: 'reference',
        depends_on: [],
        params: { product_code: { static: 'KOPI' }, field_id: { static: 'amount' } },
      },
    },
  ],
  fulfillment: {
    account: { from_field: 'phone' },
    amount: { from_field: 'amount', path: 'denomination' },
  },
  legacy: {
    account_label: 'Mobile number',
    keyboard_type: 'tel',
    common_denominations: '10',
    denomination_data_type: 'Integer',
    account_type: 'phone_number',
  },
}

/** Catalog of one product, sold at the level that the demo's resellers have. */
export const CATALOGUE = {
  groups: [{ code: 'FOOD', name: 'Food', icon_url: 'https://static.example.com/food.png' }],
  categories: [
    { code: 'DRINKS', group: 'FOOD', name: 'Drinks', icon_url: 'https://static.example.com/drinks.png' },
  ],
  products: [PRODUCT],
  options: [{ product: 'KOPI', field: 'amount', code: 'K10', label: 'RM 10', denomination: '10.00' }],
  levels: [
    { code: 'STANDARD', name: 'Standard' },
    { code: 'PARTNER', name: 'Partner' },
  ],
  prices: [
    { level: 'STANDARD', product: 'KOPI', discount_type: 'percentage', value: '0.98' },
    { level: 'PARTNER', product: 'KOPI', discount_type: 'percentage', value: '0.97' },
  ],
}

export type Change = {
  data: {
    summary: { version: number; accounts_affected: number; created: Record<string, number> }
    differences: { kind: string; id: string; action: string }[]
    differences_total: number
  }
}

/** Previews a change, then makes it. */
export async function importCatalog(browser: Browser, document: object, reason = 'test'): Promise<Change> {
  const preview = await browser.send('POST', '/catalogue/preview', { document })
  if (preview.status !== 200) throw new Error(`the preview was refused: ${preview.text}`)
  const { version } = preview.json<Change>().data.summary
  const applied = await browser.send('POST', '/catalogue/import', {
    document,
    expected_version: version,
    reason,
  })
  if (applied.status !== 200) throw new Error(`the import was refused: ${applied.text}`)
  return applied.json<Change>()
}

/** Says whether a refusal is that of a payment that a node works on: it may be tried again a moment later. */
export function isWorkedOn(refusal: string): boolean {
  return refusal.includes('A node works on this payment')
}

/** Decides again while somebody else holds the wallet: the service waits a quarter of a second for it, and says 503. */
export function untilFree(decide: () => Promise<Answer>): Promise<Answer> {
  return until('nobody else holds the wallet', async () => {
    const answer = await decide()
    return answer.status !== 503 && answer
  })
}
