import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { ReadSetting, SettingProblem } from './reader.ts'

/** Reads the authority that local work trusts beside the public ones. */
export function readAuthority(
  read: ReadSetting,
  problems: SettingProblem[],
): { readonly path: string; readonly pem: string } | undefined {
  const path = read('WARUNG_OUTBOUND_CA')
  if (path === undefined) return undefined
  try {
    const pem = readFileSync(path, 'utf8')
    new X509Certificate(pem)
    return { path, pem }
  } catch {
    problems.push(['WARUNG_OUTBOUND_CA', 'must be the path of a readable file with a certificate in PEM'])
    return undefined
  }
}
