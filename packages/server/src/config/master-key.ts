import { resolve } from 'node:path'
import type { MasterKey } from '../lib/secrets/sealing.ts'
import { isGuessable, parseMasterKey } from '../lib/secrets/sealing.ts'
import type { SettingProblem } from './reader.ts'
import { present } from './reader.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Source of the master key: the environment, or a generated 0600 file beside the embedded database. */
export type MasterKeySource =
  | { kind: 'given'; current: MasterKey; next: MasterKey | undefined }
  | { kind: 'file'; path: string }

export function readMasterKey(
  env: Env,
  place: { environment: 'staging' | 'production'; isExternal: boolean; dataDir: string },
  problems: SettingProblem[],
): MasterKeySource {
  const current = readKey(env, 'WARUNG_MASTER_KEY', problems)
  const next = readKey(env, 'WARUNG_MASTER_KEY_NEXT', problems)
  if (current !== undefined) return { kind: 'given', current, next }
  if (!present(env.WARUNG_MASTER_KEY)) {
    if (next !== undefined)
      problems.push(['WARUNG_MASTER_KEY_NEXT', 'only meaningful beside WARUNG_MASTER_KEY'])
    if (place.environment === 'production') {
      problems.push(['WARUNG_MASTER_KEY', 'production needs one; make it with: openssl rand -base64 32'])
    } else if (place.isExternal) {
      problems.push([
        'WARUNG_MASTER_KEY',
        'an external database needs one (nodes must share it); make it with: openssl rand -base64 32',
      ])
    }
  }
  return { kind: 'file', path: resolve(place.dataDir, 'master.key') }
}

function readKey(env: Env, name: string, problems: SettingProblem[]): MasterKey | undefined {
  const text = env[name]
  if (!present(text)) return undefined
  const key = parseMasterKey(text)
  if (key === undefined) problems.push([name, `must be Base64 of exactly 32 bytes`])
  else if (isGuessable(key)) {
    problems.push([name, `is not random; make it with: openssl rand -base64 32`])
    return undefined
  }
  return key
}
