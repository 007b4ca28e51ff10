import { randomBytes } from 'node:crypto'
import type { Client, FieldValue, PaymentRequest, Product } from '@warung/sdk'
import { buildPayment, InvalidRequest, NotFound, PaymentRejected, UnknownOutcome } from '@warung/sdk'
import { takeUpTo } from '../lists.ts'
import { findOption } from '../options.ts'
import { printable } from '../output.ts'
import type { Environment } from '../profiles.ts'
import type { Arguments, Session, Tool } from './tool.ts'
import { defineTool, ToolError, textOf } from './tool.ts'

// The one tool that pays. A payment is capped, alone and in sum, then shown, and confirmed before it is sent.

/** Caps on face values in ringgit. */
export type Caps = { readonly maxAmount: number; readonly maxTotal: number }

/** Confirmations that wait for their second call, by token. */
type Waiting = { readonly payment: string; readonly endsAt: number }

const TOKEN_LIFE_MS = 10 * 60_000
const WAITING_MAX = 100
const QUIET = { note: () => {}, signal: new AbortController().signal }

const FORM = {
  product: { type: 'string', description: 'product code' },
  values: {
    type: 'object',
    description: 'values by field id; for select fields the code of an option, or its amount',
  },
  account: { type: 'string', description: 'account, for products without an account field' },
}

/** Shows what a payment would cost. It spends nothing. */
export function quoteTool(client: Client, environment: Environment): Tool {
  return defineTool({
    name: 'quote',
    title: 'Quote',
    description:
      'What a payment would cost, the wallet after it, and warnings such as a probable duplicate. It holds the cost ' +
      'for some minutes for a payment with this quote_id, and pays nothing.',
    isReadOnly: true,
    properties: FORM,
    required: ['product', 'values'],
    async run(args) {
      const product = await client.getProduct(String(args.product))
      const built = await buildFrom(client, product, { ...args, refid: 'quote' }, environment === 'staging')
      const { refid: _, ...wanted } = built
      return (await client.createQuote(wanted)).data
    },
  })
}

export function payTool(client: Client, environment: Environment, { maxAmount, maxTotal }: Caps): Tool {
  const waiting = new Map<string, Waiting>()
  const purse = createPurse(maxTotal)

  async function confirmed(args: Arguments, session: Session, payment: PaymentRequest, text: string) {
    const token = textOf(args, 'confirm_token')
    if (token !== undefined && session.canAsk()) {
      throw new ToolError('The user is asked directly. Call again without a token.')
    }
    const content = JSON.stringify(payment)
    if (token !== undefined) {
      const found = waiting.get(token)
      waiting.delete(token)
      if (found === undefined || found.endsAt < Date.now() || found.payment !== content) {
        throw new ToolError(
          'The token does not belong to this payment, or is over. Call again without a token.',
        )
      }
      return undefined
    }
    const answer = await session.confirm(text)
    if (answer === 'confirmed') return undefined
    if (answer === 'declined') throw new ToolError('The user declined the payment. Nothing was paid.')
    const fresh = randomBytes(18).toString('base64url')
    const [oldest] = waiting.keys()
    if (waiting.size >= WAITING_MAX && oldest !== undefined) waiting.delete(oldest)
    waiting.set(fresh, { payment: content, endsAt: Date.now() + TOKEN_LIFE_MS })
    const next =
      'Show this to the user. If the user agrees, call pay again with the same arguments and confirm_token.'
    return { paid: false, confirmation_required: true, summary: text, confirm_token: fresh, next }
  }

  return defineTool({
    name: 'pay',
    title: 'Pay',
    description:
      `Pays for a product, up to a face value of ${maxAmount} ringgit, and ${maxTotal} ringgit in all. The user has to ` +
      'confirm: the client asks, or the first call returns a confirm_token for a second call with the same arguments.',
    isReadOnly: false,
    properties: {
      ...FORM,
      quote_id: { type: 'string', description: 'quote whose cost is taken' },
      refid: {
        type: 'string',
        description: 'your reference, 1 to 50 characters; the same one never pays twice',
      },
      remarks: { type: 'string' },
      confirm_token: { type: 'string', description: 'token of the first call' },
    },
    required: ['product', 'values', 'refid'],
    async run(args, session) {
      const product = await client.getProduct(String(args.product))
      const payment = await buildFrom(client, product, args, environment === 'staging')
      const face = Number(payment.amount) * product.denomination_unit_price
      if (!(face <= maxAmount)) {
        throw new ToolError(`The face value is ${face} ringgit, and payments are allowed up to ${maxAmount}.`)
      }
      purse.check(payment.refid, face)
      const text = summaryOf(product, payment, face, await findCost(client, payment))
      const unconfirmed = await confirmed(args, session, payment, text)
      if (unconfirmed !== undefined) return unconfirmed
      // Other payments may have been confirmed meanwhile.
      purse.take(payment.refid, face)
      return send(client, payment, () => purse.giveBack(payment.refid))
    },
  })
}

