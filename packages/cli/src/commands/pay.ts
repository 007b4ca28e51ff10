import { randomUUID } from 'node:crypto'
import type { Client, Field, FieldValue, Option, Payment, Product } from '@warung/sdk'
import { buildPayment, UnknownOutcome } from '@warung/sdk'
import type { Command, Context } from '../command.ts'
import { flag, text, texts } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { ask, UsageError } from '../io.ts'
import { lastDays, numberOf, takeUpTo } from '../lists.ts'
import { findOption } from '../options.ts'
import { printable } from '../output.ts'
import type { Environment } from '../profiles.ts'

const SHOWN_MAX = 20
const STATUS_DAYS = 31

const FORM_OPTIONS = {
  field: {
    type: 'string',
    multiple: true,
    short: 'f',
    value: 'ID=VALUE',
    text: 'value of a field, may be repeated',
  },
  account: { type: 'string', value: 'TEXT', text: 'account, for products without an account field' },
  'max-cost': { type: 'string', value: 'RINGGIT', text: 'highest cost at which it is paid' },
} as const satisfies Command['options']

const FORM_DETAILS =
  'Asks for the fields of the product that were not given. Select fields take the code of an option, or its amount.'

export const pay: Command = {
  name: 'pay',
  summary: 'Pay for a product, and wait for the end',
  args: 'PRODUCT',
  options: {
    ...FORM_OPTIONS,
    quote: { type: 'string', value: 'ID', text: 'quote whose cost is taken' },
    refid: {
      type: 'string',
      value: 'TEXT',
      text: 'your reference; the same one never pays twice (a new one)',
    },
    remarks: { type: 'string', value: 'TEXT', text: 'note of your own' },
    timeout: { type: 'string', value: 'SECONDS', text: 'longest wait for the end (120)' },
    yes: { type: 'boolean', short: 'y', text: 'do not ask before paying outside staging' },
  },
  details: [
    FORM_DETAILS,
    'After an interruption, run it again with the same --refid and fields: it is paid once.',
  ],
  async run(context) {
    const refid = text(context.values, 'refid') ?? `cli-${randomUUID()}`
    const { client, environment, product, payment } = await filled(context, refid)
    const what = `${product.name}, account ${payment.account}, amount ${payment.amount}, refid ${refid}`
    context.io.note(`paying ${printable(what)}\n`)
    if (environment !== 'staging') await askBeforeSpending(context, environment)
    const timeoutMs = (numberOf(context.values, 'timeout') ?? 120) * 1_000
    try {
      const { signal } = context.io
      const onStatus = ({ status }: Payment) => context.io.note(`… ${printable(status)}\n`)
      const paid = await client.payAndWait(payment, { timeoutMs, signal, onStatus })
      printPayment(context, paid)
      return paid.status === 'Succesful' ? EXIT.ok : EXIT.paymentFailed
    } catch (error) {
      if (error instanceof UnknownOutcome) {
        context.io.note(`run the same again with --refid ${refid}, or: warung status ${refid}\n`)
      }
      throw error
    }
  },
}

export const quote: Command = {
  name: 'quote',
  summary: 'Show what a payment would cost, and hold that cost',
  args: 'PRODUCT',
  options: FORM_OPTIONS,
  details: [FORM_DETAILS, 'Pay with it: warung pay PRODUCT --quote ID, with the same fields.'],
  async run(context) {
    const { client, payment } = await filled(context, 'quote')
    const { refid: _, ...wanted } = payment
    const { data } = await client.createQuote(wanted)
    const { extras: __, warnings, ...shown } = data
    context.print.one(data, shown)
    for (const { message } of warnings) context.io.note(`${printable(message)}\n`)
    return EXIT.ok
  },
}

/** Builds the payment of a product from the options, and asks for what is missing. */
async function filled(context: Context, refid: string) {
  const [code] = context.positionals
  if (code === undefined) throw new UsageError('a product is needed, such as: warung pay NOVA')
  const { client, environment } = await context.connect()
  const product = await client.getProduct(code)
  const values = await fillForm(context, client, product)
  const account = await accountFor(context, product)
  const payment = buildPayment(product, values, {
    refid,
    remarks: text(context.values, 'remarks'),
    quoteId: text(context.values, 'quote'),
    maxCost: text(context.values, 'max-cost'),
    account,
    allowTestAccounts: environment === 'staging',
  })
  return { client, environment, product, payment }
}

