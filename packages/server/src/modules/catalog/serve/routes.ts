import { Type } from 'typebox'
import type { IncomingRequest, Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { documentedAs, parameter } from '../../../http/parameters.ts'
import { answerWith } from '../../../http/representations.ts'
import { preferredLanguage } from '../../../lib/text/languages.ts'
import type { Authenticator } from '../../auth/service.ts'
import { CATALOG_LANGUAGES } from '../texts/rules.ts'
import type { Asked, CatalogAnswers } from './answers.service.ts'
import {
  CATALOG_RULES,
  OPTIONS_RULES,
  PAGE_SIZE_DEFAULT,
  readCatalogParameters,
  readFormOptionsParameters,
  readOptionsParameters,
  SEARCH_PAGE_SIZE_DEFAULT,
  SEARCH_PAGE_SIZE_MAX,
  SEARCH_RULES,
} from './parameters.rules.ts'
import type { Release } from './releases.rules.ts'
import { pickRelease } from './releases.rules.ts'
import { CatalogResponse, FormOptionsResponse, OptionsResponse } from './schemas.ts'

const TAG = 'Catalogue'

const CatalogQuery = Type.Object({
  product_code: parameter(CATALOG_RULES.productCode, 'One product alone'),
  is_active: parameter(
    CATALOG_RULES.isActive,
    'true: products that you sell. false: products that you switched off.',
  ),
  include_inactive: parameter(CATALOG_RULES.includeInactive, 'true: both; is_active is then ignored'),
})

const OptionsQuery = Type.Object({
  product_code: parameter(OPTIONS_RULES.productCode, 'Product code'),
  field_id: parameter(OPTIONS_RULES.fieldId, 'Id of a select field of the product'),
  account_number: parameter(
    OPTIONS_RULES.accountNumber,
    'Value that a dynamic field depends on: an identity number, a phone number',
  ),
  biller_code: parameter(OPTIONS_RULES.billerCode, 'Bill payment: one biller alone'),
  limit: parameter(OPTIONS_RULES.limit, `Items of a page; ${PAGE_SIZE_DEFAULT} when left out`),
  per_page: parameter(OPTIONS_RULES.perPage, 'Another name of limit'),
  page: parameter(OPTIONS_RULES.page, 'Number of the page'),
  is_active: parameter(OPTIONS_RULES.isActive, 'Static options: false for those you switched off'),
  include_hidden: parameter(OPTIONS_RULES.includeHidden, 'true: also options of hidden products'),
  include_inactive: parameter(
    OPTIONS_RULES.includeInactive,
    'true: also options of products that are off for everybody',
  ),
})

const FormOptionsQuery = Type.Object({
  ...OptionsQuery.properties,
  search: parameter(
    SEARCH_RULES.search,
    'Options whose label or code has all these words, best first; accents, signs and case do not count. Pages then ' +
      `have ${SEARCH_PAGE_SIZE_DEFAULT} items, ${SEARCH_PAGE_SIZE_MAX} at most`,
  ),
})

const VersionHeader = Type.Object({
  'X-API-Version': Type.Optional(
    documentedAs(
      { schema: { type: 'string', format: 'date' } },
      Type.String({ description: 'The newest release up to this date. The answer names the release used.' }),
    ),
  ),
})

const FormHeaders = Type.Object({
  ...VersionHeader.properties,
  'Accept-Language': Type.Optional(
    documentedAs(
      { schema: { type: 'string', maxLength: 1_000 } },
      Type.String({
        description:
          "Language of names, notes and labels: ms, id, zh or ta. Without it, and for any other, the catalogue's own. " +
          'Codes are the same in each.',
      }),
    ),
  ),
})

type Headers = Readonly<Record<string, string>>
type Language = Asked['language']

/** Headers of each form, one object for each: answers keep what they derive from them. */
const HEADERS: Readonly<Record<Release, ReadonlyMap<Language, Headers>>> = {
  '2024-01-01': headersOf('2024-01-01'),
  '2026-09-16': headersOf('2026-09-16'),
}

function headersOf(release: Release): ReadonlyMap<Language, Headers> {
  const version = { 'X-API-Version': release }
  return new Map<Language, Headers>([
    [undefined, version],
    ...CATALOG_LANGUAGES.map((each) => [each, { ...version, 'Content-Language': each }] as const),
  ])
}

/**
 * Creates the operations; `now` decides which dated release is the default. `isForm`: for the portal's forms, which
 * search among options and say what references are; the resellers' API is fixed by its contract.
 */
export function catalogOperations(
  authenticate: Authenticator,
  answers: CatalogAnswers,
  now: () => Date,
  { isForm = false }: { readonly isForm?: boolean } = {},
): Operation[] {
  return [
    operation({
      method: 'GET',
      path: '/v2/catalog',
      docs: { operationId: 'getCatalog', summary: 'Products, as this account sees them', tag: TAG },
      schemas: {
        query: CatalogQuery,
        headers: FormHeaders,
        responses: { 200: CatalogResponse, 304: Type.Null() },
      },
      authenticate: authenticate('read'),
      async handle({ caller, query, request }) {
        const form = formOf(request, now())
        const answer = answers.catalog(caller.reseller, readCatalogParameters(query), form)
        return answerWith(request, answer, HEADERS[form.release].get(form.language))
      },
    }),
    operation({
      method: 'GET',
      path: '/v2/options',
      docs: { operationId: 'getOptions', summary: 'Choices of a select field', tag: TAG },
      schemas: {
        query: isForm ? FormOptionsQuery : OptionsQuery,
        headers: FormHeaders,
        responses: { 200: isForm ? FormOptionsResponse : OptionsResponse, 304: Type.Null() },
      },
      also: [404],
      authenticate: authenticate('read'),
      async handle({ caller, query, request }) {
        const form = formOf(request, now())
        const asked = isForm ? readFormOptionsParameters(query) : readOptionsParameters(query)
        const answer = await answers.options(caller.reseller, asked, form)
        return answerWith(request, answer, HEADERS[form.release].get(form.language))
      },
    }),
  ]
}

/** Reads the form that is asked for. */
function formOf({ headers }: IncomingRequest, now: Date): Asked {
  const version = headers['x-api-version']
  return {
    release: pickRelease(Array.isArray(version) ? version[0] : version, now),
    language: preferredLanguage(headers['accept-language'], CATALOG_LANGUAGES),
  }
}
