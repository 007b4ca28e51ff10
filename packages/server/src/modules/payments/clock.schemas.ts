import { Type } from 'typebox'

export const AdvanceQuery = Type.Object({
  advance_seconds: Type.Optional(Type.String({ description: 'Required: 1 to 31536000, a year' })),
})
