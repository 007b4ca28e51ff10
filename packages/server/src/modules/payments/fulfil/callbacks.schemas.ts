import { Type } from 'typebox'

export const CallbackParams = Type.Object({ provider: Type.String() })

/** Answer to a callback that was taken: `{"received":true}`, or the provider's own form. */
export const CallbackTaken = Type.Unknown()