function printPayment({ print }: Context, payment: Payment): void {
  const {
    refid,
    status,
    statusCode,
    transaction_id: id,
    sn,
    pin,
    voucherlink,
    cost,
    balance,
    remarks,
  } = payment
  const shown = {
    refid,
    status: `${status} ${statusCode}`,
    transaction: id,
    sn,
    pin,
    voucherlink,
    cost,
    balance,
  }
  const filled = Object.entries({ ...shown, remarks }).filter(([, value]) => value !== '')
  print.one(payment, Object.fromEntries(filled))
}

/** Asks before real money is spent. An environment that could not be found out may be production. */
export async function askBeforeSpending({ io, values }: Context, environment: Environment): Promise<void> {
  if (flag(values, 'yes')) return
  if (!io.isInteractive) {
    throw new UsageError('Payments outside staging need --yes when nobody can be asked.')
  }
  const place = environment === 'production' ? 'This is PRODUCTION.' : 'This may be PRODUCTION.'
  if ((await ask(io, `${place} Type "yes" to pay: `)) !== 'yes') throw new UsageError('Not paid.')
}

async function accountFor({ io, values }: Context, product: Product): Promise<string | undefined> {
  const given = text(values, 'account')
  if (product.fulfillment.account.from_field !== null || given !== undefined || !io.isInteractive)
    return given
  return ask(io, 'Account: ')
}

// ── The form ──

/** Fills the form: given values first, then questions in the order of the form. */
async function fillForm(
  context: Context,
  client: Client,
  product: Product,
): Promise<Record<string, FieldValue>> {
  const given = fieldsOf(texts(context.values, 'field'))
  const values: Record<string, FieldValue> = { ...given }
  for (const field of product.fields.toSorted((a, b) => a.order - b.order)) {
    const typed = given[field.id]
    if (field.type === 'select')
      values[field.id] = await chooseOption(context, client, product, field, values, typed)
    else if (typed === undefined && context.io.isInteractive)
      values[field.id] = await askField(context.io, field)
  }
  return values
}

function fieldsOf(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=')
      if (at < 1) throw new UsageError(`--field ${pair} is not ID=VALUE.`)
      return [pair.slice(0, at), pair.slice(at + 1)]
    }),
  )
}

function askField(io: Io, { label, placeholder, required }: Field): Promise<string> {
  const hint = placeholder === '' ? '' : ` (such as ${placeholder})`
  return ask(io, `${printable(label)}${printable(hint)}${required ? '' : ', optional'}: `)
}

async function chooseOption(
  { io }: Context,
  client: Client,
  product: Product,
  field: Field,
  values: Record<string, FieldValue>,
  typed: string | undefined,
): Promise<FieldValue> {
  if (typed === undefined && !io.isInteractive) return undefined
  const all = await takeUpTo(io, client.optionsFor(product, field.id, values), Number.POSITIVE_INFINITY)
  const wanted = typed ?? (await askOption(io, field, all))
  return findOption(all, wanted) ?? wanted
}

async function askOption(io: Io, field: Field, all: readonly Option[]): Promise<string> {
  let shown = all
  while (shown.length > SHOWN_MAX) {
    const search = (
      await ask(io, `${printable(field.label)}: ${shown.length} options. Part of the name: `)
    ).toLowerCase()
    shown = all.filter(({ code, label }) => `${code} ${label}`.toLowerCase().includes(search))
    if (shown.length === 0) shown = all
  }
  for (const { code, label } of shown) io.note(`  ${printable(code)}  ${printable(label)}\n`)
  return ask(io, `${printable(field.label)} (code or amount): `)
}

// ── Status ──

export const status: Command = {
  name: 'status',
  summary: 'Show a payment by its refid, without paying',
  args: 'REFID',
  options: { days: { type: 'string', value: 'N', text: `how far back to look (${STATUS_DAYS})` } },
  async run({ connect, print, values, positionals, io }) {
    const [refid] = positionals
    if (refid === undefined) throw new UsageError('status needs a refid.')
    const { client } = await connect()
    const date = lastDays(numberOf(values, 'days') ?? STATUS_DAYS)
    const [found] = await takeUpTo(io, client.transactions({ date }), 1, (row) => row.refid === refid)
    if (found === undefined) {
      io.note(`no payment with the refid ${refid} in ${date}\n`)
      io.note('after an unknown outcome this proves nothing: run the same pay again with the same --refid\n')
      return EXIT.refused
    }
    const {
      trxid,
      status_name: name,
      status_code: code,
      product_code: product,
      account,
      amount,
      price,
      sn,
    } = found
    print.one(found, {
      refid,
      status: `${name} ${code}`,
      transaction: trxid,
      product,
      account,
      amount,
      cost: price,
      sn,
      remarks: found.remarks,
    })
    return EXIT.ok
  },
}
