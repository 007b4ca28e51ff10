import type { FORM } from '@warung/forms/texts'
import type { LIMITS } from '../limits/messages.ts'
import type { ACCOUNT } from '../people/account-messages.ts'
import type { PEOPLE } from '../people/messages.ts'
import type { BULK } from '../portal/bulk/messages.ts'
import type { SCHEDULES } from '../portal/bulk/schedule-messages.ts'
import type { CASE_WORDS, CASES } from '../portal/cases/messages.ts'
import type { CATALOG } from '../portal/catalog/messages.ts'
import type { DEPOSITS } from '../portal/deposits/messages.ts'
import type { CHECKLIST } from '../portal/developers/checklist.ts'
import type { ACCESS, EVENTS, KEYS, START } from '../portal/developers/messages.ts'
import type { PURPOSE } from '../portal/developers/purpose-messages.ts'
import type { DEVICE } from '../portal/device/messages.ts'
import type { AMOUNTS, PORTAL } from '../portal/messages.ts'
import type { ORDER, ORDER_WORDS, ORDERS } from '../portal/orders/messages.ts'
import type { PLAYGROUND } from '../portal/orders/playground-messages.ts'
import type { SETTINGS } from '../portal/orders/settings-messages.ts'
import type { ATTENTION, OVERVIEW } from '../portal/overview/messages.ts'
import type { PAYMENTS } from '../portal/payments/messages.ts'
import type { PAYMENT } from '../portal/payments/payment-messages.ts'
import type { RECEIPT } from '../portal/payments/receipt-messages.ts'
import type { REPORTS } from '../portal/reports/messages.ts'
import type { REQUESTS } from '../portal/requests/messages.ts'
import type { BASKET } from '../portal/sell/basket/messages.ts'
import type { SELL } from '../portal/sell/messages.ts'
import type { SCAN } from '../portal/sell/scan/messages.ts'
import type { SHARED_TILLS } from '../portal/shared-tills/messages.ts'
import type { RECONCILIATION, STATEMENT } from '../portal/statement/messages.ts'
import type { namesOf } from '../portal/states.ts'
import type { ACCESS_REQUESTS, TEAM } from '../portal/team/messages.ts'
import type { TILLS } from '../portal/tills/messages.ts'
import type { DELIVERIES, WEBHOOKS } from '../portal/webhooks/messages.ts'
import type { SHELL } from '../shell/messages.ts'
import type { Translated } from '../text/language.ts'
import type { WORDS } from '../text/messages.ts'
import type { CASE_TEXTS, REMARKS } from '../text/remarks.ts'
import type { UI } from '../ui/messages.ts'

/**
 * Every dictionary that the portal shows. A language has all of them. Explanations
 * of refused requests are left out: they are the service's own, in English, which their readers program in.
 */
type Dictionaries = {
  readonly ACCESS: typeof ACCESS
  readonly ACCESS_REQUESTS: typeof ACCESS_REQUESTS
  readonly ACCOUNT: typeof ACCOUNT
  readonly AMOUNTS: typeof AMOUNTS
  readonly ATTENTION: typeof ATTENTION
  readonly BASKET: typeof BASKET
  readonly BULK: typeof BULK
  readonly SCHEDULES: typeof SCHEDULES
  readonly CASES: typeof CASES
  readonly CASE_TEXTS: typeof CASE_TEXTS
  readonly CASE_WORDS: typeof CASE_WORDS
  readonly CATALOG: typeof CATALOG
  readonly CHECKLIST: typeof CHECKLIST
  readonly DELIVERIES: typeof DELIVERIES
  readonly DEPOSITS: typeof DEPOSITS
  readonly DEVICE: typeof DEVICE
  readonly EVENTS: typeof EVENTS
  readonly FORM: typeof FORM
  readonly KEYS: typeof KEYS
  readonly LIMITS: typeof LIMITS
  readonly ORDER: typeof ORDER
  readonly ORDERS: typeof ORDERS
  readonly ORDER_WORDS: typeof ORDER_WORDS
  readonly OVERVIEW: typeof OVERVIEW
  readonly PAYMENT: typeof PAYMENT
  readonly PAYMENTS: typeof PAYMENTS
  readonly PEOPLE: typeof PEOPLE
  readonly PLAYGROUND: typeof PLAYGROUND
  readonly PORTAL: typeof PORTAL
  readonly PURPOSE: typeof PURPOSE
  readonly RECEIPT: typeof RECEIPT
  readonly RECONCILIATION: typeof RECONCILIATION
  readonly REMARKS: typeof REMARKS
  readonly REPORTS: typeof REPORTS
  readonly REQUESTS: typeof REQUESTS
  readonly SCAN: typeof SCAN
  readonly SELL: typeof SELL
  readonly SETTINGS: typeof SETTINGS
  readonly SHARED_TILLS: typeof SHARED_TILLS
  readonly SHELL: typeof SHELL
  readonly START: typeof START
  readonly STATEMENT: typeof STATEMENT
  readonly TEAM: typeof TEAM
  readonly TILLS: typeof TILLS
  readonly UI: typeof UI
  readonly WEBHOOKS: typeof WEBHOOKS
  readonly WORDS: typeof WORDS
}

type Kind = Parameters<typeof namesOf>[0]

/** Words of states, by what has them. */
type StateWords = {
  readonly [K in Kind]: Readonly<Record<ReturnType<typeof namesOf<K>>[number], string>>
}

/**
 * Texts of a language. One that is missing is shown in English, and `tools/src/tree/languages.test.ts` fails: a page can
 * be written in English and Malay first, and no release offers a language in parts.
 */
type Partly<T> = {
  readonly [K in keyof T]?: T[K] extends (...values: never[]) => unknown
    ? T[K]
    : T[K] extends string
      ? string
      : Partly<T[K]>
} & { readonly [further: string]: unknown }

export type PortalTexts = {
  readonly [Name in keyof Dictionaries]: Partly<Translated<Dictionaries[Name]['en']>>
} & { readonly STATES: Partly<StateWords> }
