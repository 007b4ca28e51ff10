import { readFile } from 'node:fs/promises'
import { replacePrivateFile } from './lib/secrets/private-file.ts'
import type { MasterKey } from './lib/secrets/sealing.ts'
import { isGuessable, parseMasterKey } from './lib/secrets/sealing.ts'

/** Reads one Base64 key a line, the one in use first; a second line exists only while a rotation is under way. */
export async function readMasterKeyFile(path: string): Promise<MasterKey[]> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line, index) => {
      const key = parseMasterKey(line.trim())
      if (key === undefined) throw new Error(`${path}: line ${index + 1} is not Base64 of 32 bytes`)
      if (isGuessable(key)) throw new Error(`${path}: line ${index + 1} is not a random key`)
      return key
    })
}

/** Replaces the file in one step: a reader sees the old keys or the new ones, never a part. */
export async function writeMasterKeyFile(path: string, keys: readonly MasterKey[]): Promise<void> {
  await replacePrivateFile(path, `${keys.map((key) => key.bytes.toString('base64')).join('\n')}\n`)
}
