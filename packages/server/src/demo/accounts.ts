import type { Config } from '../config.ts'
import type { DemoAccounts } from '../modules/sessions/people/demo.service.ts'
import { listCandidates } from './credentials.ts'

/** Reads the logins of the demo's file, each time anew: another process of this node may have written it. */
export function demoAccounts({
  environment,
  demo,
  dataDir,
}: Pick<Config, 'environment' | 'demo' | 'dataDir'>): DemoAccounts {
  return async () => {
    if (environment !== 'staging' || demo === 'none') return []
    const [credentials] = await listCandidates(dataDir)
    if (credentials === undefined) return []
    const { operator, second_operator: second, resellers, shop } = credentials
    const operators = second === undefined ? [operator] : [operator, second]
    return [
      ...operators.map(({ email, password }) => ({ kind: 'operator', login: email, password }) as const),
      // The first one is what a visitor clicks first.
      ...(shop === undefined ? resellers : [shop, ...resellers]).map(
        ({ username, password }) => ({ kind: 'member', login: username, password }) as const,
      ),
    ]
  }
}
