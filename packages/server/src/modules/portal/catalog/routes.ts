import { setImmediate } from 'node:timers/promises'
import type { Tx } from '../../../db/database.ts'
import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { createTurns } from '../../../lib/turns.ts'
import type { DirectoryReseller } from '../../accounts/types.ts'
import { appendAudit } from '../../audit/service.ts'
import type { AppliedOverlay } from '../../catalog/edit/overlay-preview.service.ts'
import { applyOverlayEdits, previewOverlay } from '../../catalog/edit/overlay-preview.service.ts'
import type { MemberCaller } from '../../sessions/people/types.ts'
import { notFound, resellerOf } from '../access/access.service.ts'
import { REASON } from '../access/log.service.ts'
import type { PortalSettings } from '../access/types.ts'
import type { ReadEdits } from './rules.ts'
import { readEdits, refuseUnknown } from './rules.ts'
import {
  ApplyBody,
  ApplyResponse,
  CatalogResponse,
  EditsBody,
  PreviewResponse,
  ProductParams,
  ProductResponse,
} from './schemas.ts'
import { catalogueView, editableView, previewView, productDetailsView } from './view.ts'

const TAG = 'Catalogue'
const PATH = '/portal/v1/catalogue'
/** Limits of a body with the largest number of edits, each with every member. */
const EDITS_LIMITS = { bytesMax: 1024 * 1024, valuesMax: 50_000 }

export function portalCatalogOperations(settings: PortalSettings): Operation[] {
  return [...readOperations(settings), ...editOperations(settings)]
}

function readOperations(settings: PortalSettings): Operation[] {
  const { authenticate, catalog } = settings
  return [
    operation({
      method: 'GET',
      path: PATH,
      docs: {
        operationId: 'portalGetCatalogue',
        summary: 'Everything you may sell, with cost, price and margin',
        tag: TAG,
      },
      schemas: { responses: { 200: CatalogResponse } },
      authenticate: authenticate('catalogue.read'),
      async handle({ caller }) {
        const reseller = resellerOf(settings, caller)
        const overlay = catalog.state().views.get(reseller.id)?.overlay
        return { status: 200, body: { data: catalogueView(catalog.snapshotFor(reseller), overlay) } }
      },
    }),
    operation({
      method: 'GET',
      path: `${PATH}/products/:code`,
      docs: {
        operationId: 'portalGetProduct',
        summary: 'A product with the price of each denomination',
        tag: TAG,
      },
      schemas: { params: ProductParams, responses: { 200: ProductResponse } },
      authenticate: authenticate('catalogue.read'),
      async handle({ caller, params }) {
        const reseller = resellerOf(settings, caller)
        const product = catalog.snapshotFor(reseller).products.get(params.code)
        // A product that the account may not buy does not exist for it.
        if (product === undefined || !product.isOffered || !product.isPurchasable) throw notFound('product')
        const overlay = catalog.state().views.get(reseller.id)?.overlay
        return { status: 200, body: { data: productDetailsView(product, overlay) } }
      },
    }),
  ]
}

/**
 * Turns of edits. Compiling a catalogue stops everything else for some milliseconds or, with very many customised
 * options, for most of a second. So one runs at a time, and all together take at most a fifth of the time.
 */
const EDITS = { atOnceMax: 1, perOwnerMax: 1, waitingPerOwnerMax: 3, waitMs: 10_000, restFactor: 4 }

function editOperations(settings: PortalSettings): Operation[] {
  const { authenticate, catalog } = settings
  const edits = createTurns(EDITS)
  return [
    operation({
      method: 'POST',
      path: `${PATH}/preview`,
      docs: {
        operationId: 'portalPreviewCatalogue',
        summary: 'Preview edits, with the values before and after',
        description:
          'Nothing is written. Edits that could not be applied are refused here with the same message.',
        tag: TAG,
      },
      schemas: { body: EditsBody, responses: { 200: PreviewResponse } },
      also: [429],
      authenticate: authenticate('catalogue.write'),
      bodyLimits: EDITS_LIMITS,
      async handle({ caller, body, request }) {
        const reseller = resellerOf(settings, caller)
        const wanted = editsOf(settings, reseller, readEdits(body))
        const preview = async () => {
          // Other waiting work runs first, for example payments.
          await setImmediate()
          return previewView(previewOverlay(catalog.state(), reseller, wanted))
        }
        const data = await edits.take(reseller.id, preview, request.isAwaited)
        return { status: 200, body: { data } }
      },
    }),
    operation({
      method: 'POST',
      path: `${PATH}/apply`,
      docs: {
        operationId: 'portalApplyCatalogue',
        summary: 'Apply edits',
        description:
          'All of them or nothing. 400: also when a customer would pay nothing, or less, for something on sale. ' +
          '409: the catalogue changed since the preview, or a product could be sold below cost and that was not ' +
          'accepted.',
        tag: TAG,
      },
      schemas: { body: ApplyBody, responses: { 200: ApplyResponse } },
      also: [429],
      authenticate: authenticate('catalogue.write'),
      bodyLimits: EDITS_LIMITS,
      async handle({ caller, body, request }) {
        const confirmation = { fingerprint: body.fingerprint ?? null, acceptsLoss: body.accept_loss ?? false }
        const reseller = resellerOf(settings, caller)
        const wanted = editsOf(settings, reseller, readEdits(body))
        const { fingerprint: _, accept_loss: __, ...given } = body
        const record = recordEdits(settings, caller, given)
        const apply = () =>
          applyOverlayEdits(
            { ...settings, record },
            reseller,
            wanted,
            confirmation,
            `portal: ${caller.username}`,
          )
        const { preview, summary } = await edits.take(reseller.id, apply, request.isAwaited)
        const { isChanged, version } = summary
        const data = { ...previewView(preview), is_changed: isChanged, version: String(version) }
        return { status: 200, body: { data } }
      },
    }),
  ]
}

/** Writes the line of the audit log: the products as they were, and the edits as they were given. */
function recordEdits({ sessions }: PortalSettings, caller: MemberCaller, edits: object) {
  return async (tx: Tx, { preview, summary }: AppliedOverlay): Promise<void> => {
    const act = { caller, action: 'overlay.set', reason: REASON }
    const target = { kind: 'overlay', id: caller.reseller.account }
    const before = { products: preview.products.map((each) => editableView(each.before)) }
    await appendAudit(tx, sessions.audit, act, { target, before, after: { version: summary.version, edits } })
  }
}

function editsOf({ catalog }: PortalSettings, reseller: DirectoryReseller, edits: ReadEdits): ReadEdits {
  const { products } = catalog.snapshotFor(reseller)
  refuseUnknown(edits, (code) => {
    const product = products.get(code)
    return product?.isOffered === true && product.isPurchasable
  })
  return edits
}
