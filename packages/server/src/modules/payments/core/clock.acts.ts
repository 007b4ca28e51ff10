import { input, member } from '../../../http/codec.ts'
import { OF_RESELLER } from '../../accounts/resellers.codec.ts'
import { getReseller } from '../../accounts/service.ts'
import { act } from '../../acts/service.ts'
import { ADVANCE_SECONDS } from './clock.rules.ts'
import { createTestClocks } from './clock.service.ts'

/** Moves a reseller's test clock forward. The update itself locks the clock, so that no move is lost. */
export const advanceTestClock = act({
  name: 'clock.advance',
  input: input({
    account: OF_RESELLER,
    seconds: member(ADVANCE_SECONDS, { option: { value: 'NUMBER', help: '1 to 31536000, a year' } }),
  }),
  async run(tx, { account, seconds }) {
    const reseller = await getReseller(tx, account)
    const advancedSeconds = await createTestClocks(tx).advance(reseller.id, seconds)
    return {
      target: { kind: 'reseller', id: account },
      before: { advanced_seconds: advancedSeconds - seconds },
      after: { advanced_seconds: advancedSeconds },
      result: { account, advancedSeconds },
    }
  },
})
