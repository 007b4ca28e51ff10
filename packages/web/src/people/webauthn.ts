import type {
  NewPasskeyRequest,
  PasskeyChallenge,
  PasskeyRegistration,
  PasskeySignInRequest,
} from '../api/portal.generated.ts'

// Passkeys of the browser. Its own functions read the service's options and write the answer as JSON.

/** Reason why the browser gave no passkey. */
type PasskeyReason = 'dismissed' | 'elsewhere' | 'known'

export class PasskeyProblem extends Error {
  override readonly name = 'PasskeyProblem'
  readonly reason: PasskeyReason
  /** Name of the host that passkeys belong to. */
  readonly host: string

  constructor(reason: PasskeyReason, host: string) {
    super(reason)
    this.reason = reason
    this.host = host
  }
}

/** Tells whether this browser can use passkeys on this page. */
export function offersPasskeys(): boolean {
  return (
    typeof PublicKeyCredential === 'function' &&
    typeof PublicKeyCredential.parseCreationOptionsFromJSON === 'function' &&
    typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function'
  )
}

/** Lets the device make a passkey. */
export async function makePasskey({
  options,
}: PasskeyRegistration['data']): Promise<NewPasskeyRequest['credential']> {
  const host = options.rp.id
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const made = await ask(host, () => navigator.credentials.create({ publicKey }))
  return made as NewPasskeyRequest['credential']
}

/** Lets the person choose a passkey, and the device sign with it. */
export async function signWithPasskey({
  options,
}: PasskeyChallenge['data']): Promise<PasskeySignInRequest['credential']> {
  const host = options.rpId
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const signed = await ask(host, () => navigator.credentials.get({ publicKey }))
  return signed as PasskeySignInRequest['credential']
}

async function ask(host: string, work: () => Promise<Credential | null>): Promise<unknown> {
  if (!belongsTo(location.hostname, host)) throw new PasskeyProblem('elsewhere', host)
  try {
    const credential = await work()
    if (!(credential instanceof PublicKeyCredential)) throw new PasskeyProblem('dismissed', host)
    return credential.toJSON()
  } catch (error) {
    throw problemOf(error, host)
  }
}

function belongsTo(hostname: string, host: string): boolean {
  return hostname === host || hostname.endsWith(`.${host}`)
}

function problemOf(error: unknown, host: string): unknown {
  if (!(error instanceof DOMException)) return error
  if (error.name === 'InvalidStateError') return new PasskeyProblem('known', host)
  if (error.name === 'SecurityError') return new PasskeyProblem('elsewhere', host)
  return new PasskeyProblem('dismissed', host)
}
