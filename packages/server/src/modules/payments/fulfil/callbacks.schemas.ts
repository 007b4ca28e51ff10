import { Type } from 'typebox'

export const CallbackParams = Type.Object({ provider: Type.String() })

export const CallbackTaken = Type.Object({ received: Type.Literal(true) })
