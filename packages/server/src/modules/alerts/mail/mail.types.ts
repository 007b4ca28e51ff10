/** What a member can switch on and off. */
export const MAIL_KINDS = ['balance.low', 'deposit', 'delivery', 'case'] as const
export type MailKind = (typeof MAIL_KINDS)[number]

/** What members are told, as it waits for its mails to be made; amounts are of 1/10,000 ringgit. */
export const NOTICE_KINDS = ['balance.low', 'deposit', 'delivery.failed', 'endpoint.paused', 'case'] as const
export type NoticeKind = (typeof NOTICE_KINDS)[number]

export type Notice = {
  readonly id: bigint
  readonly resellerId: bigint
  readonly kind: NoticeKind
  readonly data: Readonly<Record<string, unknown>>
  readonly createdAt: Date
  /** It waited because its account had enough letters of its kind. */
  readonly isHeld: boolean
}

/** What one mail says; whom it goes to is another matter. */
export type Letter = { readonly subject: string; readonly body: string }

export type NewMail = Letter & {
  /** null: to operators. */
  readonly resellerId: bigint | null
  readonly kind: string
  readonly recipient: string
}

export const MAIL_STATUSES = ['waiting', 'sent', 'failed', 'dropped'] as const
/** dropped: nothing to send it with, until it was of no use any more. */
export type MailStatus = (typeof MAIL_STATUSES)[number]

export type Mail = NewMail & {
  readonly id: bigint
  /** Names the mail to its receiver, equal in every attempt. */
  readonly key: string
  readonly status: MailStatus
  readonly attempts: number
  readonly error: string
  readonly createdAt: Date
  readonly finishedAt: Date | null
  /** The body of one that carries what opens a door; `body` is empty then. */
  readonly sealedBody: Buffer | null
}

/** A mail that somebody has to itself, to send it. */
export type ClaimedMail = Mail & { readonly holder: string }

/** What came of one attempt; the reasons are for people. */
export type SendResult =
  | { readonly kind: 'sent' }
  /** For good: no later attempt would end otherwise. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** This mail, for now. */
  | { readonly kind: 'postponed'; readonly reason: string }
  /** No mail gets through just now. */
  | { readonly kind: 'unreachable'; readonly reason: string }

export type MailTransport = {
  /** Never rejects. When the signal fires, it lets go of everything at once. */
  send(
    mail: Pick<Mail, 'recipient' | 'subject' | 'body' | 'key' | 'createdAt'>,
    signal: AbortSignal,
  ): Promise<SendResult>
}
