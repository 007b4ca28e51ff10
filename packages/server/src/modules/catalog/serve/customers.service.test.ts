import { expect, it } from 'vitest'
import {
  overlayProduct,
  PERCENTAGE,
  RINGGIT,
  sampleBase,
  sampleLevel,
  sampleOption,
  sampleOverlay,
  sampleProduct,
  sampleView,
  selectField,
  textField,
} from '../../../testing/catalog/catalog-samples.ts'
import type { DynamicOption } from '../../providers/port/types.ts'
import { compileLevel, compileSnapshot } from '../model/compile.rules.ts'
import { createCatalogAnswers } from './answers.service.ts'
import { createCustomerCatalog } from './customers.service.ts'
import { readCustomerOptionsParameters, readFormOptionsParameters } from './parameters.rules.ts'

// An adjustment of before that leaves nothing of the smallest amount: RM 5 − 5, and RM 10 − 5.

const offers = selectField({
  dataSource: { type: 'dynamic', dependsOn: [], params: { product_code: { static: 'OFFERS' } } },
})
const base = sampleBase({
  products: [sampleProduct(), sampleProduct({ code: 'OFFERS', fields: [textField(), offers] })],
  listed: [5n, 10n].map((ringgit) =>
    sampleOption({ code: `N${ringgit}`, denomination: ringgit * RINGGIT, displayOrder: Number(ringgit) }),
  ),
})
const level = compileLevel(base, sampleLevel({ NOVA: PERCENTAGE, OFFERS: PERCENTAGE }), {
  base: '1',
  level: '1',
})
const adjustment = { type: 'fixed', value: -5n * RINGGIT } as const
const overlay = sampleOverlay({
  products: ['NOVA', 'OFFERS'].map((code) => overlayProduct({ code, adjustment })),
})
const snapshot = compileSnapshot(level, sampleView({ overlay }))

const dynamicOption = (ringgit: bigint): DynamicOption => ({
  code: `N${ringgit}`,
  label: `RM ${ringgit}`,
  description: null,
  accountNumber: null,
  denomination: ringgit * RINGGIT,
  validity: null,
  features: null,
})

const answers = createCatalogAnswers({ snapshotFor: () => snapshot } as never, {
  list: async () => [5n, 10n].map(dynamicOption),
})
const reseller = { id: 1n, priceLevel: 'STANDARD' }

function codesIn({ identity }: { readonly identity: Buffer }): string[] {
  const wire = JSON.parse(identity.toString()) as { items?: { code: string }[]; data?: typeof wire }
  return (wire.data ?? wire).items?.map(({ code }) => code) ?? []
}

it.each(['NOVA', 'OFFERS'])(
  'an option of %s without a price is offered neither in the checkout nor on the till',
  async (code) => {
    const query = { product_code: code, field_id: 'amount' }
    const customer = { reseller, choice: null, beforeQuestion: () => {} }
    const inCheckout = await createCustomerCatalog({ answers, isInterrupted: () => false }).options(
      customer,
      readCustomerOptionsParameters(query),
    )
    expect(codesIn(inCheckout)).toEqual(['N10'])
    const release = { release: '2026-09-16' } as const
    expect(codesIn(await answers.options(reseller, readFormOptionsParameters(query), release))).toEqual([
      'N10',
    ])
  },
)
