import { formatMoney, parseMoney } from '../../lib/money.ts'
import type { BookServer } from '../../modules/providers/books/server.service.ts'
import { valuesOf, writeContent } from '../../modules/providers/books/text.rules.ts'
import type { Book, Scenario } from '../../modules/providers/books/types.ts'
import { settingsAt } from '../../modules/providers/packs/pack.rules.ts'
import { writeSettings } from '../../modules/providers/packs/settings.rules.ts'
import type { Pack } from '../../modules/providers/packs/types.ts'
import type {
  CurrencyAmount,
  FulfilledOutput,
  Order,
  Provider,
  QueryAnswer,
  SubmitOutcome,
  SupplierOffer,
} from '../../modules/providers/port/types.ts'
import { newOrder } from './provider-bench.ts'

// A pack whose supplier is its book of answers.

/** Configuration of the pack with a product for each scenario. */
export function configAt({ manifest, template }: Pack, { scenarios }: Book, origin: string): unknown {
  const config = writeSettings(template, manifest.settings, settingsAt(manifest, origin))
  const products = Object.fromEntries(scenarios.map(({ product }, at) => [productOf(at), product]))
  return { ...(config as object), products }
}

export function productOf(at: number): string {
  return `P${at}`
}

/** A secret that is a key of bytes is in Base64, as its connection says. */
export function secretsOf({ manifest, template }: Pack): Readonly<Record<string, string>> {
  const { auth, callback } = template as Readonly<Record<string, Keyed & { verification?: Keyed }>>
  const keys = [auth, callback?.verification].flatMap((each) => (each?.key ? [each.secret?.secret] : []))
  const secretOf = (name: string) => {
    const text = `secret-of-${name}-4711`
    return keys.includes(name) ? Buffer.from(text).toString('base64') : text
  }
  return Object.fromEntries(Object.keys(manifest.secrets).map((name) => [name, secretOf(name)]))
}

type Keyed = { readonly key?: string; readonly secret?: { readonly secret: string } }

const ACCOUNT = '60123456789'

/** Makes the order of a scenario, under the reference that the supplier wants. */
export function orderOf(provider: Provider, { account, order: change }: Scenario, at: number): Order {
  const amount = change.amount === null ? undefined : parseMoney(change.amount)
  const order = newOrder({
    productCode: productOf(at),
    account: change.account ?? account ?? ACCOUNT,
    subproductCode: change.subproduct,
    billerCode: change.billerCode,
    ref2: change.ref2,
    ...(amount !== undefined && { amount, faceValue: amount }),
  })
  return { ...order, reference: provider.referenceOf?.(order) ?? order.reference }
}

const END_MS = 5_000
const end = () => AbortSignal.timeout(END_MS)

export type Followed = {
  readonly submit: string
  readonly query: readonly string[]
  readonly code: number | null
  readonly output: FulfilledOutput | null
  readonly cost: string | null
  /** Words that the tables do not know. */
  readonly unmapped: readonly string[]
}

/** Sends the order and asks about it, so often as the book expects. The supplier's own id goes on with the questions. */
export async function follow(provider: Provider, given: Order, { expect }: Scenario): Promise<Followed> {
  const answers: (SubmitOutcome | QueryAnswer)[] = [await provider.submit(given, end())]
  let order = given
  for (const _ of expect.query) {
    const { supplierId } = answers.at(-1) as { supplierId?: string }
    if (supplierId !== undefined) order = { ...order, supplierId }
    answers.push(await provider.query(order, end()))
  }
  const [submit, ...query] = answers.map(({ kind }) => kind)
  const codes = answers.flatMap((each) => ('code' in each ? [each.code] : []))
  const success = answers.find((each) => each.kind === 'succeeded')
  return {
    submit: submit ?? '',
    query,
    code: codes[0] ?? null,
    output: success?.output ?? null,
    cost: costText(success?.cost),
    unmapped: answers.flatMap((each) =>
      each.kind === 'unknown' && each.unmapped !== undefined ? [each.unmapped.value] : [],
    ),
  }
}

export function costText(cost: CurrencyAmount | undefined): string | null {
  return cost === undefined ? null : `${formatMoney(cost.amount)} ${cost.currency}`
}

/** An offer as books write it: amounts as texts. */
export function offerText({ cost, face, ...offer }: SupplierOffer): unknown {
  const value = face && { currency: face.currency, min: formatMoney(face.min), max: formatMoney(face.max) }
  return { ...offer, face: value, cost: cost && costText(cost) }
}

const OUTPUT: Readonly<Record<string, keyof FulfilledOutput>> = {
  serial_number: 'serialNumber',
  pin: 'pin',
  expiry: 'expiry',
  voucher_link: 'voucherLink',
  note: 'note',
}

/** Words of the book about the same: only the texts of the output that it names. */
export function wantedOf({ expect }: Scenario, seen: Followed, server: BookServer, order: Order) {
  const taken = server.orders().find(({ reference }) => reference === order.reference)
  const named = Object.entries(expect.output).map(([name, text]) => [
    OUTPUT[name] ?? name,
    writeContent({ text, isJson: false }, valuesOf(taken, order.submittedAt.getTime())),
  ])
  return {
    submit: expect.submit,
    query: expect.query,
    code: expect.code,
    output: seen.output === null ? null : { ...seen.output, ...Object.fromEntries(named) },
    cost: expect.cost,
    unmapped: seen.unmapped,
  }
}
