import { leadsIntoList, path } from './config-path.rules.ts'
import {
  containsUnaltered,
  HMAC_MEMBERS,
  headerName,
  readHmac,
  secret,
  timestampForm,
} from './config-request.rules.ts'
import type { Outcomes } from './config-response.rules.ts'
import { decidingPaths, decision, moneyPath, outputPaths, readOutput } from './config-response.rules.ts'
import type { Members, Reader, Site } from './reading.rules.ts'
import { below, complain, integer, isObject, oneOf, readMembers } from './reading.rules.ts'
import type {
  CallbackConfig,
  CallbackName,
  Decision,
  MoneyPath,
  Path,
  Verification,
  Vocabulary,
} from './types.ts'

// Reads the part of a configuration about callbacks, which the supplier sends by itself.

const CALLBACK_OUTCOMES: Outcomes<CallbackName> = {
  names: ['succeeded', 'failed', 'pending'],
  needed: ['succeeded'],
  mayBeAssumed: ['failed', 'pending'],
}

/** Values that a callback's signature can cover; `header.` is followed by a header's name in lower case. */
const SIGNED_WORDS: Vocabulary = { body: 'text', query: 'text', timestamp: 'text', 'header.': 'text' }

const NO_HMAC: Verification = { type: 'secret_header', header: '', secret: { secret: '' } }
const NO_CALLBACK: CallbackConfig = {
  verification: NO_HMAC,
  content: 'json',
  id: null,
  reference: [],
  outcome: null,
  reason: null,
  output: { serialNumber: null, pin: null, expiry: null, voucherLink: null, note: null },
  amount: null,
  positions: [],
}

/** `canAsk` means that the supplier can be queried about an order, so that a callback may be a mere hint. */
export function callback(canAsk: boolean): Reader<CallbackConfig> {
  return (value, site) =>
    readMembers<CallbackConfig>(
      value,
      site,
      ['verification', 'content', 'id', 'reference', 'outcome', 'reason', 'output', 'amount'],
      (members) => {
        const settled = outcome(
          members.has('outcome') ? members.optional<unknown>('outcome', asIs, null) : 'ask',
          { site: below(site, 'outcome'), canAsk },
        )
        const output = readOutput(members)
        const paths = settled === null ? [] : [...decidingPaths(settled), ...outputPaths(output)]
        return {
          ...readProven(members),
          id: members.optional<Path | null>('id', path, null),
          reference: members.required('reference', path) ?? [],
          outcome: settled,
          reason: members.optional<Path | null>('reason', path, null),
          output,
          amount: members.optional<MoneyPath | null>('amount', moneyPath, null),
          positions: paths.filter(leadsIntoList),
        }
      },
      NO_CALLBACK,
    )
}

/** Checks that the signature covers the part of the request that is read: anybody can write an unsigned part. */
function readProven(members: Members): Pick<CallbackConfig, 'verification' | 'content'> {
  const proof = members.required('verification', verification) ?? NO_HMAC
  const content = members.optional('content', oneOf('json', 'form', 'query'), 'json')
  const name = content === 'query' ? 'query' : 'body'
  if (proof.type === 'hmac' && proof.payload.length > 0 && !containsUnaltered(proof.payload, name)) {
    const message = `must hold {{${name}}} as it is: that is what is read`
    complain(below(below(members.site, 'verification'), 'payload'), message, 0)
  }
  return { verification: proof, content }
}

const asIs: Reader<unknown> = (value) => value

function outcome(
  value: unknown,
  { site, canAsk }: { site: Site; canAsk: boolean },
): Decision<CallbackName> | null {
  if (value !== 'ask') return decision(CALLBACK_OUTCOMES)(value, site)
  return canAsk ? null : complain(site, 'must be a table: without "query" the supplier cannot be asked', null)
}

const verification: Reader<Verification> = (value, site) => {
  if (!isObject(value)) return complain(site, 'must be an object', NO_HMAC)
  const type = oneOf('hmac', 'secret_header')(value.type, below(site, 'type'))
  if (type === 'secret_header') {
    return readMembers<Verification>(
      value,
      site,
      ['type', 'header', 'secret'],
      (members) => ({
        type,
        header: (members.required('header', headerName) ?? '').toLowerCase(),
        secret: members.required('secret', secret) ?? { secret: '' },
      }),
      NO_HMAC,
    )
  }
  return readMembers<Verification>(
    value,
    site,
    ['type', ...HMAC_MEMBERS, 'timestamp'],
    (members) => {
      const hmac = readHmac(members, SIGNED_WORDS)
      const isTimed = hmac.payload.some((part) => typeof part !== 'string' && part.name === 'timestamp')
      if (isTimed !== members.has('timestamp')) {
        const message = isTimed
          ? 'is missing: the payload holds {{timestamp}}'
          : 'proves nothing unless the payload holds {{timestamp}}'
        complain(below(site, 'timestamp'), message, 0)
      }
      return {
        type,
        ...hmac,
        header: hmac.header.toLowerCase(),
        timestamp: members.optional<CallbackTimestamp | null>('timestamp', callbackTimestamp, null),
      }
    },
    NO_HMAC,
  )
}

type CallbackTimestamp = NonNullable<Extract<Verification, { type: 'hmac' }>['timestamp']>

const TOLERANCE_SECONDS = 300
const TOLERANCE_SECONDS_MAX = 24 * 3_600

const callbackTimestamp: Reader<CallbackTimestamp> = (value, site) =>
  readMembers<CallbackTimestamp>(
    value,
    site,
    ['header', 'form', 'tolerance_seconds'],
    (members) => ({
      header: (members.required('header', headerName) ?? '').toLowerCase(),
      form: members.optional('form', timestampForm, 'unix'),
      toleranceMs:
        1_000 * members.optional('tolerance_seconds', integer(1, TOLERANCE_SECONDS_MAX), TOLERANCE_SECONDS),
    }),
    { header: '', form: 'unix', toleranceMs: 0 },
  )
