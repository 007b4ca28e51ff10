import { createHmac, timingSafeEqual } from 'node:crypto'
import { bodyHash, canonicalString, signRequest } from '@warung/sdk'
import type { Command, Context } from '../command.ts'
import { text } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { readAll, UsageError } from '../io.ts'
import type { Explanation } from '../signature/explain.ts'
import { explainSignature } from '../signature/explain.ts'
import { contentOf } from './reads.ts'

const PARTS = {
  data: { type: 'string', short: 'd', value: 'TEXT', text: 'body; @FILE reads a file, - reads stdin' },
  timestamp: { type: 'string', value: 'SECONDS', text: 'X-Timestamp' },
  nonce: { type: 'string', value: 'TEXT', text: 'X-Nonce' },
} as const

type Parts = {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly body?: string
}

async function partsOf({ io, positionals, values }: Context): Promise<Parts> {
  const [method, path] = positionals
  if (method === undefined || path === undefined) {
    throw new UsageError(
      'Give the request: METHOD PATH, such as GET "/v2/options?field_id=amount&product_code=NOVA"',
    )
  }
  const at = path.indexOf('?')
  const data = text(values, 'data')
  return {
    method: method.toUpperCase(),
    path,
    query: at < 0 ? '' : path.slice(at + 1),
    ...(data !== undefined && { body: await contentOf(io, data) }),
  }
}

export const sign: Command = {
  name: 'sign',
  summary: 'Show how a request is signed, step by step, and send nothing',
  args: 'METHOD PATH',
  options: PARTS,
  async run(context) {
    const { values, print } = context
    const parts = await partsOf(context)
    const { profile } = await context.connect()
    const timestamp = text(values, 'timestamp') ?? String(Math.floor(Date.now() / 1_000))
    const nonce = text(values, 'nonce') ?? crypto.randomUUID().replaceAll('-', '')
    const input = { ...parts, timestamp, nonce }
    const headers = await signRequest({
      ...input,
      apiKey: profile.api_key,
      signingSecret: profile.signing_secret,
    })
    const steps = { body_hash: await bodyHash(parts.body), canonical_string: await canonicalString(input) }
    const curl = curlOf(`${profile.base_url}${parts.path}`, parts, headers)
    print.one({ ...steps, headers, curl }, { ...steps, ...headers, curl })
    return EXIT.ok
  },
}

function curlOf(url: string, { method, body }: Parts, headers: Readonly<Record<string, string>>): string {
  const quote = (value: string) => `'${value.replaceAll("'", "'\\''")}'`
  const lines = Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`)
  const content =
    body === undefined ? [] : ["-H 'Content-Type: application/json'", `--data-binary ${quote(body)}`]
  return ['curl', '-X', method, ...lines, ...content, quote(url)].join(' ')
}

export const explain: Command = {
  name: 'explain-signature',
  summary: 'Find what is wrong with a signature of your own',
  args: '[METHOD PATH]',
  options: {
    ...PARTS,
    yours: {
      type: 'string',
      value: 'TEXT',
      text: 'canonical string as your program signs it; - reads stdin',
    },
    ours: {
      type: 'string',
      value: 'TEXT',
      text: "the service's, from debug.canonical_string, instead of METHOD PATH",
    },
    signature: {
      type: 'string',
      value: 'v1=…',
      text: 'X-Signature that your program sends, to check it too',
    },
  },
  details: [
    'Compares your canonical string with the right one, names the part that differs and the usual mistake behind it.',
    'Timestamp and nonce are taken from your text where they are not given.',
  ],
  async run(context) {
    const { io, values, print } = context
    const given = text(values, 'yours')
    if (given === undefined)
      throw new UsageError('explain-signature needs --yours, the text that your program signs.')
    const yours = given === '-' ? (await readAll(io.input)).replace(/\n$/, '') : given
    const ours = text(values, 'ours') ?? (await rightText(context, yours))
    const explained = explainSignature(ours, yours)
    const signature = text(values, 'signature')
    const verdict =
      signature === undefined || !explained.equal ? explained : await judgeSignature(context, ours, signature)
    print.one(verdict, rowsOf(verdict))
    return verdict.equal ? EXIT.ok : EXIT.refused
  },
}

function rowsOf({ equal, difference, mistake, advice }: Explanation) {
  if (difference === null)
    return { equal: equal ? 'yes' : 'no', ...(mistake !== null && { mistake }), advice }
  return {
    equal: 'no',
    part: difference.part,
    place: `line ${difference.line}, column ${difference.column}`,
    right: difference.ours,
    yours: difference.yours ?? '(your text does not have the six parts)',
    mistake: mistake ?? 'none of the usual ones',
    advice,
  }
}

async function rightText(context: Context, yours: string): Promise<string> {
  const parts = await partsOf(context)
  const [, time = '', nonce = ''] = yours.split(/[:\n|]/)
  const seconds = /^\d{10}/.exec(time)?.[0] ?? String(Math.floor(Date.now() / 1_000))
  return canonicalString({
    ...parts,
    timestamp: text(context.values, 'timestamp') ?? seconds,
    nonce: text(context.values, 'nonce') ?? nonce,
  })
}

/** Judges a signature over the right text: the usual mistakes are an undecoded secret and another encoding. */
async function judgeSignature(context: Context, canonical: string, signature: string): Promise<Explanation> {
  const { profile } = await context.connect()
  const mac = (key: Buffer) => createHmac('sha256', key).update(canonical, 'utf8').digest()
  const right = mac(Buffer.from(profile.signing_secret, 'base64'))
  const undecoded = mac(Buffer.from(profile.signing_secret, 'utf8'))
  const wrong = (mistake: string, advice: string): Explanation => ({
    equal: false,
    difference: null,
    mistake,
    advice,
  })
  if (isEqual(signature, `v1=${right.toString('base64')}`)) {
    return { equal: true, difference: null, mistake: null, advice: 'The signature is right.' }
  }
  const given = signature.replace(/^v1=/i, '')
  if (given === undecoded.toString('base64')) {
    return wrong('secret_not_decoded', 'Decode the secret from Base64, and use its bytes as the key.')
  }
  if (given.toLowerCase() === right.toString('hex')) {
    return wrong('signature_in_hex', 'Write the 32 bytes of the HMAC in Base64, not in hexadecimal.')
  }
  if (given === right.toString('base64url') || given === right.toString('base64').replace(/=+$/, '')) {
    return wrong('signature_base64_variant', 'Write ordinary Base64, with + and / and the = at the end.')
  }
  if (given === right.toString('base64')) return wrong('version_missing', 'Put "v1=" before the signature.')
  return wrong(
    'other_secret',
    'The signature is by another secret than that of this profile, or of another text.',
  )
}

function isEqual(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)]
  return one.length === other.length && timingSafeEqual(one, other)
}
