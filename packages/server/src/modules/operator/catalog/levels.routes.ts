import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { comparisonView } from '../../margins/comparison.service.ts'
import { NOTHING_FOUND } from '../../margins/service.ts'
import type { OperatorAuthenticator } from '../../sessions/people/types.ts'
import { askedView } from '../console/approvals.view.ts'
import { rolesFor } from '../console/roles.rules.ts'
import { AskedResponse } from './catalog.schemas.ts'
import type { CatalogContext } from './catalog.service.ts'
import { contextFor } from './catalog.service.ts'
import { namedSummaryView } from './catalog.view.ts'
import {
  ChangedLevelResponse,
  LevelBody,
  LevelListResponse,
  LevelParameters,
  LevelPriceBody,
  LevelPriceParameters,
  LevelPriceResponse,
  LevelResponse,
  NewLevelBody,
} from './levels.schemas.ts'
import { createLevel, getLevel, listLevels, renameLevel, setPrice } from './levels.service.ts'
import { levelLineView, levelView } from './levels.view.ts'

const TAG = 'Price levels'
const PATH = '/operator/v1/levels'

export function operatorLevelOperations(
  authenticate: OperatorAuthenticator,
  context: CatalogContext,
): Operation[] {
  return [...readingOperations(authenticate, context), ...changingOperations(authenticate, context)]
}

function readingOperations(authenticate: OperatorAuthenticator, context: CatalogContext): Operation[] {
  return [
    operation({
      method: 'GET',
      path: PATH,
      docs: { operationId: 'listLevels', summary: 'Price levels', tag: TAG },
      schemas: { responses: { 200: LevelListResponse } },
      authenticate: authenticate(...rolesFor('levels.read')),
      async handle() {
        const data = listLevels(context).map(levelLineView)
        return { status: 200, body: { data, cursor: null, has_more: false } }
      },
    }),
    operation({
      method: 'GET',
      path: `${PATH}/:code`,
      docs: { operationId: 'getLevel', summary: 'A price level with its prices', tag: TAG },
      schemas: {
        params: LevelParameters,
        responses: { 200: LevelResponse },
      },
      authenticate: authenticate(...rolesFor('levels.read')),
      async handle({ params }) {
        return { status: 200, body: { data: levelView(getLevel(context, params.code)) } }
      },
    }),
  ]
}

function changingOperations(authenticate: OperatorAuthenticator, context: CatalogContext): Operation[] {
  return [
    operation({
      method: 'POST',
      path: PATH,
      docs: {
        operationId: 'createLevel',
        summary: 'Make a price level; it sells nothing until it has prices',
        tag: TAG,
      },
      schemas: {
        body: NewLevelBody,
        responses: { 201: ChangedLevelResponse },
      },
      also: [409],
      authenticate: authenticate(...rolesFor('levels.write')),
      async handle({ caller, request, body: { reason, ...level } }) {
        const summary = await createLevel(contextFor(context, request), caller, level, reason)
        return { status: 201, body: { data: { ...level, summary: namedSummaryView(summary) } } }
      },
    }),
    operation({
      method: 'PATCH',
      path: `${PATH}/:code`,
      docs: { operationId: 'updateLevel', summary: 'Rename a price level', tag: TAG },
      schemas: {
        params: LevelParameters,
        body: LevelBody,
        responses: { 200: ChangedLevelResponse },
      },
      authenticate: authenticate(...rolesFor('levels.write')),
      async handle({ caller, request, params: { code }, body: { name, reason } }) {
        const summary = await renameLevel(contextFor(context, request), caller, { code, name }, reason)
        return { status: 200, body: { data: { code, name, summary: namedSummaryView(summary) } } }
      },
    }),
    operation({
      method: 'PUT',
      path: `${PATH}/:code/prices/:product`,
      docs: {
        operationId: 'setLevelPrice',
        summary: 'Say what a price level pays for a product',
        description:
          'Refused where it would make the cost of any amount zero or less. 202: it is below the cheapest route or ' +
          'moves too far, and a second person has to approve it; nothing is changed until then.',
        tag: TAG,
      },
      schemas: {
        params: LevelPriceParameters,
        body: LevelPriceBody,
        responses: { 200: LevelPriceResponse, 202: AskedResponse },
      },
      also: [409],
      authenticate: authenticate(...rolesFor('levels.write')),
      async handle({ caller, request, params: { code: level, product }, body }) {
        const { reason, dry_run: isDry = false, ...price } = body
        const wanted = { level, product, ...price }
        const outcome = await setPrice(contextFor(context, request), caller, wanted, { isDry, reason })
        if ('asked' in outcome) return { status: 202, body: { data: askedView(outcome.asked) } }
        const { comparison = comparisonView(NOTHING_FOUND), ...summary } = outcome.done
        const { discount_type, value, currency = 'MYR' } = price
        const shown =
          discount_type === 'none' || typeof value !== 'string'
            ? null
            : { product, discount_type, value, currency }
        return {
          status: 200,
          body: { data: { level, product, price: shown, summary: namedSummaryView(summary), comparison } },
        }
      },
    }),
  ]
}
