import type { Field, Product } from '../../modules/catalog/model/types.ts'
import { EMAIL, PHONE, playerId, pricingSelect } from './fields.ts'
import type { DemoProduct, OptionDraft, Prices } from './make.ts'
import { amounts, fixed, fulfill, percentage, product, ringgit } from './make.ts'
import { OPEN_LINK } from './texts.ts'

// ── Games ──

type Unit = { readonly currency: string; readonly price: string; readonly word: string }

function gameCredit(
  code: string,
  name: string,
  unit: Unit,
  values: readonly number[],
  prices: Prices,
): DemoProduct {
  const fields = [playerId('Player ID'), pricingSelect(code, 'amount', 'Package')]
  return product({
    code,
    name,
    categoryCode: 'GAME_CREDIT',
    kind: 'game',
    unit,
    fields,
    fulfillment: fulfill(fields),
    options: amounts(code, values, (value) => `${value} ${unit.word}`),
    ...prices,
  })
}

const GEM = { currency: 'GEM', price: '0.05', word: 'gems' }
const COIN = { currency: 'COIN', price: '0.01', word: 'coins' }
const FUEL = { currency: 'FUEL', price: '0.0425', word: 'litres of fuel' }
const CRYSTAL = { currency: 'CRYSTAL', price: '0.0633', word: 'crystals' }
const TOKEN = { currency: 'TOKEN', price: '0.5', word: 'tokens' }

function gamePin(code: string, name: string, values: readonly number[], prices: Prices): DemoProduct {
  const fields = [pricingSelect(code, 'amount', 'Amount')]
  return product({
    code,
    name,
    categoryCode: 'GAME_PIN',
    kind: 'pin',
    processingTime: 'pin',
    fields,
    fulfillment: fulfill(fields),
    options: amounts(code, values),
    ...prices,
  })
}

export const GAMES: readonly DemoProduct[] = [
  gameCredit('GEMS', 'Permata Quest Gems', GEM, [60, 300, 980, 1_980, 3_280], fixed('0.10', '0.12')),
  gameCredit('NAGA', 'Naga Kingdom', COIN, [500, 1_000, 2_500, 5_000, 10_000], percentage('0.94', '0.935')),
  gameCredit('ROKET', 'Roket Racers', FUEL, [100, 250, 500, 1_000], percentage('0.93', '0.925')),
  gameCredit('ASTRAL', 'Astral Legends', CRYSTAL, [60, 180, 360, 720], percentage('0.945', '0.94')),
  gameCredit('KERIS', 'Keris Arena', TOKEN, [10, 20, 50, 100], fixed('0.20', '0.22')),
  gameCredit('BOLA', 'Bola Liga', COIN, [1_050, 2_200, 5_750], percentage('0.95', '0.945')),
  gamePin('PLAYPIN', 'Play Arena PIN', [10, 25, 50, 100], percentage('0.95', '0.945')),
  gamePin('ARENAPIN', 'Arena Wallet PIN', [20, 50, 100], fixed('0.80', '0.90')),
]

// ── Products with a link ──

type Card = {
  readonly categoryCode: string
  readonly kind: Product['kind']
  readonly account?: Field
  readonly unit?: { readonly currency: string; readonly price: string }
  readonly processingTime?: Product['processingTime']
  readonly note?: string
  readonly redemption?: string
  readonly options: readonly OptionDraft[]
}

function card(code: string, name: string, given: Card, prices: Prices): DemoProduct {
  const id = given.options[0]?.fieldId ?? 'amount'
  const fields = [given.account ?? EMAIL, pricingSelect(code, id, id === 'plan' ? 'Plan' : 'Amount')]
  const { account: _, ...rest } = given
  return product({
    code,
    name,
    processingTime: 'link',
    ...rest,
    fields,
    fulfillment: fulfill(fields),
    ...prices,
  })
}

const SHOP = { categoryCode: 'SHOPPING', kind: 'gift_card' } as const
const STREAM = { categoryCode: 'STREAMING', kind: 'gift_card' } as const

