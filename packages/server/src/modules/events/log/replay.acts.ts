import { getReseller } from '../../accounts/service.ts'
import { act } from '../../acts/service.ts'
import type { By } from '../../acts/types.ts'
import { DELIVERY_KEY } from '../endpoints/operators.codec.ts'
import { replayView } from './replay.codec.ts'
import { createReplays } from './replay.service.ts'

/** Sends a failed delivery again. Replays to one receiver lock each other out before they read what failed. */
export const replayDelivery = act({
  name: 'delivery.replay',
  input: DELIVERY_KEY,
  async run(tx, { account, stream, id }, { database }: By<unknown>) {
    const reseller = await getReseller(tx, account)
    const result = await createReplays(database).replay(reseller.id, stream, id)
    return {
      target: { kind: 'delivery', id: `${account}/${id}` },
      before: null,
      after: replayView(result),
      result,
    }
  },
})
