import { stat } from 'node:fs/promises'
import type { GroupConfig } from '../../config/groups.ts'
import { readGroupsFile } from '../../config/groups.ts'
import type { Config } from '../../config.ts'
import type { Schedule } from '../../lib/repeat.ts'
import { repeat } from '../../lib/repeat.ts'

const LOOK_MS = 1_000

export type GroupsFileFollower = {
  /** Takes the list of a changed file. */
  onListed(groups: readonly GroupConfig[]): void
  /** Called at each look, whether or not the file was changed. */
  onLook(): Promise<void>
  /** Called once for each change that cannot be used. */
  onProblem(problem: string): void
}

/** Reads the file of groups again when it changes. One that cannot be read, or lists something wrong, changes nothing. */
export function followGroupsFile(
  config: Pick<Config, 'groupsFile' | 'environment' | 'publicUrl'>,
  follower: GroupsFileFollower,
  everyMs = LOOK_MS,
): Schedule {
  const { groupsFile } = config
  if (groupsFile === undefined) return { stop: async () => {} }
  const mark = async () => {
    const found = await stat(groupsFile, { bigint: true }).catch(() => undefined)
    return found === undefined ? 'gone' : `${found.ino} ${found.size} ${found.mtimeNs}`
  }
  let known: string | undefined
  return repeat(
    everyMs,
    async () => {
      const now = await mark()
      // The first look takes the file as it is now: it may have changed since the start read it.
      if (now !== known) {
        known = now
        const read = readGroupsFile(groupsFile, config)
        if (typeof read === 'string') follower.onProblem(read)
        else follower.onListed(read.groups)
      }
      await follower.onLook()
    },
    (error) => follower.onProblem(String(error)),
  )
}
