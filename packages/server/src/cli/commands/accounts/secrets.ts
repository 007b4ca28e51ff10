import type { MasterKeySource } from '../../../config/master-key.ts'
import { addDataKey, rewrapDataKeys } from '../../../db/vault.ts'
import type { MasterKey } from '../../../lib/secrets/sealing.ts'
import { generateMasterKey } from '../../../lib/secrets/sealing.ts'
import { readMasterKeyFile, writeMasterKeyFile } from '../../../master-key-file.ts'
import type { Runtime } from '../../../runtime.ts'
import type { Call, Command, Output } from '../../command.ts'
import { recorded } from '../../record.ts'
import { whileKeysAreLocked } from '../money/sql.ts'

export const secretCommands: readonly Command[] = [
  {
    name: 'master-key rotate',
    isLong: true,
    summary: 'wrap every data key under a new master key',
    details: `If the master key is a file beside the embedded database, a new one is generated and the old one
is removed; a running service goes on without interruption.

If WARUNG_MASTER_KEY is set: first give every node the new key as WARUNG_MASTER_KEY_NEXT (make it
with: openssl rand -base64 32) and restart it, then run this, then move that value into
WARUNG_MASTER_KEY everywhere and leave WARUNG_MASTER_KEY_NEXT out.`,
    options: {},
    async run(call) {
      const runtime = await call.runtime()
      const rewrap = rewrapperOf(call)
      return whileKeysAreLocked(runtime.database, () => rotateMasterKey(runtime, rewrap))
    },
  },
  {
    name: 'data-key rotate',
    summary: 'seal new secrets under a new data key; old ones can still be opened',
    options: {},
    async run(call) {
      const runtime = await call.runtime()
      const masterKeyId = await whileKeysAreLocked(runtime.database, async () => {
        const key = await wrappingKey(runtime.config.masterKey)
        return recorded(call, { action: 'data_key.rotate' }, async (tx) => {
          const target = { kind: 'data_key', id: String(await addDataKey(tx, key)) }
          return { target, before: null, after: { master_key_id: key.id }, result: key.id }
        })
      })
      return {
        json: { master_key_id: masterKeyId },
        text: `A new data key, wrapped by master key ${masterKeyId}, seals every secret made from now on.`,
      }
    },
  },
]

type Rewrap = (current: readonly MasterKey[], next: MasterKey) => Promise<number>

function rotateMasterKey(runtime: Runtime, rewrap: Rewrap): Promise<Output> {
  const source = runtime.config.masterKey
  return source.kind === 'file' ? rotateFile(source.path, rewrap) : rotateGiven(source, rewrap)
}

/** Returns the number of data keys that were wrapped anew. */
function rewrapperOf(call: Call): Rewrap {
  return (current, next) =>
    recorded(call, { action: 'master_key.rotate' }, async (_tx, database) => {
      const count = await rewrapDataKeys(database, current, next)
      return {
        target: { kind: 'master_key', id: next.id },
        before: { master_key_id: current[0]?.id ?? null },
        after: { master_key_id: next.id, data_keys_rewrapped: count },
        result: count,
      }
    })
}

/**
 * Rotates the key in the file. Both keys are in it until nothing needs the old one, so that a crash at any point loses
 * nothing.
 */
async function rotateFile(path: string, rewrap: Rewrap): Promise<Output> {
  const current = await readMasterKeyFile(path)
  const next = generateMasterKey()
  await writeMasterKeyFile(path, [next, ...current])
  const count = await rewrap(current, next)
  await writeMasterKeyFile(path, [next])
  return rotated(next, count, `${path} holds the new key.`)
}

async function rotateGiven(
  { current, next }: Extract<MasterKeySource, { kind: 'given' }>,
  rewrap: Rewrap,
): Promise<Output> {
  if (next === undefined) {
    throw new Error(
      'set WARUNG_MASTER_KEY_NEXT to the new key, here and on every node; make it with: openssl rand -base64 32',
    )
  }
  if (next.id === current.id) throw new Error('WARUNG_MASTER_KEY_NEXT is the same key as WARUNG_MASTER_KEY')
  const count = await rewrap([current], next)
  return rotated(
    next,
    count,
    'Now put the value of WARUNG_MASTER_KEY_NEXT into WARUNG_MASTER_KEY on every node, and leave\n' +
      'WARUNG_MASTER_KEY_NEXT out.',
  )
}

function rotated(next: MasterKey, count: number, then: string): Output {
  return {
    json: { master_key_id: next.id, data_keys_rewrapped: count },
    text: `Wrapped ${count} data key(s) under master key ${next.id}.\n${then}`,
  }
}

/** Returns the key that will remain after a rotation in progress. */
async function wrappingKey(source: MasterKeySource): Promise<MasterKey> {
  if (source.kind === 'given') return source.next ?? source.current
  const [first] = await readMasterKeyFile(source.path)
  if (first === undefined) throw new Error(`${source.path} is gone`)
  return first
}
