import { resolve } from 'node:path'
import type { MasterKey } from '../lib/secrets/sealing.ts'
import type { ReadSetting, SettingProblem } from './reader.ts'

/** Source of the master key: the environment, or a generated 0600 file beside the embedded database. */
export type MasterKeySource =
  | { kind: 'given'; current: MasterKey; next: MasterKey | undefined }
  | { kind: 'file'; path: string }

export function readMasterKey(
  read: ReadSetting,
  place: { environment: 'staging' | 'production'; isExternal: boolean; dataDir: string },
  problems: SettingProblem[],
): MasterKeySource {
  const known = problems.length
  const current = read('WARUNG_MASTER_KEY')
  const isMissing = current === undefined && problems.length === known
  const next = read('WARUNG_MASTER_KEY_NEXT')
  if (current !== undefined) return { kind: 'given', current, next }
  if (isMissing) {
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
