import type { Tx } from '../../../db/database.ts'
import { getReseller } from '../../accounts/service.ts'
import { act } from '../../acts/service.ts'
import type { By } from '../../acts/types.ts'
import { OPERATED_ENDPOINT, RECEIVER_KEY } from './operators.codec.ts'
import { getReceiver, pauseEndpoint, resumeEndpoint } from './operators.service.ts'
import { lockEndpoint } from './operators.sql.ts'

/** Declares an act that pauses a receiver or resumes it. */
function switchAct(name: string, change: typeof pauseEndpoint) {
  return act({
    name: `endpoint.${name}`,
    input: RECEIVER_KEY,
    async lock(tx: Tx, { account, stream }) {
      const { id } = await getReseller(tx, account)
      await lockEndpoint(tx, { resellerId: id, stream })
    },
    async run(tx, { account, stream }, { database }: By<unknown>) {
      const before = await getReceiver(tx, account, stream)
      await change(database, before.endpoint.resellerId, stream)
      const result = await getReceiver(tx, account, stream)
      return {
        target: { kind: 'endpoint', id: `${account}/${stream}` },
        before: OPERATED_ENDPOINT.encode(before),
        after: OPERATED_ENDPOINT.encode(result),
        result,
      }
    },
  })
}

export const switchReceiver = {
  pause: switchAct('pause', pauseEndpoint),
  resume: switchAct('resume', resumeEndpoint),
}
