import { Type } from 'typebox'
import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import type { OperatorAuthenticator } from '../../sessions/people/types.ts'
import { rolesFor } from '../kit/roles.rules.ts'
import { dataOf } from '../kit/schemas.ts'

const SettingsResponse = dataOf(
  Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
    title: 'Settings',
    description: 'Every setting of this node with its value; passwords and keys are masked',
  }),
)

/**
 * Shows the settings. `describe` returns every one of them, already masked. They come from the environment, and change
 * only with a restart.
 */
export function operatorSettingOperations(
  authenticate: OperatorAuthenticator,
  describe: () => Readonly<Record<string, string | number>>,
): Operation[] {
  return [
    operation({
      method: 'GET',
      path: '/operator/v1/settings',
      docs: {
        operationId: 'getSettings',
        summary: 'Show the configuration of this node',
        description:
          'Settings come from the environment: they are changed there, and take effect at a restart.',
        tag: 'Settings',
      },
      schemas: { responses: { 200: SettingsResponse } },
      authenticate: authenticate(...rolesFor('settings.read')),
      async handle() {
        return { status: 200, body: { data: describe() } }
      },
    }),
  ]
}
