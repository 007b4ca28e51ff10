import type { Environment } from '../../config.ts'
import type { Database } from '../../db/database.ts'
import { sqlSeverity } from '../../db/database.ts'
import type { Vault } from '../../db/vault.ts'
import { assert, RequestError } from '../../lib/errors.ts'
import { distinctAddresses } from '../../lib/mail-addresses.ts'
import { findResellerWithId } from '../accounts/public.sql.ts'
import type { Caller } from '../auth/types.ts'
import type { Catalog } from '../catalog/model/store.types.ts'
import { findPayment, findPaymentById } from '../payments/core/records.service.ts'
import { stateOf } from '../payments/core/states.rules.ts'
import type { Payment } from '../payments/core/types.ts'
import { parseNumber } from './listing.rules.ts'
import {
  asksProvider,
  copiesOf,
  DUE_AFTER_SECONDS,
  firstNote,
  notFinalYet,
  notRefundable,
  unknownTransaction,
} from './rules.ts'
import type { NewCase, OpenResult } from './sql.ts'
import { findCase, hasOpenCase, listCases, listCasesOfPayment, listMessages, openCase } from './sql.ts'
import type {
  Case,
  CaseFilter,
  CaseKind,
  CaseReport,
  SupportCommand,
  SupportRequest,
  SupportResult,
} from './types.ts'

export type Cases = {
  /**
   * Opens a case. It throws for requests that are not allowed. That the payment has ended or has a case already is a
   * result.
   */
  open(kind: CaseKind, caller: Caller, command: SupportCommand): Promise<SupportResult>
  /** Lists a page, newest first. `hasMore`: there are older ones. */
  list(resellerId: bigint, filter: CaseFilter): Promise<{ cases: Case[]; hasMore: boolean }>
  get(resellerId: bigint, number: string): Promise<CaseReport>
  /** Lists the cases of a payment, newest first. */
  listOfPayment(resellerId: bigint, paymentId: bigint): Promise<Case[]>
}

export type CasesSettings = {
  readonly database: Database
  readonly vault: Vault
  readonly catalog: Pick<Catalog, 'base'>
  readonly environment: Environment
  /** Called after a commit that wrote a message or an event. */
  readonly onCommitted: () => void
}

export function createCases(settings: CasesSettings): Cases {
  const { database } = settings
  return {
    open: (kind, caller, command) => open(settings, kind, caller, command),
    async list(resellerId, filter) {
      const found = await listCases(database, resellerId, { ...filter, limit: filter.limit + 1 })
      return { cases: found.slice(0, filter.limit), hasMore: found.length > filter.limit }
    },
    async get(resellerId, number) {
      const found =
        parseNumber(number) === undefined ? undefined : await findCase(database, resellerId, number)
      if (found === undefined) throw unknownCase()
      return (await reportOf(database, found)).report
    },
    listOfPayment: (resellerId, paymentId) => listPaymentCases(database, resellerId, paymentId),
  }
}

const MESSAGES_MAX = 500
const OF_PAYMENT_MAX = 20

/** Lists the cases of a payment, newest first. */
export function listPaymentCases(database: Database, resellerId: bigint, paymentId: bigint): Promise<Case[]> {
  return listCasesOfPayment(database, resellerId, paymentId, OF_PAYMENT_MAX)
}

/** Reads a case with its messages, and the account number by which people know its reseller. */
export async function reportOf(
  database: Database,
  found: Case,
): Promise<{ report: CaseReport; account: string }> {
  const messages = await listMessages(database, found, MESSAGES_MAX)
  const reseller = await findResellerWithId(database, found.resellerId)
  assert(reseller !== undefined, 'whoever opened a case exists')
  const report = { case: found, messages, copies: copiesOf(reseller.email, found.cc) }
  return { report, account: reseller.account }
}

export function unknownCase(): RequestError {
  return new RequestError({ status: 404, code: 'not_found', publicText: 'There is no such case.' })
}

async function open(
  settings: CasesSettings,
  kind: CaseKind,
  caller: Caller,
  command: SupportCommand,
): Promise<SupportResult> {
  const { database, environment } = settings
  const resellerId = caller.reseller.id
  const payment = await find(settings, resellerId, command)
  if (payment === undefined) throw unknownTransaction()
  const ended = endOf(payment)
  if (ended !== undefined) return ended
  if (kind === 'void' && !isRefundable(settings, payment.productCode)) {
    if (await hasOpenCase(database, payment)) return { kind: 'already_open', refid: payment.refid }
    throw notRefundable()
  }
  const isStaging = environment === 'staging'
  const asks = asksProvider(kind, payment.account, isStaging)
  const opened = await openWithRetry(database, {
    resellerId,
    paymentId: payment.id,
    kind,
    refid: payment.refid,
    cc: distinctAddresses(command.emails),
    refund: command.refund,
    memberId: caller.memberId,
    requestId: command.requestId,
    text: firstNote(command.refund),
    dueAfterSeconds: DUE_AFTER_SECONDS,
    isWorked: asks || !isStaging,
    asks,
  })
  switch (opened.verdict) {
    case 'already_open':
      return { kind: 'already_open', refid: payment.refid }
    case 'moved':
      // The payment had succeeded a moment ago, and a void is the only change from there.
      return { kind: 'voided_before', refid: payment.refid }
    case 'opened':
      settings.onCommitted()
      return { kind: 'opened', refid: payment.refid, number: opened.number }
  }
}

/**
 * Opens a case, and tries again when it is not known whether the commit happened: the second run finds the case of the
 * first.
 */
async function openWithRetry(database: Database, given: NewCase): Promise<OpenResult> {
  try {
    return await openCase(database, given)
  } catch (error) {
    if (sqlSeverity(error) === 'ERROR') throw error
    return openCase(database, given).catch((again: unknown) => {
      throw sqlSeverity(again) === 'ERROR' ? again : uncertain(again)
    })
  }
}

function uncertain(cause: unknown): RequestError {
  return new RequestError({
    status: 504,
    code: 'uncertain_outcome',
    publicText: 'It is not known whether a case was opened. Ask again.',
    cause,
  })
}

async function find(
  { database, vault }: CasesSettings,
  resellerId: bigint,
  { payment }: SupportRequest,
): Promise<Payment | undefined> {
  if (payment === undefined) return undefined
  return 'id' in payment
    ? findPaymentById(database, vault, resellerId, payment.id)
    : findPayment(database, vault, resellerId, payment.refid)
}

/** Returns why the payment cannot be reported or voided any more; undefined: it succeeded. */
function endOf({ code, refid }: Payment): SupportResult | undefined {
  switch (stateOf(code)) {
    case 'accepted':
    case 'processing':
      throw notFinalYet()
    case 'succeeded':
      return undefined
    case 'voided':
      return { kind: 'voided_before', refid }
    case 'failed':
      return { kind: 'failed_before', refid }
  }
}

/** Reads the present base catalog: it makes no difference whether the product is shown or still sold. */
function isRefundable({ catalog }: CasesSettings, productCode: string): boolean {
  return catalog.base().products.find(({ code }) => code === productCode)?.isRefundable === true
}
