import { assert, RequestError } from '../../../lib/errors.ts'
import type { Approval, ApprovalCommand, Approvals, Executor } from '../../approvals/types.ts'
import { readReason } from '../../audit/service.ts'
import type { Target } from '../../audit/types.ts'
import { SECOND_PERSON } from '../../margins/service.ts'
import type { ComparisonView } from '../../margins/types.ts'
import type { OperatorCaller } from '../../sessions/people/types.ts'
import { readGivenApply } from './catalog.rules.ts'
import { namedSummaryView } from './catalog.view.ts'
import type { CatalogBody } from './catalog-jobs.service.ts'
import { readBody, writeImport } from './catalog-jobs.service.ts'
import { piecesOf } from './catalog-log.rules.ts'
import type { PriceInput } from './catalog-rows.service.ts'
import { priceTarget, writePrice } from './catalog-rows.service.ts'
import type { RouteKey, RouteSettings } from './route-changes.service.ts'
import { byApi, routeTarget, writeRemoval, writeRoute, writeSwitch } from './route-changes.service.ts'

// Prices, imports and routes that one operator alone may not save. Each becomes an approval, which holds the whole
// change and the seal of the comparison that was shown. The approving commit makes exactly that change, or is refused.

/** Approval that was requested, and the comparison that made it necessary. */
export type Asked = { readonly approval: Approval; readonly comparison: ComparisonView }

type Request = {
  readonly kind: PriceApprovalKind
  readonly target: Target
  readonly command: ApprovalCommand
  readonly reason: string
}

export type PriceApprovalKind =
  | 'price_change'
  | 'catalogue_change'
  | 'route_change'
  | 'route_removal'
  | 'provider_switch'

/** Does the work, or requests an approval when the work needs a second person. */
export async function doOrRequestApproval<T>(
  approvals: Pick<Approvals, 'request'>,
  caller: OperatorCaller,
  work: () => Promise<T>,
  requestOf: () => Request,
): Promise<{ readonly done: T } | { readonly asked: Asked }> {
  try {
    return { done: await work() }
  } catch (error) {
    if (!(error instanceof RequestError) || error.code !== SECOND_PERSON) throw error
    const { comparison, seal } = error.extra as { comparison: ComparisonView; seal: string }
    const { command, ...asked } = requestOf()
    const shown = { loss_last_month: comparison.loss_last_month, comparison: error.publicText, seal }
    const approval = await approvals.request(caller, {
      ...asked,
      command: { ...command, ...shown },
      isRepeatable: true,
    })
    return { asked: { approval, comparison } }
  }
}

// ── One price ──

export function priceRequest(price: PriceInput, reason: string): Request {
  const { level, product, discount_type, value = null, currency = null } = price
  return {
    kind: 'price_change',
    target: priceTarget(price),
    command: { level, product, discount_type, value, currency },
    reason,
  }
}

function priceExecutor(maxPercent: number): Executor {
  return (tx, database, { id, command }) => {
    const { level, product, discount_type: type, value, currency } = command
    assert(typeof level === 'string' && typeof product === 'string', 'a price has its place')
    assert(type === 'percentage' || type === 'fixed' || type === 'none', 'a price has its kind')
    const price: PriceInput = {
      level,
      product,
      discount_type: type,
      value,
      ...(currency ? { currency } : {}),
    }
    return writePrice(tx, database, price, {
      reason: `approval ${id}`,
      maxPercent,
      consent: consentOf(command),
    })
  }
}

// ── An import ──

/**
 * Limit of an import that waits for approval. The approving commit makes the change on the node's main thread, because
 * a transaction cannot be moved to another thread: a file of megabytes would stop the node's payments for seconds.
 */
const WAITING_BYTES_MAX = 256 * 1024

