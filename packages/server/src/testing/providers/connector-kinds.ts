import type { ConnectorKind } from '../../modules/providers/connections/connections.types.ts'
import type { Provider } from '../../modules/providers/port/types.ts'
import { createScriptedProvider, SUCCEEDED } from './scripted-provider.ts'

/** Makes a connector kind whose providers the test makes. It records each one it made. */
export function scriptedKind(
  make: (code: string) => Provider = (code) => createScriptedProvider(SUCCEEDED, SUCCEEDED, { code }),
): ConnectorKind & { readonly made: { code: string; config: unknown; secrets: unknown }[] } {
  const made: { code: string; config: unknown; secrets: unknown }[] = []
  return {
    kind: 'scripted',
    made,
    check(config, secrets) {
      const { needs = [], ...rest } = config as { needs?: string[] }
      return [
        ...needs
          .filter((name) => !Object.hasOwn(secrets, name))
          .map((name) => ({ path: `needs.${name}`, message: 'there is no such secret' })),
        ...('wrong' in rest ? [{ path: 'wrong', message: 'is not known' }] : []),
        ...('outdated' in rest
          ? [{ path: 'outdated', message: 'is known no more', isOutdated: true as const }]
          : []),
      ]
    },
    create(settings) {
      made.push(settings)
      if (typeof settings.config === 'object' && settings.config !== null && 'broken' in settings.config) {
        throw new Error('this cannot be made')
      }
      return make(settings.code)
    },
  }
}

export function kindsOf(...kinds: readonly ConnectorKind[]): ReadonlyMap<string, ConnectorKind> {
  return new Map(kinds.map((each) => [each.kind, each]))
}
