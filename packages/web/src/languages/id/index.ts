import type { PortalTexts } from '../dictionaries.ts'
import * as basket from './basket.ts'
import * as checklist from './checklist.ts'
import * as common from './common.ts'
import * as developers from './developers.ts'
import * as payments from './payments.ts'
import * as people from './people.ts'
import * as sell from './sell.ts'
import * as sharedTills from './shared-tills.ts'
import * as shop from './shop.ts'
import * as tills from './tills.ts'
import * as wallet from './wallet.ts'

const pack: PortalTexts = {
  ...basket,
  ...checklist,
  ...common,
  ...developers,
  ...payments,
  ...people,
  ...sell,
  ...sharedTills,
  ...shop,
  ...tills,
  ...wallet,
}
export default pack
