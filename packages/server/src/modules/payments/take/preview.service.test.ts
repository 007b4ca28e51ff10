import { describe, expect, it } from 'vitest'
import { sampleReseller } from '../../../testing/accounts.ts'
import {
  moneyField,
  moneyProduct,
  overlayProduct,
  PERCENTAGE,
  RINGGIT,
  sampleBase,
  sampleLevel,
  sampleOverlay,
  textField,
} from '../../../testing/catalog/catalog-samples.ts'
import type { Account, Body } from '../../../testing/payments/judging.ts'
import {
  BILL,
  billerWhere,
  compileAccount,
  compileDemoAccount,
  FIRST,
  inputFor,
  productOf,
  SECOND,
} from '../../../testing/payments/judging.ts'
import {
  createScriptedProvider,
  providersOf,
  SUCCEEDED,
} from '../../../testing/providers/scripted-provider.ts'
import type { DirectoryReseller } from '../../accounts/types.ts'
import { EMPTY_STATE } from '../../catalog/model/state.rules.ts'
import type { DynamicOptionsRequest } from '../../providers/port/types.ts'
import type { Providers } from '../../providers/registry.service.ts'
import { simulatedOptions } from '../../providers/simulator/options.rules.ts'
import type { Preview } from './preview.service.ts'
import { createPreviews } from './preview.service.ts'

const RESELLER: DirectoryReseller = sampleReseller()

type Setting = {
  readonly account?: Account
  readonly reseller?: Partial<DirectoryReseller>
  readonly providers?: Providers
  readonly isStopped?: (productCode: string) => boolean
  readonly answers?: (question: DynamicOptionsRequest) => Promise<readonly never[]>
}

/** Opens previews for an account, with the questions that its supplier was asked. */
function previewsFor({ account = FIRST, ...setting }: Setting) {
  const asked: DynamicOptionsRequest[] = []
  const previews = createPreviews({
    catalog: { snapshotFor: () => account as never, base: () => EMPTY_STATE.base },
    providers: setting.providers ?? providersOf(createScriptedProvider(SUCCEEDED)),
    dynamicOptions: {
      async list(question) {
        asked.push(question)
        if (setting.answers !== undefined) return setting.answers(question)
        const answer = await simulatedOptions.listOptions(question, new AbortController().signal)
        return answer.kind === 'found' ? answer.options : []
      },
    },
    isStaging: false,
    ...(setting.isStopped === undefined ? {} : { isStopped: setting.isStopped }),
  })
  return { previews, asked, reseller: { ...RESELLER, ...setting.reseller } }
}

async function offerOf(body: Body, setting: Setting = {}): Promise<Preview> {
  const { previews, reseller } = previewsFor(setting)
  const { request } = await inputFor(setting.account ?? FIRST, body)
  return previews.previewOffer(reseller, request)
}

async function previewsOf(bodies: readonly Body[], setting: Setting = {}) {
  const { previews, reseller, asked } = previewsFor(setting)
  const inputs = await Promise.all(bodies.map((body) => inputFor(setting.account ?? FIRST, body)))
  return {
    made: await previews.preview(
      reseller,
      inputs.map(({ request }) => request),
    ),
    asked,
  }
}

/** Returns `44 Invalid_Product`, or `accepted` with the code of the plan. */
function verdictOf({ judgement }: Preview): string {
  if (judgement.kind === 'accepted') return `accepted ${judgement.decision.planCode ?? ''}`.trimEnd()
  return `${judgement.rejection.code} ${judgement.rejection.remarks}`
}

