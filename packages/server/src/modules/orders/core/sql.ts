import { plainArray } from '../../../db/arrays.ts'
import type { Column } from '../../../db/calls.ts'
import { defineBatchCall, defineCall } from '../../../db/calls.ts'
import type { Queryable, Tx } from '../../../db/database.ts'
import { assert } from '../../../lib/errors.ts'
import type { Amount } from '../../../lib/money.ts'
import type { Language, OrderKey, OrderLine, OrderState } from './types.ts'

// ── Changes, each in the caller's transaction ──

/** Line with its secrets sealed. */
export type SealedLine = Omit<OrderLine, 'account' | 'extras'> & { readonly sealedInput: Buffer }

const LINE_COLUMNS: readonly Column<SealedLine>[] = [
  ['p_lines', 'smallint[]', ({ line }) => line],
  ['p_product_codes', 'text[]', ({ productCode }) => productCode],
  ['p_names', 'text[]', ({ productName }) => productName],
  ['p_amounts', 'bigint[]', ({ amount }) => amount],
  ['p_quantities', 'smallint[]', ({ quantity }) => quantity],
  ['p_unit_prices', 'bigint[]', ({ unitPrice }) => unitPrice],
  ['p_open_fields', 'text[]', ({ openFields }) => openFields.join(',')],
  ['p_inputs', 'bytea[]', ({ sealedInput }) => sealedInput],
]

export type NewOrderRow = {
  readonly resellerId: bigint
  readonly code: string
  readonly reference: string
  readonly userId: string
  readonly state: 'draft' | 'awaiting_payment'
  readonly sealedRequest: Buffer
  readonly tokenDigest: Buffer
  readonly sealedToken: Buffer
  readonly returnUrl: string
  readonly products: readonly string[] | null
  readonly isFixed: boolean
  readonly language: Language
  readonly showsResults: boolean
  readonly expiresInSeconds: number
}

export type CreateVerdict =
  | { readonly verdict: 'created' | 'exists'; readonly id: bigint }
  | { readonly verdict: 'too_many' | 'too_many_user'; readonly id: null }

const CREATE = defineBatchCall<SealedLine>()(
  { name: 'orders_create', text: 'select verdict, id from create_order(...)' },
  LINE_COLUMNS,
  {
    p_reseller: 'bigint',
    p_code: 'text',
    p_reference: 'text',
    p_user: 'text',
    p_state: 'text',
    p_request: 'bytea',
    p_token_digest: 'bytea',
    p_token: 'bytea',
    p_return_url: 'text',
    p_products: 'text[]',
    p_is_fixed: 'boolean',
    p_language: 'text',
    p_shows_results: 'boolean',
    p_expires_seconds: 'integer',
    p_open_max: 'integer',
    p_user_open_max: 'integer',
  },
)

/** Limits of open orders: of an account, and of one of its customers. */
export type OpenLimits = { readonly openMax: number; readonly userOpenMax: number }

export async function createOrder(
  tx: Tx,
  order: NewOrderRow,
  lines: readonly SealedLine[],
  { openMax, userOpenMax }: OpenLimits,
): Promise<CreateVerdict> {
  const values = CREATE.valuesOf(lines, {
    p_reseller: order.resellerId,
    p_code: order.code,
    p_reference: order.reference,
    p_user: order.userId,
    p_state: order.state,
    p_request: order.sealedRequest,
    p_token_digest: order.tokenDigest,
    p_token: order.sealedToken,
    p_return_url: order.returnUrl,
    p_products: order.products,
    p_is_fixed: order.isFixed,
    p_language: order.language,
    p_shows_results: order.showsResults,
    p_expires_seconds: order.expiresInSeconds,
    p_open_max: openMax,
    p_user_open_max: userOpenMax,
  })
  const { rows } = await tx.query<CreateVerdict>(CREATE.statement, values)
  assert(rows[0] !== undefined, 'create_order gives one row')
  return rows[0]
}

const REPLACE = defineBatchCall<SealedLine>()(
  { name: 'orders_replace_basket', text: 'select replace_basket(...) as verdict' },
  LINE_COLUMNS,
  { p_reseller: 'bigint', p_order: 'bigint', p_version: 'integer' },
)

export type ReplaceVerdict = 'replaced' | 'changed' | Exclude<OrderState, 'draft'>

export async function replaceBasket(
  tx: Tx,
  { resellerId, id }: OrderKey,
  version: number,
  lines: readonly SealedLine[],
): Promise<ReplaceVerdict> {
  const values = REPLACE.valuesOf(lines, { p_reseller: resellerId, p_order: id, p_version: version })
  return verdictOf(await tx.query<{ verdict: ReplaceVerdict }>(REPLACE.statement, values))
}

const SUBMIT = { name: 'orders_submit', text: 'select submit_order($1, $2, $3, $4) as verdict' }

export type SubmitVerdict = 'submitted' | 'changed' | 'unjudged' | 'empty' | Exclude<OrderState, 'draft'>

/** Submits the basket of this version, if the caller has judged it. */
export async function submitOrder(
  tx: Tx,
  { resellerId, id }: OrderKey,
  { version, isJudged }: { readonly version: number; readonly isJudged: boolean },
): Promise<SubmitVerdict> {
  return verdictOf(await tx.query<{ verdict: SubmitVerdict }>(SUBMIT, [resellerId, id, version, isJudged]))
}

const ALLOW_REPEATS = {
  name: 'orders_allow_repeats',
  text: 'update orders set allows_repeats = true where reseller_id = $1 and id = $2',
}

