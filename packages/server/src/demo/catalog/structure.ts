import { picturePath } from '../../modules/catalog/model/pictures.rules.ts'
import type { Category, Group } from '../../modules/catalog/model/types.ts'

type Draft = {
  readonly code: string
  readonly name: string
  readonly categories: Readonly<Record<string, string>>
}

const DRAFTS: readonly Draft[] = [
  {
    code: 'MOBILE',
    name: 'Mobile',
    categories: {
      PREPAID_RELOAD: 'Prepaid reload',
      MOBILE_DATA: 'Mobile data',
      DATA_OFFERS: 'Offers for your number',
      PREPAID_PIN: 'Prepaid PIN',
      POSTPAID: 'Postpaid bill',
    },
  },
  {
    code: 'BILLS',
    name: 'Bills',
    categories: {
      BILL_PAYMENT: 'All billers',
      ELECTRICITY: 'Electricity',
      WATER: 'Water',
      GAS: 'Gas',
      INTERNET_TV: 'Internet and TV',
      COUNCIL: 'Local council',
    },
  },
  {
    code: 'EDUCATION',
    name: 'Education',
    categories: { STUDENT_LOAN: 'Student loan', SCHOOL_FEES: 'School fees' },
  },
  {
    code: 'GAMES',
    name: 'Games',
    categories: { GAME_CREDIT: 'Game credit', GAME_PIN: 'Game PIN' },
  },
  {
    code: 'GIFT_CARDS',
    name: 'Gift cards',
    categories: { SHOPPING: 'Shopping', STREAMING: 'Music and films' },
  },
  {
    code: 'TRAVEL',
    name: 'Travel',
    categories: { ESIM: 'eSIM', TRANSPORT: 'Transport and parking' },
  },
  { code: 'EWALLETS', name: 'E-wallets', categories: { EWALLET_RELOAD: 'E-wallet reload' } },
  {
    code: 'VOUCHERS',
    name: 'Vouchers',
    categories: { FOOD: 'Food and drink', ENTERTAINMENT: 'Entertainment' },
  },
  {
    code: 'FINANCE',
    name: 'Financial services',
    categories: {
      INSURANCE: 'Insurance',
      FINANCING: 'Financing',
      DONATION: 'Donations',
      FUND_DISBURSEMENT: 'Fund disbursement',
    },
  },
]

export const DEMO_GROUPS: readonly Group[] = DRAFTS.map(({ code, name }, index) => ({
  code,
  name,
  iconUrl: picturePath('groups', code),
  displayOrder: index + 1,
  isActive: true,
}))

export const DEMO_CATEGORIES: readonly Category[] = DRAFTS.flatMap(({ code: groupCode, categories }) =>
  Object.entries(categories).map(([code, name], index) => ({
    code,
    groupCode,
    name,
    iconUrl: picturePath('categories', code),
    displayOrder: index + 1,
    isActive: true,
  })),
)