describe('an offer whose account and extras are still to be typed', () => {
  it.each([
    ['NOVA', 10, undefined, 'accepted NOVA10'],
    ['NOVA', 7, undefined, '58 Invalid_Denomination'],
    ['NOVA', 10, 'NOVA5', '44 Option code does not match amount'],
    ['NOVAD', 10, undefined, '44 Several plans available for this amount and a plan code is needed'],
    ['NOVAD', 10, 'ND10W', 'accepted ND10W'],
    ['KITA', 7.77, undefined, 'accepted'],
    ['KITA', 4.99, undefined, '58 Invalid_Denomination'],
    ['KITA', 500.01, undefined, '58 Invalid_Denomination'],
    ['EDULOAN', 50, undefined, 'accepted'],
    ['NOPE', 10, undefined, '44 Invalid_Product'],
    ['OLDONE', 10, undefined, '44 Product_Unavailable'],
  ])('an offer of %s for %d with plan %s: %s', async (product, amount, code, expected) => {
    const body = { product, amount, account: 'not typed yet', extras: { subproduct_code: code } }
    expect(verdictOf(await offerOf(body))).toBe(expected)
  })

  it('an offer is decided with the terms that its payment will have', async () => {
    const { judgement, price, isChecked } = await offerOf({ product: 'KITA', amount: 10 })
    const [payment] = (await previewsOf([{ product: 'KITA', amount: 10 }])).made
    expect(judgement).toEqual(payment?.judgement)
    expect(judgement).toMatchObject({
      kind: 'accepted',
      decision: { productCode: 'KITA', amount: 10n * RINGGIT, planCode: null },
    })
    expect([price, isChecked]).toEqual([payment?.price, true])
  })

  it('an offer of a plan that only one account has is refused: nobody knows its price yet', async () => {
    const { asked, previews, reseller } = previewsFor({})
    const { request } = await inputFor(FIRST, { product: 'NOVAMY', amount: 15 })
    expect(verdictOf(previews.previewOffer(reseller, request))).toBe('58 Invalid_Denomination')
    expect(asked).toEqual([])
  })

  it('an offer to a suspended reseller is refused as its payment is, before its product is looked at', async () => {
    const reseller = { status: 'suspended' } as const
    expect(verdictOf(await offerOf({ product: 'NOVA', amount: 10 }, { reseller }))).toBe(
      '41 Account_Suspended',
    )
    expect(verdictOf(await offerOf({ product: 'NOPE', amount: 10 }, { reseller }))).toBe(
      '41 Account_Suspended',
    )
  })

  it('an offer of a product that a notice stops is refused', async () => {
    const isStopped = (code: string) => code === 'NOVA'
    expect(verdictOf(await offerOf({ product: 'NOVA', amount: 10 }, { isStopped }))).toBe(
      '44 Product_Unavailable',
    )
    expect(verdictOf(await offerOf({ product: 'KITA', amount: 10 }, { isStopped }))).toBe('accepted')
  })

  it('an offer keeps to the limits of the biller that it names', async () => {
    const biller = productOf(FIRST, 'BILLPAY')
      .options('biller')
      .find(({ option }) => option.maxAmount === 1_000n * RINGGIT)
    const extras = { biller_code: biller?.option.code }
    expect(verdictOf(await offerOf({ ...BILL, extras, amount: 1_000 }))).toBe('accepted')
    expect(verdictOf(await offerOf({ ...BILL, extras, amount: 1_000.01 }))).toBe('58 Invalid_Denomination')
    const free = { biller_code: billerWhere(({ maxAmount }) => maxAmount === null) }
    expect(verdictOf(await offerOf({ ...BILL, extras: free, amount: 1_000.01 }))).toBe('accepted')
  })

  it('an offer that would cost nothing is refused', async () => {
    const product = moneyProduct({ fields: [textField(), moneyField({ validation: {} })] })
    const wholesale = { ...PERCENTAGE, discountType: 'fixed', unitPrice: -100_000_000n } as const
    const account = compileAccount(sampleBase({ products: [product] }), sampleLevel({ KITA: wholesale }))
    expect(verdictOf(await offerOf({ product: 'KITA', amount: 1 }, { account }))).toBe(
      '58 Invalid_Denomination',
    )
    expect(verdictOf(await offerOf({ product: 'KITA', amount: 1.01 }, { account }))).toBe('accepted')
  })

  it('an offer without an amount is a fault of the caller, and is never priced', async () => {
    await expect(offerOf({ product: 'KITA', amount: 'x' })).rejects.toThrow(
      'an offer without product or amount was judged',
    )
  })

  it.each([
    ['nobody fulfils', { kind: 'none' }, '44 Product_Unavailable'],
    ['nobody fulfils just now', { kind: 'closed', passedOver: [] }, '49 Temporary_Error_Please_Try_Again'],
  ] as const)('an offer of a product that %s is refused, without a price', async (_, choice, expected) => {
    const providers = { ...providersOf(), choose: () => choice }
    const offer = await offerOf({ product: 'KITA', amount: 10 }, { providers })
    expect(verdictOf(offer)).toBe(expected)
    expect(offer.price).toBeNull()
  })
})

