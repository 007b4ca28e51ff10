import { BODY_BYTES_MAX } from '../../../http/body.ts'
import type { IncomingRequest, Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { categoryRow, groupRow, optionRow } from '../../catalog/operators.service.ts'
import type { CatalogBody } from '../../catalog/transfer/given.service.ts'
import type { OperatorAuthenticator } from '../../sessions/people/types.ts'
import { comparedView } from '../kit/acts.service.ts'
import { pageView } from '../kit/pages.rules.ts'
import { rolesFor } from '../kit/roles.rules.ts'
import {
  ApplyBody,
  AskedResponse,
  CatalogResponse,
  ChangeResponse,
  CsvExportParameters,
  CsvExportResponse,
  ExportResponse,
  OptionListParameters,
  OptionListResponse,
  PreviewBody,
  ProductListParameters,
  ProductListResponse,
  ProductParameters,
  ProductResponse,
} from './catalog.schemas.ts'
import type { CatalogContext } from './catalog.service.ts'
import {
  applyCatalogue,
  contextFor,
  exportCatalog,
  getProduct,
  listProductOptions,
  listProducts,
  previewCatalog,
} from './catalog.service.ts'
import { pricedProductView, productLineView } from './catalog.view.ts'

const TAG = 'Catalogue'
const PATH = '/operator/v1/catalogue'

export function operatorCatalogOperations(
  authenticate: OperatorAuthenticator,
  context: CatalogContext,
): Operation[] {
  return [...readingOperations(authenticate, context), ...changingOperations(authenticate, context)]
}

function readingOperations(authenticate: OperatorAuthenticator, context: CatalogContext): Operation[] {
  const authenticated = authenticate(...rolesFor('catalogue.read'))
  return [
    operation({
      method: 'GET',
      path: PATH,
      docs: { operationId: 'getCatalogue', summary: 'Groups and categories', tag: TAG },
      schemas: { responses: { 200: CatalogResponse } },
      authenticate: authenticated,
      async handle() {
        const { version, base } = context.catalog.state()
        const data = {
          version: Number(version),
          groups: base.groups.map(groupRow),
          categories: base.categories.map(categoryRow),
        }
        return { status: 200, body: { data } }
      },
    }),
    operation({
      method: 'GET',
      path: `${PATH}/export`,
      docs: {
        operationId: 'exportCatalogue',
        summary: 'The whole catalogue as a file that an import takes back',
        tag: TAG,
      },
      schemas: { responses: { 200: ExportResponse } },
      authenticate: authenticated,
      async handle({ request }) {
        const body = await exportCatalog(contextFor(context, request), null)
        return { status: 200, body, headers: { 'Content-Type': 'application/json; charset=utf-8' } }
      },
    }),
    operation({
      method: 'GET',
      path: `${PATH}/export.csv`,
      docs: {
        operationId: 'exportCatalogueCsv',
        summary: 'One kind of rows as a CSV file',
        description: 'One kind of rows as a CSV file, to be edited and imported again.',
        tag: TAG,
      },
      schemas: {
        query: CsvExportParameters,
        responses: { 200: CsvExportResponse },
      },
      authenticate: authenticated,
      async handle({ query, request }) {
        const { kind = '' } = query
        const headers = {
          'Content-Type': 'text/csv; charset=utf-8',
          'Content-Disposition': `attachment; filename="${kind}.csv"`,
        }
        return { status: 200, body: await exportCatalog(contextFor(context, request), kind), headers }
      },
    }),
    operation({
      method: 'GET',
      path: `${PATH}/products`,
      docs: { operationId: 'listCatalogueProducts', summary: 'Products, inactive ones included', tag: TAG },
      schemas: {
        query: ProductListParameters,
        responses: { 200: ProductListResponse },
      },
      authenticate: authenticated,
      async handle({ query }) {
        const [state, page] = listProducts(context, query)
        return { status: 200, body: pageView(page, (product) => productLineView(state, product)) }
      },
    }),
    operation({
      method: 'GET',
      path: `${PATH}/products/:code`,
      docs: { operationId: 'getCatalogueProduct', summary: 'A product with its prices', tag: TAG },
      schemas: {
        params: ProductParameters,
        responses: { 200: ProductResponse },
      },
      authenticate: authenticated,
      async handle({ params }) {
        return { status: 200, body: { data: pricedProductView(...getProduct(context, params.code)) } }
      },
    }),
    operation({
      method: 'GET',
      path: `${PATH}/products/:code/options`,
      docs: { operationId: 'listCatalogueOptions', summary: "A product's plans, billers and such", tag: TAG },
      schemas: {
        params: ProductParameters,
        query: OptionListParameters,
        responses: { 200: OptionListResponse },
      },
      authenticate: authenticated,
      async handle({ params, query }) {
        return { status: 200, body: pageView(listProductOptions(context, params.code, query), optionRow) }
      },
    }),
  ]
}

function changingOperations(authenticate: OperatorAuthenticator, context: CatalogContext): Operation[] {
  const authenticated = authenticate(...rolesFor('catalogue.write'))
  return [
    operation({
      method: 'POST',
      path: `${PATH}/preview`,
      docs: {
        operationId: 'previewCatalogue',
        summary: 'Preview a change and the number of resellers it affects',
        description:
          'Takes rows of groups, categories, products, options, price levels and prices, as one JSON document or as ' +
          'files. Omitted rows stay as they are. Everything is checked and measured, and nothing is changed.',
        tag: TAG,
      },
      schemas: {
        body: PreviewBody,
        responses: { 200: ChangeResponse },
      },
      authenticate: authenticated,
      ownBody: 'json',
      bodyLimits: { bytesMax: BODY_BYTES_MAX },
      async handle({ request }) {
        return {
          status: 200,
          body: { data: await previewCatalog(contextFor(context, request), bodyOf(request)) },
        }
      },
    }),
    operation({
      method: 'POST',
      path: `${PATH}/import`,
      docs: {
        operationId: 'importCatalogue',
        summary: 'Take over what was previewed, all of it or nothing',
        description:
          'The same body as the preview, with its `version`. Resellers are told what changed for them. 202: a price ' +
          'below cost, or moved too far, needs a second person; nothing is changed until the approval.',
        tag: TAG,
      },
      schemas: {
        body: ApplyBody,
        responses: { 200: ChangeResponse, 202: AskedResponse },
      },
      also: [409],
      authenticate: authenticated,
      ownBody: 'json',
      bodyLimits: { bytesMax: BODY_BYTES_MAX },
      async handle({ caller, request }) {
        const outcome = await applyCatalogue(contextFor(context, request), caller, bodyOf(request))
        if (outcome.kind === 'refused') throw outcome.error
        if (outcome.kind === 'asked') return { status: 202, body: { data: comparedView(outcome) } }
        return { status: 200, body: { data: outcome.result } }
      },
    }),
  ]
}

/** Body as it arrived, not parsed: parsing megabytes is part of the job. */
function bodyOf({ headers, body }: IncomingRequest): CatalogBody {
  const type = headers['content-type']
  return { contentType: Array.isArray(type) ? type[0] : type, bytes: body }
}
