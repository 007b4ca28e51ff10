/** Tells once that time is up. An AbortSignal is one; lighter ones cost less where there are thousands a second. */
export type EndSignal = {
  readonly aborted: boolean
  addEventListener(type: 'abort', listener: () => void, options?: { once: boolean }): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/** One request to a server that is not ours. */
export type OutboundRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  /** An answer with a longer body is refused, and its connection ended. */
  readonly answerBytesMax: number
  /**
   * Who asks for no more than the answer's status: a longer body is cut instead of refused, of a compressed one nothing
   * is kept, nor are the headers.
   */
  readonly cutsAnswer?: boolean
  /** Connections to the same origin at the same time; who finds none free waits for one. */
  readonly connectionsMax: number
  /** Nothing that another exchange left on a connection can then be taken for its answer. */
  readonly ownConnection?: boolean
  /** Who gave the URL, where it is one of many strangers: an owner of many dead names holds up nobody else's. */
  readonly owner?: string
  /** A name that does not resolve is looked up again for so long, since nothing was sent; left out: it is not. */
  readonly resolvesWithinMs?: number
  /** The deadline of the whole exchange: waiting, connecting, headers and body. */
  readonly signal: EndSignal
  /**
   * On performance.now's clock: later than this no first byte leaves. Judged in the same step that writes it, since the
   * timer behind a signal runs late in a process that was frozen.
   */
  readonly notAfterMs?: number
}

/** Where an exchange broke off. */
export type FailureStage =
  | 'refused_address'
  | 'not_connected'
  | 'tls'
  | 'lost'
  | 'timeout'
  | 'too_large'
  | 'too_late'

/** What came of it; a redirect is an answer like any other. */
export type OutboundResult =
  | {
      readonly kind: 'answered'
      readonly status: number
      /** In lower case; of a repeated one, the values joined by ', '. */
      readonly headers: Readonly<Record<string, string>>
      readonly body: Buffer
    }
  | {
      readonly kind: 'failed'
      readonly stage: FailureStage
      /** False only when it is certain that no byte of the request left this process. */
      readonly wasSent: boolean
      /** For people. Holds nothing that was sent or received. */
      readonly reason: string
    }

export type Outbound = {
  /** Never rejects: what goes wrong is a result. */
  send(request: OutboundRequest): Promise<OutboundResult>
  /** Why nothing would ever be sent there, as far as the URL alone tells; undefined: it may be. */
  refusalOf(url: string): string | undefined
  /** Lets what is under way end, and closes every connection. */
  close(): Promise<void>
}