describe('the price of a preview', () => {
  it('is none where a stored adjustment leaves nothing of the amount, and the payment itself is accepted', async () => {
    const nova = overlayProduct({ code: 'NOVA', adjustment: { type: 'fixed', value: -99n * RINGGIT } })
    const kita = overlayProduct({ code: 'KITA', adjustment: { type: 'fixed', value: -10n * RINGGIT } })
    const account = compileDemoAccount('STANDARD', { overlay: sampleOverlay({ products: [nova, kita] }) })
    const lines = [
      { product: 'NOVA', amount: 5 },
      { product: 'KITA', amount: 10 },
      { product: 'KITA', amount: 11 },
    ]
    const { made } = await previewsOf(lines, { account })
    expect(made.map(verdictOf)).toEqual([expect.stringMatching('accepted'), 'accepted', 'accepted'])
    expect(made.map(({ price }) => price)).toEqual([null, null, RINGGIT])
  })

  it('is that of the chosen option, or the account’s own price of the typed amount', async () => {
    const { made } = await previewsOf(
      [
        { product: 'NOVA', amount: 10 },
        { product: 'RIMBA', amount: 10 },
      ],
      { account: SECOND },
    )
    const option = productOf(SECOND, 'NOVA')
      .options('amount')
      .find(({ option: { denomination } }) => denomination === 10n * RINGGIT)
    expect(made[0]?.price).toBe(option?.money?.price)
    const overlay = sampleOverlay({
      products: [overlayProduct({ code: 'KITA', adjustment: { type: 'fixed', value: 5_000n } })],
    })
    const account = compileDemoAccount('STANDARD', { overlay })
    const [typed] = (await previewsOf([{ product: 'KITA', amount: 10 }], { account })).made
    expect(typed?.price).toBe(10n * RINGGIT + 5_000n)
  })

  it('is none where the payment would be refused', async () => {
    const [refused] = (await previewsOf([{ product: 'NOVA', amount: 7 }])).made
    expect(refused).toMatchObject({ price: null, isChecked: true, judgement: { kind: 'rejected' } })
  })
})

describe('a preview of plans that only one account has', () => {
  const own = { product: 'NOVAMY', amount: 15 }

  it('asks the supplier once for each account, and judges with the answer', async () => {
    const other = { ...own, account: '60123456000' }
    const { made, asked } = await previewsOf([own, own, other, { product: 'NOVA', amount: 10 }])
    expect(made.map(verdictOf)).toEqual([
      'accepted P15',
      'accepted P15',
      '58 Invalid_Denomination',
      'accepted NOVA10',
    ])
    expect(asked.map(({ accountNumber }) => accountNumber)).toEqual(['60123456789', '60123456000'])
    expect(made.every(({ isChecked }) => isChecked)).toBe(true)
  })

  it('is not checked, and has no price, where the supplier does not answer', async () => {
    const { made } = await previewsOf([own, { product: 'NOVA', amount: 10 }], {
      answers: () => Promise.reject(new Error('the line is dead')),
    })
    expect(made[0]).toMatchObject({ price: null, isChecked: false })
    expect(made[1]).toMatchObject({ isChecked: true, judgement: { kind: 'accepted' } })
  })
})