export const GIFT_CARDS: readonly DemoProduct[] = [
  card(
    'STORE',
    'Sakura Store Gift Card',
    {
      ...SHOP,
      unit: { currency: 'JPY', price: '0.0296' },
      options: amounts('STORE', [500, 1_000, 3_000, 5_000, 10_000], (value) => `JPY ${value}`),
      note: 'For accounts of the Japanese store.',
      redemption: OPEN_LINK,
    },
    percentage('0.965', '0.96'),
  ),
  card(
    'APPSHELF',
    'App Shelf Gift Card',
    {
      ...SHOP,
      unit: { currency: 'USD', price: '4.6543' },
      options: amounts('APPSHELF', [5, 10, 25, 50], (value) => `USD ${value}`),
    },
    percentage('0.97', '0.9675'),
  ),
  card(
    'PASAR',
    'Pasar Online Gift Card',
    { ...SHOP, options: amounts('PASAR', [20, 50, 100, 200]) },
    percentage('0.96', '0.955'),
  ),
  card(
    'BUKUGIFT',
    'Buku Bestari Gift Card',
    { ...SHOP, options: amounts('BUKUGIFT', [10, 30, 50]) },
    fixed('0.60', '0.70'),
  ),
  card(
    'KAINGIFT',
    'Kain Kita Gift Card',
    { ...SHOP, processingTime: '24_hours', options: amounts('KAINGIFT', [50, 100, 250]) },
    percentage('0.93', '0.92'),
  ),
  card(
    'STREAMGO',
    'Stream Go',
    {
      ...STREAM,
      kind: 'voucher',
      options: [
        membership('STREAMGO-1', '19.90', 'One month'),
        membership('STREAMGO-3', '54.90', 'Three months', '59.70'),
        membership('STREAMGO-12', '199', 'Twelve months', '238.80'),
      ],
    },
    percentage('0.94', '0.935'),
  ),
  card(
    'LAGUGO',
    'Lagu Go',
    { ...STREAM, options: amounts('LAGUGO', [15, 30, 90]) },
    percentage('0.95', '0.945'),
  ),
]

function membership(code: string, price: string, label: string, rrp?: string): OptionDraft {
  return {
    fieldId: 'plan',
    code,
    label,
    denomination: ringgit(price),
    rrp: rrp === undefined ? null : ringgit(rrp),
  }
}

/** Data plan. The catalogue shows no validity for the options of other products. */
function plan(code: string, price: string, label: string, validity: string, rrp?: string): OptionDraft {
  return { ...membership(code, price, label, rrp), validity }
}

const EAT = { categoryCode: 'FOOD', kind: 'voucher', account: PHONE } as const
const FUN = { categoryCode: 'ENTERTAINMENT', kind: 'voucher', account: PHONE } as const

export const VOUCHERS: readonly DemoProduct[] = [
  card(
    'KOPIKU',
    'Kopi Ku Voucher',
    { ...EAT, options: amounts('KOPIKU', [5, 10, 20]) },
    percentage('0.9', '0.89'),
  ),
  card(
    'NASIBOX',
    'Nasi Box Voucher',
    { ...EAT, options: amounts('NASIBOX', [10, 20, 50]) },
    percentage('0.92', '0.91'),
  ),
  card(
    'MANIS',
    'Manis Bakery Voucher',
    { ...EAT, options: amounts('MANIS', [10, 25]) },
    fixed('0.90', '1.00'),
  ),
  card(
    'WAYANG',
    'Wayang Cinemas',
    { ...FUN, options: amounts('WAYANG', [15, 30, 60]) },
    percentage('0.91', '0.9'),
  ),
  card(
    'TAMANRIA',
    'Taman Ria Park',
    { ...FUN, options: amounts('TAMANRIA', [45, 90]) },
    fixed('3.00', '3.50'),
  ),
]

const ESIM = { categoryCode: 'ESIM', kind: 'esim' } as const

export const ESIMS: readonly DemoProduct[] = [
  card(
    'ESIMGO',
    'eSIM Go',
    {
      ...ESIM,
      note: 'Open the link on the phone that is to use the eSIM.',
      options: [
        { ...plan('SG-3D', '12', 'Singapore 3 GB', '3 days'), features: ['3 GB', 'Data only'] },
        { ...plan('TH-7D', '24.50', 'Thailand 8 GB', '7 days', '29.90'), features: ['8 GB', 'Data only'] },
        { ...plan('JP-15D', '68', 'Japan 20 GB', '15 days'), features: ['20 GB', 'Hotspot'] },
      ],
    },
    percentage('0.88', '0.87'),
  ),
  card(
    'ESIMASIA',
    'eSIM Asia Pass',
    {
      ...ESIM,
      options: [
        { ...plan('ASIA-5', '39', 'Asia 5 GB', '30 days'), features: ['12 countries'] },
        { ...plan('ASIA-20', '99', 'Asia 20 GB', '30 days'), features: ['12 countries', 'Hotspot'] },
      ],
    },
    fixed('4.00', '4.50'),
  ),
]