/** Notes that the customer of a basket wants what repeats an earlier payment. */
export async function allowRepeats(tx: Tx, { resellerId, id }: OrderKey): Promise<void> {
  await tx.query(ALLOW_REPEATS, [resellerId, id])
}

const CANCEL = { name: 'orders_cancel', text: 'select cancel_order($1, $2, $3) as verdict' }

export async function cancelOrder(tx: Tx, { resellerId, id }: OrderKey, reason: string): Promise<OrderState> {
  return verdictOf(await tx.query<{ verdict: OrderState }>(CANCEL, [resellerId, id, reason]))
}

const CONFIRM = defineCall(
  { name: 'orders_confirm', text: 'select verdict, available from confirm_order(...)' },
  {
    p_reseller: 'bigint',
    p_order: 'bigint',
    p_payment_reference: 'text',
    p_sender: 'text',
    p_is_judged: 'boolean',
    p_costs: 'bigint[]',
  },
)

export type ConfirmVerdict =
  | 'confirmed'
  | 'insufficient'
  | 'confirmed_before'
  | 'another_reference'
  | 'unjudged'
  | 'draft'
  | 'cancelled'
  | 'timeout'

/** Result of a confirmation. `available` is the balance that no other confirmed order needs; null where not compared. */
export type Confirmed = { readonly verdict: ConfirmVerdict; readonly available: Amount | null }

/** Confirms an order. `costs` are those of one unit of each line, in order; null: the basket was not judged. */
export async function confirmOrder(
  tx: Tx,
  { resellerId, id }: OrderKey,
  given: {
    readonly paymentReference: string
    readonly sender: string
    readonly costs: readonly Amount[] | null
  },
): Promise<Confirmed> {
  const values = CONFIRM.valuesOf({
    p_reseller: resellerId,
    p_order: id,
    p_payment_reference: given.paymentReference,
    p_sender: given.sender,
    p_is_judged: given.costs !== null,
    p_costs: given.costs ?? [],
  })
  const { rows } = await tx.query<Confirmed>(CONFIRM.statement, values)
  assert(rows[0] !== undefined, 'confirm_order gives one row')
  return rows[0]
}

const HOLD = { name: 'orders_hold', text: 'select (hold_order($1, $2)).state as verdict' }

/** Times an open order out if its expiry has passed; returns the state that it has then. */
export async function timeOutOrder(tx: Tx, { resellerId, id }: OrderKey): Promise<OrderState> {
  return verdictOf(await tx.query<{ verdict: OrderState }>(HOLD, [resellerId, id]))
}

function verdictOf<Verdict>({ rows }: { rows: { verdict: Verdict }[] }): Verdict {
  assert(rows[0] !== undefined, 'a function about an order gives a verdict')
  return rows[0].verdict
}

// ── Keys and secrets ──

export type TokenRow = {
  reseller_id: bigint
  id: bigint
  token_digest: Buffer
  is_readable: boolean
}

const FIND_TOKEN = {
  name: 'orders_find_token',
  text: `select reseller_id, id, token_digest,
                coalesce(completed_at > clock_timestamp() - $2 * interval '1 second', true) as is_readable
           from orders where code = $1`,
}

/** Finds an order of any reseller by its code. `is_readable`: it is not final, or became so not longer ago than given. */
export async function findTokenRow(
  connection: Queryable,
  code: string,
  readableSeconds: number,
): Promise<TokenRow | undefined> {
  return (await connection.query<TokenRow>(FIND_TOKEN, [code, readableSeconds])).rows[0]
}

export type SecretsRow = { code: string; sealed_request: Buffer }

const FIND_SECRETS = {
  name: 'orders_find_secrets',
  text: 'select code, sealed_request from orders where reseller_id = $1 and id = $2',
}

export async function findSecrets(
  connection: Queryable,
  { resellerId, id }: OrderKey,
): Promise<SecretsRow | undefined> {
  return (await connection.query<SecretsRow>(FIND_SECRETS, [resellerId, id])).rows[0]
}

const LIST_TOKENS = {
  name: 'orders_list_tokens',
  text: `select o.id, o.sealed_token from unnest($1::bigint[], $2::bigint[]) as k (reseller_id, id)
           join orders o on o.reseller_id = k.reseller_id and o.id = k.id and o.sealed_token is not null`,
}

/** Lists the sealed tokens of orders by their ids; forgotten ones are left out. */
export async function listSealedTokens(
  connection: Queryable,
  keys: readonly OrderKey[],
): Promise<ReadonlyMap<bigint, Buffer>> {
  if (keys.length === 0) return new Map()
  const values = [plainArray(keys.map(({ resellerId }) => resellerId)), plainArray(keys.map(({ id }) => id))]
  const { rows } = await connection.query<{ id: bigint; sealed_token: Buffer }>(LIST_TOKENS, values)
  return new Map(rows.map(({ id, sealed_token }) => [id, sealed_token]))
}

const FIND_BY_REFERENCE = {
  name: 'orders_find_by_reference',
  text: 'select id from orders where reseller_id = $1 and reference = $2',
}

export async function findIdByReference(
  connection: Queryable,
  resellerId: bigint,
  reference: string,
): Promise<bigint | undefined> {
  const { rows } = await connection.query<{ id: bigint }>(FIND_BY_REFERENCE, [resellerId, reference])
  return rows[0]?.id
}

const FIND_BY_CODE = {
  name: 'orders_find_by_code',
  text: 'select id from orders where reseller_id = $1 and code = $2',
}

export async function findIdByCode(
  connection: Queryable,
  resellerId: bigint,
  code: string,
): Promise<bigint | undefined> {
  const { rows } = await connection.query<{ id: bigint }>(FIND_BY_CODE, [resellerId, code])
  return rows[0]?.id
}
