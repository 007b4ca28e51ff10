import {
  ConnectionFailed,
  InvalidPayment,
  ServiceFault,
  ServiceUnavailable,
  UnknownOutcome,
  WarungError,
} from '@warung/sdk'
import { UsageError } from './io.ts'

/** Exit codes, for scripts. */
export const EXIT = {
  ok: 0,
  refused: 1,
  usage: 2,
  paymentFailed: 3,
  unknownOutcome: 4,
  noCredentials: 5,
  unreachable: 6,
} as const

export const EXIT_TEXTS: readonly (readonly [code: number, meaning: string])[] = [
  [EXIT.ok, 'done'],
  [EXIT.refused, 'the service refused it, or something is wrong with it'],
  [EXIT.usage, 'the command was called wrongly'],
  [EXIT.paymentFailed, 'the payment exists and failed; its money is back in the wallet'],
  [EXIT.unknownOutcome, 'nobody knows yet whether it was done: run it again with the same refid'],
  [EXIT.noCredentials, 'there are no credentials: warung login'],
  [EXIT.unreachable, 'the service cannot be reached, or failed'],
]

/** No profile and no credentials in the environment. */
export class NoCredentials extends Error {
  override readonly name = 'NoCredentials'
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError || error instanceof InvalidPayment) return EXIT.usage
  if (error instanceof NoCredentials) return EXIT.noCredentials
  if (error instanceof UnknownOutcome) return EXIT.unknownOutcome
  const isDown = [ConnectionFailed, ServiceFault, ServiceUnavailable].some((kind) => error instanceof kind)
  return isDown ? EXIT.unreachable : EXIT.refused
}

/** Describes an error in a few lines: what, why, what to do, and the request to quote. */
export function describeError(error: unknown): string {
  if (!(error instanceof WarungError)) return error instanceof Error ? error.message : String(error)
  const problems = error instanceof InvalidPayment ? error.problems : []
  return [
    `${error.message} (${[error.token, error.code].filter((part) => part !== undefined).join(' ')})`,
    ...problems.map(({ field, message }) => `  ${field}: ${message}`),
    ...fieldLines(error),
    ...(error.remedy === undefined ? [] : [`  ${error.remedy}`]),
    ...(error.requestId === undefined ? [] : [`  request ${error.requestId}`]),
  ].join('\n')
}

function fieldLines(error: WarungError): string[] {
  const { errors = {} } = error as { errors?: Readonly<Record<string, readonly string[]>> }
  return Object.entries(errors).map(([field, texts]) => `  ${field}: ${texts.join(' ')}`)
}
