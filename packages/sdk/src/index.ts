export type { Called, CallInput, CallOptions, Client, Helpers, OperationMethods } from './client.ts'
export { createClient } from './client.ts'
export type { ErrorDetails, FieldErrors, Problem as FieldProblem, WebhookToken } from './errors.ts'
export {
  AuthenticationFailed,
  Conflict,
  ConnectionFailed,
  FeedGap,
  Forbidden,
  InvalidPayment,
  InvalidRequest,
  InvalidWebhook,
  NotFound,
  PaymentRejected,
  RefidConflict,
  remedyFor,
  ServiceFault,
  ServiceUnavailable,
  TooManyRequests,
  UnknownOutcome,
  WarungError,
} from './errors.ts'
export type { CursorStore, FollowOptions } from './feed.ts'
export type { BuildOptions, FieldValue, FormProduct, FormValues } from './forms.ts'
export { buildPayment } from './forms.ts'
export type { Arrival, Inbox, InboxStore, Verdict } from './inbox.ts'
export { createInbox } from './inbox.ts'
export type { TransactionsInput } from './lists.ts'
export type { Operations, Route } from './operations.generated.ts'
export { ROUTES } from './operations.generated.ts'
export type { PayAndWaitOptions, PayOptions } from './payments.ts'
export { isFinal } from './payments.ts'
export { POLL_SCHEDULE_MS } from './retry.ts'
export type { Attempt, ClientSettings, Fetch } from './settings.ts'
export type { Credentials, Query, QueryValue, SignatureHeaders, SignInput } from './signing.ts'
export {
  bodyHash,
  canonicalQuery,
  canonicalString,
  encodeQuery,
  signatureOf,
  signRequest,
} from './signing.ts'
export type * from './types.generated.ts'
export type {
  SignWebhookInput,
  VerifyOptions,
  WebhookEvent,
  WebhookRequest,
} from './webhooks.ts'
export { signWebhook, verifyBodySignature, verifyWebhook } from './webhooks.ts'
