import { configOfGroup } from '../../../config/groups.ts'
import type { Config } from '../../../config.ts'
import type { Call } from '../../command.ts'
import { UsageError } from '../../command.ts'

/** Place of the name in the commands about a group. */
export const NAME = {
  name: 'name',
  value: 'NAME',
  help: 'the group, of those that WARUNG_GROUPS lists',
} as const

export function chosenConfig(call: Call): Config {
  const name = call.find('name')
  const config = call.config()
  const given = config.groups.find((group) => group.name === name)
  if (given !== undefined) return configOfGroup(config, given)
  const listed = config.groups.map((group) => group.name).join(', ') || 'none'
  throw new UsageError(`give the NAME of a group; WARUNG_GROUPS lists: ${listed}`)
}
