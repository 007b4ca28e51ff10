/** Languages in which people of a reseller get their mails. */
export const MAIL_LANGUAGES = ['en', 'ms', 'id', 'zh', 'ta'] as const
export type MailLanguage = (typeof MAIL_LANGUAGES)[number]

/** Parts of a mail about something that happened. `whose` names the company with its account. */
type News<Values extends readonly string[]> = {
  readonly subject: (...values: Values) => string
  readonly happened: (whose: string, ...values: Values) => string
  readonly todo: string
}

/** Sentence about earlier notices that one mail covers too. */
type Earlier = { readonly earlier: (times: number) => string }

/** Every text of the mails to a reseller's people, in one language. */
export type MailWords = {
  readonly account: (account: string) => string
  readonly facts: {
    readonly balance: string
    readonly threshold: string
    readonly time: string
    readonly lasts: string
    readonly amount: string
    readonly entry: string
    readonly bankReference: string
    readonly reason: string
    readonly depositRequest: string
    readonly sentTo: string
    readonly error: string
    readonly failingSince: string
    readonly request: string
    readonly reference: string
    readonly state: string
    readonly message: string
    readonly runOf: string
    readonly lines: string
    readonly unpaid: string
    readonly cost: string
  }
  /** How long a balance lasts; `days` undefined: longer than anybody plans. */
  readonly forecast: (days: number | undefined, perDay: string) => string
  readonly low: News<[threshold: string, balance: string]> & Earlier
  readonly deposit: News<[amount: string]> & Earlier
  readonly refused: News<[amount: string]> & Earlier
  readonly streams: {
    readonly callback: string
    readonly catalog: string
    readonly balance: string
    readonly other: string
  }
  readonly failed: News<[stream: string]>
  readonly paused: News<[stream: string]>
  readonly news: News<[number: string, state: string]>
  readonly kinds: { readonly dispute: string; readonly void: string }
  readonly states: {
    readonly open: string
    readonly in_progress: string
    readonly resolved: string
    readonly refused: string
  }
  /** A file of payments that is paid at its times; `name` is that of the file. */
  readonly schedule: Earlier & {
    readonly named: (name: string) => string
    readonly unnamed: string
    readonly ran: News<[name: string, paid: string, lines: string]>
    readonly stopped: News<[name: string, reason: string]>
    readonly reasons: {
      readonly member: string
      readonly account: string
      readonly not_allowed: string
      readonly balance: string
      readonly limit: string
      readonly product: string
      readonly price: string
      readonly unavailable: string
      readonly late: string
    }
  }
  readonly token: (token: string) => string
  readonly forPrograms: (request: string) => string
  readonly reset: {
    readonly subject: string
    readonly asked: (login: string) => string
    readonly once: string
  }
  readonly portalOf: (company: string) => string
  readonly invitation: {
    readonly subject: (where: string) => string
    readonly invites: (who: string, where: string) => string
    readonly login: (login: string) => string
    readonly choose: string
    readonly once: string
  }
}
