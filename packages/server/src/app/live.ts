import type { Config } from '../config.ts'
import type { Database } from '../db/database.ts'
import { openLiveFeeds } from '../modules/events/live/live.service.ts'
import type { LiveFeeds } from '../modules/events/live/live.types.ts'
import type { MemberAuthenticator, OperatorAuthenticator } from '../modules/sessions/people/types.ts'
import type { AuthenticationOptions } from '../modules/sessions/session/authentication.service.ts'
import {
  createMemberAuthenticator,
  createOperatorAuthenticator,
} from '../modules/sessions/session/authentication.service.ts'
import type { SessionStreams } from '../modules/sessions/session/streams.service.ts'
import { createSessionStreams } from '../modules/sessions/session/streams.service.ts'

/** Live connections of open pages. */
export type Live = {
  readonly feeds: LiveFeeds
  readonly members: SessionStreams
  readonly operators: SessionStreams
  /** Authenticate pages that connect by themselves: they are no sign that somebody is there. */
  readonly authenticateMember: MemberAuthenticator
  readonly authenticateOperator: OperatorAuthenticator
  readonly onProblem: (error: unknown) => void
}

const STREAMS_MAX = 1_000
/** Share of all connections that live ones of either side may hold: the rest is for requests. */
const SHARE_OF_CONNECTIONS = 4

export async function openLive(
  config: Config,
  database: Database,
  onProblem: (text: string, error: unknown) => void,
  operators: AuthenticationOptions = { database, config },
): Promise<Live> {
  const streamsMax = Math.min(STREAMS_MAX, Math.ceil(config.connectionsMax / SHARE_OF_CONNECTIONS))
  const streamsOf = (kind: 'member' | 'operator') =>
    createSessionStreams({
      ...(kind === 'operator' ? operators : { database, config }),
      kind,
      streamsMax,
      onProblem: (error) => onProblem('the sessions of open pages could not be looked at', error),
    })
  return {
    feeds: await openLiveFeeds({ database, onProblem }),
    members: streamsOf('member'),
    operators: streamsOf('operator'),
    authenticateMember: createMemberAuthenticator({ database, config, isUnattended: true }),
    authenticateOperator: createOperatorAuthenticator({ ...operators, isUnattended: true }),
    onProblem: (error) => onProblem('open pages could not be told what happened', error),
  }
}

/** Ends all live connections: the pages connect again, and a stop need not wait for them. */
export async function closeStreams({ members, operators }: Live): Promise<void> {
  await Promise.all([members.close(), operators.close()])
}
