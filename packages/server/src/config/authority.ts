import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { SettingProblem } from './reader.ts'
import { present } from './reader.ts'

/** Reads the authority that local work trusts beside the public ones. */
export function readAuthority(
  env: Readonly<Record<string, string | undefined>>,
  problems: SettingProblem[],
): { readonly path: string; readonly pem: string } | undefined {
  const path = env.WARUNG_OUTBOUND_CA
  if (!present(path)) return undefined
  try {
    const pem = readFileSync(path, 'utf8')
    new X509Certificate(pem)
    return { path, pem }
  } catch {
    problems.push(['WARUNG_OUTBOUND_CA', 'must be the path of a readable file with a certificate in PEM'])
    return undefined
  }
}
