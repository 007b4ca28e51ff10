import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

// Authenticator in software: a P-256 key, attestation "none", and every value that a test may want to be wrong.

export type CreationOptions = {
  challenge: string
  rp: { id: string }
  user: { id: string }
  excludeCredentials: { id: string }[]
}
export type RequestOptions = { challenge: string; rpId: string }

/** Values that a dishonest device or page puts in place of the right ones. */
export type Lies = {
  origin?: string
  rpId?: string
  challenge?: string
  type?: string
  /** Count of signatures; by default one more than before. */
  counter?: number
  isVerified?: boolean
  userHandle?: string | null
  credentialId?: string
  signature?: string
}

export type Authenticator = {
  readonly credentialId: string
  create(options: CreationOptions, lies?: Lies): object
  get(options: RequestOptions, lies?: Lies): object
}

const PRESENT = 0x01
const VERIFIED = 0x04
const HAS_KEY = 0x40

export function newAuthenticator(origin: string): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(32)
  const credentialId = id.toString('base64url')
  let counter = 0
  let userHandle = ''
  const countOf = (lies: Lies) => {
    counter += 1
    return lies.counter ?? counter
  }
  return {
    credentialId,
    create({ challenge, rp, user }, lies = {}) {
      userHandle = user.id
      const cose = Buffer.concat([
        Buffer.from('a5010203262001215820', 'hex'),
        Buffer.from(x, 'base64url'),
        Buffer.from('225820', 'hex'),
        Buffer.from(y, 'base64url'),
      ])
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const data = Buffer.concat([
        dataOf(lies.rpId ?? rp.id, HAS_KEY, countOf(lies), lies),
        Buffer.alloc(16),
        length,
        id,
        cose,
      ])
      return {
        id: credentialId,
        rawId: credentialId,
        type: 'public-key',
        clientExtensionResults: {},
        authenticatorAttachment: 'platform',
        response: {
          clientDataJSON: clientData('webauthn.create', challenge, origin, lies).toString('base64url'),
          attestationObject: attestationOf(data).toString('base64url'),
          transports: ['internal', 'hybrid'],
          publicKeyAlgorithm: -7,
        },
      }
    },
    get({ challenge, rpId }, lies = {}) {
      const client = clientData('webauthn.get', challenge, origin, lies)
      const data = dataOf(lies.rpId ?? rpId, 0, countOf(lies), lies)
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
      const signature = sign('sha256', signed, privateKey).toString('base64url')
      const shown = lies.credentialId ?? credentialId
      return {
        id: shown,
        rawId: shown,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: lies.signature ?? signature,
          userHandle: lies.userHandle === undefined ? userHandle : lies.userHandle,
        },
      }
    },
  }
}

function clientData(type: string, challenge: string, origin: string, lies: Lies): Buffer {
  const data = {
    type: lies.type ?? type,
    challenge: lies.challenge ?? challenge,
    origin: lies.origin ?? origin,
    crossOrigin: false,
  }
  return Buffer.from(JSON.stringify(data))
}

function dataOf(rpId: string, flags: number, counter: number, { isVerified = true }: Lies): Buffer {
  const tail = Buffer.alloc(5)
  tail.writeUInt8(PRESENT | (isVerified ? VERIFIED : 0) | flags, 0)
  tail.writeUInt32BE(counter, 1)
  return Buffer.concat([createHash('sha256').update(rpId).digest(), tail])
}

/** Encodes { fmt: 'none', attStmt: {}, authData } as CBOR. */
function attestationOf(data: Buffer): Buffer {
  const head = Buffer.alloc(3)
  head.writeUInt8(0x59, 0)
  head.writeUInt16BE(data.length, 1)
  return Buffer.concat([
    Buffer.from([0xa3]),
    text('fmt'),
    text('none'),
    text('attStmt'),
    Buffer.from([0xa0]),
    text('authData'),
    head,
    data,
  ])
}

function text(value: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)])
}
