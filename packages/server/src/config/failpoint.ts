import type { FailpointAction, FailpointName } from '../lib/failpoints.ts'
import { FAILPOINT_SIGNALS, FAILPOINTS } from '../lib/failpoints.ts'
import type { SettingProblem } from './reader.ts'
import { present } from './reader.ts'

/** Place for crash tests: the name where the process ends or stops, and at which pass. */
export type FailpointConfig = {
  readonly name: FailpointName
  readonly times: number
  readonly action: FailpointAction
}

export function readFailpoint(
  env: Readonly<Record<string, string | undefined>>,
  environment: 'staging' | 'production',
  problems: SettingProblem[],
): FailpointConfig | undefined {
  const text = env.WARUNG_FAILPOINT
  if (!present(text)) return undefined
  if (environment === 'production')
    problems.push(['WARUNG_FAILPOINT', 'production refuses to crash on purpose'])
  const [name, times = '1', action = 'kill'] = text.split(':')
  const known = FAILPOINTS.find((each) => each === name)
  const isAction = Object.hasOwn(FAILPOINT_SIGNALS, action)
  if (known === undefined || !/^[1-9]\d{0,5}$/.test(times) || !isAction) {
    problems.push([
      'WARUNG_FAILPOINT',
      `must be one of ${FAILPOINTS.join(', ')}, and may end in :times or :times:stop`,
    ])
    return undefined
  }
  return { name: known, times: Number(times), action: action as FailpointAction }
}