export function importRequest(body: CatalogBody): Request {
  if (body.bytes.byteLength > WAITING_BYTES_MAX) {
    throw new RequestError({
      status: 413,
      code: 'too_large_to_approve',
      publicText:
        `A second person has to approve this, and this import has ${Math.ceil(body.bytes.byteLength / 1024)} kB: at ` +
        `most ${WAITING_BYTES_MAX / 1024} kB can wait for an approval. Nothing was changed. Import the file without the ` +
        'prices that the preview lists under findings. Then give these in imports of their own, which wait for a second ' +
        'person; several at once where they are many. Or run warungd catalog import --accept-loss at the machine.',
    })
  }
  const { expected_version: version, reason } = readGivenApply(readBody(body))
  return {
    kind: 'catalogue_change',
    target: { kind: 'catalogue', id: String(version) },
    command: { content_type: body.contentType ?? null, body: Buffer.from(body.bytes).toString('utf8') },
    reason: readReason(reason),
  }
}

function importExecutor(maxPercent: number): Executor {
  return async (_tx, database, { command }) => {
    const { body, content_type: type } = command
    assert(typeof body === 'string', 'an import has a body')
    const given = { contentType: type ?? undefined, bytes: Buffer.from(body, 'utf8') }
    const { imported } = await writeImport(database, given, { maxPercent, consent: consentOf(command) })
    const { summary, differences } = imported
    const target = { kind: 'catalogue', id: String(summary.version) }
    const whole = { summary: namedSummaryView(summary), differences_total: differences.length }
    const after = { ...whole, differences: piecesOf(differences).pieces[0] ?? [] }
    return { target, before: null, after, result: whole }
  }
}

// ── A route ──

export function routeRequest(place: RouteKey, settings: RouteSettings, reason: string): Request {
  return {
    kind: 'route_change',
    target: routeTarget(place),
    command: { ...place, settings: JSON.stringify(settings) },
    reason,
  }
}

function routeExecutor(maxPercent: number): Executor {
  return async (tx, database, { command }) => {
    const { product, provider, settings } = command
    assert(typeof product === 'string' && typeof provider === 'string', 'a route has its place')
    assert(typeof settings === 'string', 'a route has its settings')
    const place = { product, provider }
    const wanted = JSON.parse(settings) as RouteSettings
    const gate = { maxPercent, consent: consentOf(command) }
    const done = await writeRoute(tx, database, place, wanted, gate)
    return { ...done, result: done.after }
  }
}

export function removalRequest(place: RouteKey, isToAny: boolean, reason: string): Request {
  return {
    kind: 'route_removal',
    target: routeTarget(place),
    command: { ...place, to_any: String(isToAny) },
    reason,
  }
}

function removalExecutor(maxPercent: number): Executor {
  return async (tx, database, { command }) => {
    const { product, provider, to_any: toAny } = command
    assert(typeof product === 'string' && typeof provider === 'string', 'a route has its place')
    const gate = { maxPercent, consent: consentOf(command) }
    const done = await writeRemoval(tx, database, { product, provider }, byApi(toAny === 'true'), gate)
    return { ...done, result: done.before }
  }
}

// ── A provider that is enabled ──

export function enablingRequest(code: string, reason: string): Request {
  return { kind: 'provider_switch', target: { kind: 'provider', id: code }, command: { code }, reason }
}

function enablingExecutor(maxPercent: number): Executor {
  return async (tx, database, { command }) => {
    const { code } = command
    assert(typeof code === 'string', 'a provider has its code')
    const done = await writeSwitch(tx, database, code, true, { maxPercent, consent: consentOf(command) })
    return { ...done, result: done.after }
  }
}

function consentOf({ seal }: ApprovalCommand) {
  assert(typeof seal === 'string', 'what was shown is sealed')
  return { kind: 'approved', seal } as const
}

export function priceExecutors(maxPercent: number): Readonly<Record<PriceApprovalKind, Executor>> {
  return {
    price_change: priceExecutor(maxPercent),
    catalogue_change: importExecutor(maxPercent),
    route_change: routeExecutor(maxPercent),
    route_removal: removalExecutor(maxPercent),
    provider_switch: enablingExecutor(maxPercent),
  }
}
