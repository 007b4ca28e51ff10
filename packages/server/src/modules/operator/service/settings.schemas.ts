import { Type } from 'typebox'
import { dataOf } from '../kit/schemas.ts'

export const SettingsResponse = dataOf(
  Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
    title: 'Settings',
    description: 'Every setting of this node with its value; passwords and keys are masked',
  }),
)
