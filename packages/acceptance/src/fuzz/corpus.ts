import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { FuzzCase } from './cases.ts'

// Requests that once broke a rule, one small file each. They are sent again in every run.

const CORPUS = fileURLToPath(new URL('corpus/', import.meta.url))

type Stored = Omit<FuzzCase, 'body'> & {
  /** Rule that the request broke when it was found. */
  readonly problem: string
  readonly text?: string
  readonly base64?: string
  readonly gzip?: string
}

export type Kept = FuzzCase & { readonly file: string; readonly problem: string }

const TEXT_MAX = 4_000

/** Writes a request to a directory; the same request has one file. Returns its name. */
export function keepCase(fuzzCase: FuzzCase, problem: string, directory = CORPUS): string {
  const { body, ...rest } = fuzzCase
  const stored: Stored = { problem: problem.slice(0, 500), ...rest, ...storedBody(body) }
  const content = `${JSON.stringify(stored, null, 2)}\n`
  const name = `${rest.operation}-${createHash('sha256').update(content).digest('hex').slice(0, 10)}.json`
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, name), content)
  return name
}

function storedBody(body: Buffer | undefined): Pick<Stored, 'text' | 'base64' | 'gzip'> {
  if (body === undefined) return {}
  if (body.length > TEXT_MAX) return { gzip: gzipSync(body).toString('base64') }
  const text = body.toString('utf8')
  return Buffer.from(text).equals(body) ? { text } : { base64: body.toString('base64') }
}

function bodyIn({ text, base64, gzip }: Stored): Buffer | undefined {
  if (text !== undefined) return Buffer.from(text)
  if (base64 !== undefined) return Buffer.from(base64, 'base64')
  return gzip === undefined ? undefined : gunzipSync(Buffer.from(gzip, 'base64'))
}

export function readCorpus(directory = CORPUS): Kept[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((file) => {
      const { text, base64, gzip, ...rest } = JSON.parse(
        readFileSync(join(directory, file), 'utf8'),
      ) as Stored
      return { ...rest, file, body: bodyIn({ ...rest, text, base64, gzip } as Stored) }
    })
}