/** Keeps the sum of the payments of this run. A refid counts once: asking about its payment costs nothing. */
function createPurse(maxTotal: number) {
  const taken = new Map<string, number>()
  const check = (refid: string, face: number) => {
    const others = [...taken].reduce((sum, [each, value]) => (each === refid ? sum : sum + value), 0)
    if (unitsOf(others) + unitsOf(face) <= unitsOf(maxTotal)) return
    throw new ToolError(
      `Payments of this run are allowed up to ${maxTotal} ringgit in all, and ${others} are taken.`,
    )
  }
  return {
    check,
    take(refid: string, face: number) {
      check(refid, face)
      // The service refuses another amount for a refid that is paid: it must not make room either.
      taken.set(refid, Math.max(face, taken.get(refid) ?? 0))
    },
    giveBack: (refid: string) => void taken.delete(refid),
  }
}

/** Returns an integer of 1/10,000 ringgit. */
function unitsOf(ringgit: number): number {
  return Math.round(ringgit * 10_000)
}

async function buildFrom(
  client: Client,
  product: Product,
  args: Arguments,
  allowTestAccounts: boolean,
): Promise<PaymentRequest> {
  const values: Record<string, FieldValue> = { ...(args.values as Readonly<Record<string, FieldValue>>) }
  for (const { id, type } of product.fields) {
    const given = values[id]
    if (type !== 'select' || (typeof given !== 'string' && typeof given !== 'number')) continue
    const all = await takeUpTo(QUIET, optionsOf(client, product, id, values), Number.POSITIVE_INFINITY)
    values[id] = findOption(all, String(given)) ?? given
  }
  return buildPayment(product, values, {
    refid: String(args.refid),
    remarks: textOf(args, 'remarks'),
    quoteId: textOf(args, 'quote_id'),
    account: textOf(args, 'account'),
    allowTestAccounts,
  })
}

/** Returns the options of a field. A value that it depends on and that is missing is the model's mistake. */
function optionsOf(
  client: Client,
  product: Product,
  id: string,
  values: Readonly<Record<string, FieldValue>>,
) {
  try {
    return client.optionsFor(product, id, values)
  } catch (error) {
    throw new ToolError((error as Error).message)
  }
}

/** Finds what the quote of a payment says; undefined: it names none that there is, which the payment itself is told. */
async function findCost(client: Client, { quote_id: id }: PaymentRequest): Promise<number | undefined> {
  if (typeof id !== 'string') return undefined
  try {
    return (await client.getQuote({ quote_id: id })).data.cost
  } catch (error) {
    if (error instanceof NotFound || error instanceof InvalidRequest) return undefined
    throw error
  }
}

function summaryOf(
  { name, code }: Product,
  payment: PaymentRequest,
  face: number,
  cost: number | undefined,
): string {
  const extras = Object.entries(payment.extras ?? {}).map(([key, value]) => `, ${key} ${String(value)}`)
  const what = `${name} (${code}), account ${payment.account}, amount ${payment.amount}`
  const price = cost === undefined ? '' : `, cost ${cost} ringgit as quoted`
  // The model chose these texts, and the user must see each where it belongs.
  return printable(
    `Pay for ${what}${extras.join('')}: face value ${face} ringgit${price}, refid ${payment.refid}.`,
  )
}

/** Sends the payment. `onUnpaid` is called when its money is certainly in the wallet. */
async function send(
  client: Client,
  payment: PaymentRequest,
  onUnpaid: () => void,
): Promise<Readonly<Record<string, unknown>>> {
  try {
    const paid = await client.payAndWait(payment)
    if (paid.status === 'Failed') onUnpaid()
    return { paid: paid.status === 'Succesful', outcome: paid.status, payment: paid }
  } catch (error) {
    if (error instanceof PaymentRejected) onUnpaid()
    if (!(error instanceof UnknownOutcome)) throw error
    const next = 'The outcome is not known. It is not a failure. Call pay again with the same arguments.'
    return { paid: null, outcome: 'unknown', refid: payment.refid, next }
  }
}
