import fc from 'fast-check'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { createSchemaCollector } from '../../../http/openapi/openapi-schema.ts'
import { accountViews, bases, levels } from '../../../testing/catalog/catalog-samples.ts'
import { runs } from '../../../testing/runs.ts'
import {
  CategoryEventData,
  GroupEventData,
  OptionEventData,
  ProductEventData,
} from '../changes/events.schemas.ts'
import {
  categoryEventData,
  groupEventData,
  optionEventData,
  productEventData,
} from '../changes/events.view.ts'
import { compileLevel, compileSnapshot } from '../model/compile.rules.ts'
import { listProducts } from '../model/visibility.rules.ts'
import {
  Biller,
  BillersResponse,
  ProductListItem,
  ProductListResponse,
  SubProduct,
  SubProductsResponse,
} from './legacy.schemas.ts'
import { billerItem, productListItems, subProductItem } from './legacy.view.ts'
import { optionItem, optionsView } from './options.view.ts'
import { catalogFor, optionsFor } from './releases.view.ts'
import { CatalogResponse, OptionsResponse } from './schemas.ts'
import { catalogView } from './view.ts'

/** Returns the schema with every object closed: a member that it does not name is an error. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]))
  return 'properties' in schema ? { ...inner, additionalProperties: false } : inner
}

function checker(schema: TSchema) {
  const compiled = Compile(closed(JSON.parse(JSON.stringify(schema))) as TSchema)
  return (value: unknown) => {
    // The check uses the JSON that is sent.
    const sent = JSON.parse(JSON.stringify(value)) as unknown
    expect(compiled.Check(sent) ? [] : [...compiled.Errors(sent)]).toEqual([])
  }
}

const snapshots = fc
  .tuple(bases, levels, accountViews)
  .map(([base, level, view]) => compileSnapshot(compileLevel(base, level, { base: '1', level: '1' }), view))

function forEverySnapshot(check: (snapshot: ReturnType<typeof compileSnapshot>) => void) {
  fc.assert(fc.property(snapshots, check), { numRuns: runs(200) })
}

describe('an answer has exactly the members of its schema', () => {
  it('the catalogue, in every release', () => {
    const check = checker(CatalogResponse)
    forEverySnapshot((snapshot) => {
      const newest = catalogView(snapshot, listProducts(snapshot, { isActive: true, includeInactive: true }))
      check(newest)
      check(catalogFor('2024-01-01', newest, snapshot.products))
    })
  })

  it('options, in every release', () => {
    const check = checker(OptionsResponse)
    forEverySnapshot((snapshot) => {
      for (const product of snapshot.products.values()) {
        for (const field of product.product.fields) {
          const items = product.options(field.id).map((each) => optionItem(product, field, each))
          const { code: productCode } = product.product
          const page = { productCode, fieldId: field.id, items, page: 1, perPage: 100, total: items.length }
          check(optionsView(page))
          check(optionsFor('2024-01-01', optionsView(page), product))
        }
      }
    })
  })

  it('the data of events', () => {
    const [group, category, product, option] = [
      checker(GroupEventData),
      checker(CategoryEventData),
      checker(ProductEventData),
      checker(OptionEventData),
    ]
    forEverySnapshot((snapshot) => {
      for (const each of snapshot.groups) group(groupEventData(each))
      for (const each of snapshot.categories) category(categoryEventData(each))
      for (const each of snapshot.products.values()) {
        product(productEventData(each, '6010001'))
        for (const field of each.product.fields) {
          for (const one of each.options(field.id)) option(optionEventData(each, one))
        }
      }
    })
  })

  it('billers, sub-products and the product list', () => {
    const [listItem, biller, subProduct] = [checker(ProductListItem), checker(Biller), checker(SubProduct)]
    forEverySnapshot((snapshot) => {
      for (const each of productListItems(snapshot, [...snapshot.products.values()])) listItem(each)
      for (const product of snapshot.products.values()) {
        for (const field of product.product.fields) {
          for (const each of product.options(field.id)) {
            biller(billerItem(each))
            subProduct(subProductItem(product, field, each))
          }
        }
      }
    })
  })
})

it('every shared schema has a name of its own', () => {
  const collector = createSchemaCollector()
  const all = [
    CatalogResponse,
    OptionsResponse,
    BillersResponse,
    ProductListResponse,
    SubProductsResponse,
    ProductEventData,
    OptionEventData,
    CategoryEventData,
    GroupEventData,
  ]
  for (const schema of all) collector.convert(schema)
  expect(Object.keys(collector.components())).toContain('Money')
})
