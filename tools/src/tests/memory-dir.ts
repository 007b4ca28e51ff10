import { accessSync, constants, statfsSync } from 'node:fs'
import { freemem } from 'node:os'

const MEMORY_DIR = '/dev/shm'
/** Several times as much as the test cluster has needed: its write-ahead log and two dozen databases. */
const FREE_BYTES_MIN = 4 * 1024 ** 3

/** Finds a directory in memory with enough room for the test cluster, as Linux has one. */
export function findMemoryDir(): string | undefined {
  try {
    accessSync(MEMORY_DIR, constants.W_OK)
    const { bavail, bsize } = statfsSync(MEMORY_DIR)
    return Math.min(bavail * bsize, freemem()) >= FREE_BYTES_MIN ? MEMORY_DIR : undefined
  } catch {
    // There is none, or it is closed to this user.
    return undefined
  }
}
