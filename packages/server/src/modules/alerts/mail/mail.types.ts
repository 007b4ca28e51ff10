/** Kinds of mail that a member can switch on and off. */
export const MAIL_KINDS = ['balance.low', 'deposit', 'delivery', 'case', 'schedule'] as const
export type MailKind = (typeof MAIL_KINDS)[number]

/** Kinds of notices to members, which wait until mails are made from them. Amounts are in 1/10,000 ringgit. */
export const NOTICE_KINDS = [
  'balance.low',
  'deposit',
  'deposit.refused',
  'delivery.failed',
  'endpoint.paused',
  'case',
  'schedule',
] as const
export type NoticeKind = (typeof NOTICE_KINDS)[number]

export type Notice = {
  readonly id: bigint
  readonly resellerId: bigint
  readonly kind: NoticeKind
  readonly data: Readonly<Record<string, unknown>>
  readonly createdAt: Date
  /** True: it waited because its account had enough letters of its kind. */
  readonly isHeld: boolean
}

/** Content of a mail, without its recipient. */
export type Letter = { readonly subject: string; readonly body: string }

export type NewMail = Letter & {
  /** null: a mail to operators. */
  readonly resellerId: bigint | null
  readonly kind: string
  readonly recipient: string
}

export const MAIL_STATUSES = ['waiting', 'sent', 'failed', 'dropped'] as const
/** dropped: there was no way to send it until it was of no use any more. */
export type MailStatus = (typeof MAIL_STATUSES)[number]

export type Mail = NewMail & {
  readonly id: bigint
  /** Id of the mail for its receiver, equal in every attempt. */
  readonly key: string
  readonly status: MailStatus
  readonly attempts: number
  readonly error: string
  readonly createdAt: Date
  readonly finishedAt: Date | null
  /** Sealed body of a mail that carries a secret, such as a token; `body` is then empty. */
  readonly sealedBody: Buffer | null
}

/** Mail that a node has claimed, to send it. */
export type ClaimedMail = Mail & { readonly holder: string }

/** Result of one attempt. The reasons are for people. */
export type SendResult =
  | { readonly kind: 'sent' }
  /** Permanent: a later attempt would fail too. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** Temporary, for this mail only. */
  | { readonly kind: 'postponed'; readonly reason: string }
  /** Temporary, for all mails. */
  | { readonly kind: 'unreachable'; readonly reason: string }

export type MailTransport = {
  /** Sends the mail. Never rejects. When the signal fires, it releases everything at once. */
  send(
    mail: Pick<Mail, 'recipient' | 'subject' | 'body' | 'key' | 'createdAt'>,
    signal: AbortSignal,
  ): Promise<SendResult>
}
