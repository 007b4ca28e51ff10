import { Type } from 'typebox'
import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { enumOf, orNull } from '../../../http/schemas.ts'
import { RequestError } from '../../../lib/errors.ts'
import { noSuchName } from '../../../lib/input/nearest.ts'
import type { CatalogWorld } from '../../catalog/acts.ts'
import { createLevel, renameLevel } from '../../catalog/acts.ts'
import type { ChangeSummary } from '../../catalog/model/store.types.ts'
import { priceRow } from '../../catalog/operators.service.ts'
import { namedSummaryView } from '../../catalog/summary.view.ts'
import type { PriceWorld } from '../../margins/prices.acts.ts'
import { setPrice } from '../../margins/prices.acts.ts'
import type { OperatorStage } from '../kit/acts.service.ts'
import { operatorAct } from '../kit/acts.service.ts'
import { rolesFor } from '../kit/roles.rules.ts'
import { dataOf, LevelCode, listOf } from '../kit/schemas.ts'
import { AskedResponse, Comparison, Summary } from './catalog.schemas.ts'
import type { CatalogContext } from './catalog.service.ts'
import { show } from './catalog.service.ts'

const TAG = 'Price levels'
const PATH = '/operator/v1/levels'

const LEVEL = { code: Type.String(), name: Type.String() }
const Price = Type.Object(
  {
    product: Type.String(),
    discount_type: enumOf(['percentage', 'fixed']),
    value: Type.String({ description: 'The factor on the face value, or the ringgit taken off it' }),
    currency: Type.String(),
  },
  { title: 'Level price' },
)
const ChangedLevel = Type.Object({ ...LEVEL, summary: Summary })

type LevelStage = OperatorStage<CatalogWorld & PriceWorld>

export function operatorLevelOperations(
  stage: LevelStage,
  context: Pick<CatalogContext, 'catalog'>,
): Operation[] {
  const { authenticate } = stage
  const { catalog } = context
  const onDone = () => show(context)
  const viewOfLevel = ({ summary, ...level }: { code: string; name: string; summary: ChangeSummary }) => ({
    ...level,
    summary: namedSummaryView(summary),
  })
  return [
    operation({
      method: 'GET',
      path: PATH,
      docs: { operationId: 'listLevels', summary: 'Price levels', tag: TAG },
      schemas: {
        responses: {
          200: listOf(Type.Object({ ...LEVEL, prices: Type.Integer() }, { title: 'Price level' })),
        },
      },
      authenticate: authenticate(...rolesFor('levels.read')),
      async handle() {
        const levels = [...catalog.state().levels.values()].sort((a, b) => (a.code < b.code ? -1 : 1))
        const data = levels.map(({ code, name, prices }) => ({ code, name, prices: prices.size }))
        return { status: 200, body: { data, cursor: null, has_more: false } }
      },
    }),
    operation({
      method: 'GET',
      path: `${PATH}/:code`,
      docs: { operationId: 'getLevel', summary: 'A price level with its prices', tag: TAG },
      schemas: {
        params: Type.Object({ code: LevelCode }),
        responses: { 200: dataOf(Type.Object({ ...LEVEL, prices: Type.Array(Price) })) },
      },
      authenticate: authenticate(...rolesFor('levels.read')),
      async handle({ params }) {
        const { levels } = catalog.state()
        const level = levels.get(params.code)
        if (level === undefined) {
          const publicText = noSuchName('price level', params.code, levels.keys())
          throw new RequestError({ status: 404, code: 'not_found', publicText })
        }
        const prices = [...level.prices].map(([product, price]) => ({ product, ...priceRow(price) }))
        return { status: 200, body: { data: { code: level.code, name: level.name, prices } } }
      },
    }),
    operatorAct(stage, {
      act: createLevel,
      method: 'POST',
      path: PATH,
      permission: 'levels.write',
      docs: {
        operationId: 'createLevel',
        summary: 'Make a price level; it sells nothing until it has prices',
        tag: TAG,
      },
      body: 'New price level request',
      status: 201,
      answer: ChangedLevel,
      also: [409],
      view: viewOfLevel,
      onDone,
    }),
    operatorAct(stage, {
      act: renameLevel,
      method: 'PATCH',
      path: `${PATH}/:code`,
      permission: 'levels.write',
      docs: { operationId: 'updateLevel', summary: 'Rename a price level', tag: TAG },
      body: 'Change price level request',
      answer: ChangedLevel,
      view: viewOfLevel,
      onDone,
    }),
    operatorAct(stage, {
      act: setPrice,
      method: 'PUT',
      path: `${PATH}/:code/prices/:product`,
      pathNames: { code: 'level' },
      permission: 'levels.write',
      docs: {
        operationId: 'setLevelPrice',
        summary: 'Say what a price level pays for a product',
        description:
          'Refused where it would make the cost of any amount zero or less. 202: it is below the cheapest route or ' +
          'moves too far, and a second person has to approve it; nothing is changed until then.',
        tag: TAG,
      },
      body: 'Level price request',
      mayRehearse: true,
      answer: Type.Object({
        level: Type.String(),
        product: Type.String(),
        price: orNull(Price),
        summary: Summary,
        comparison: Comparison,
      }),
      asked: AskedResponse,
      also: [409],
      view: ({ level, product, price, summary, comparison }) => ({
        level,
        product,
        price: price === null ? null : { product, ...price },
        summary: namedSummaryView(summary),
        comparison,
      }),
      onDone,
    }),
  ]
}
