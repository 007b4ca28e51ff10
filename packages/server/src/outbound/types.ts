/** Signals once that time is up. An AbortSignal is one; lighter ones cost less where there are thousands a second. */
export type EndSignal = {
  readonly aborted: boolean
  addEventListener(type: 'abort', listener: () => void, options?: { once: boolean }): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/** Request to a server that is not ours. */
export type OutboundRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer | undefined
  /** Limit of the answer's body. A longer one is refused, and its connection ended. */
  readonly answerBytesMax: number
  /**
   * Cuts a longer body instead of refusing it, for callers that need only the status. A compressed body and the headers
   * are not kept.
   */
  readonly cutsAnswer?: boolean
  /** Limit of connections to the same origin at the same time; a request that finds none free waits for one. */
  readonly connectionsMax: number
  /** Uses a new connection, so that no bytes left by another exchange can be taken for its answer. */
  readonly ownConnection?: boolean
  /** Owner of the URL, where it is one of many strangers: an owner of many dead names delays no other owner's. */
  readonly owner?: string
  /**
   * Time for which a name that does not resolve is looked up again, since nothing was sent; when left out, it is not.
   */
  readonly resolvesWithinMs?: number
  /** Deadline of the whole exchange: waiting, connecting, headers and body. */
  readonly signal: EndSignal
  /**
   * Latest time for the first byte, on leaseNowMs's clock. It is checked in the same step that writes the byte,
   * since the timer behind a signal runs late in a process that was frozen.
   */
  readonly notAfterMs?: number
}

/** Stage at which an exchange failed. */
export type FailureStage =
  | 'refused_address'
  | 'not_connected'
  | 'tls'
  | 'lost'
  | 'timeout'
  | 'too_large'
  | 'too_late'

/** Result of an exchange; a redirect is an answer like any other. */
export type OutboundResult =
  | {
      readonly kind: 'answered'
      readonly status: number
      /** Headers in lower case; the values of a repeated one are joined by ', '. */
      readonly headers: Readonly<Record<string, string>>
      readonly body: Buffer
    }
  | {
      readonly kind: 'failed'
      readonly stage: FailureStage
      /** False only when it is certain that no byte of the request left this process. */
      readonly wasSent: boolean
      /** Reason for people. It holds nothing that was sent or received. */
      readonly reason: string
    }

export type Outbound = {
  /** Sends a request; never rejects, since every failure is a result. */
  send(request: OutboundRequest): Promise<OutboundResult>
  /** Returns why nothing would ever be sent there, as far as the URL alone tells; undefined when it may be. */
  refusalOf(url: string): string | undefined
  /** Waits for the requests under way, and closes every connection. */
  close(): Promise<void>
}
