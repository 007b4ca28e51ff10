import { operator, useOperator } from '../api/operator.ts'
import type { DemoAccounts } from '../api/portal.generated.ts'
import { portal, usePortal } from '../api/portal.ts'
import { isStaging } from '../shell/device-panel.tsx'
import { SHELL } from '../shell/messages.ts'
import { useText } from '../text/language.ts'
import { Icon } from '../ui/icon.tsx'
import { ActionProblem } from '../ui/problem.tsx'
import { useAction } from '../ui/use-action.ts'
import { PEOPLE } from './messages.ts'

export type Audience = 'portal' | 'operator'

type Account = DemoAccounts['data'][number] & { readonly audience: Audience }

/** Accounts of the demo: one click signs in. Staging alone has them; undefined means that there is no column. */
export function useDemoAccounts(): readonly Account[] | undefined {
  const isEnabled = isStaging()
  const members = usePortal('listPortalDemoAccounts', {}, { isEnabled })
  const operators = useOperator('listOperatorDemoAccounts', {}, { isEnabled })
  if (!isEnabled) return undefined
  const accounts = [
    ...(members.data?.data ?? []).map((each) => ({ ...each, audience: 'portal' as const })),
    ...(operators.data?.data ?? []).map((each) => ({ ...each, audience: 'operator' as const })),
  ]
  // The column keeps its place while the accounts are read, so that nothing moves when they come.
  return accounts.length === 0 && !members.isPending && !operators.isPending ? undefined : accounts
}

type DemoColumnProps = {
  readonly accounts: readonly Account[]
  /** Audience of this page; accounts of the other one sign in there. */
  readonly audience: Audience
  readonly onSignedIn: () => void
}

export function DemoColumn({ accounts, audience, onSignedIn }: DemoColumnProps) {
  const text = useText(PEOPLE)
  const shell = useText(SHELL)
  const roles: Readonly<Record<string, string>> = shell.memberRoles
  const action = useAction<Account>({
    act: (account) => signInAs(account),
    onDone: (_, account) => {
      if (account.audience === audience) onSignedIn()
      else location.assign(`/${account.audience}`)
    },
  })
  return (
    <section className="side-card" aria-label={text.demo}>
      <span className="env">{shell.staging}</span>
      <h2>{text.demo}</h2>
      <p>{text.demoAbout}</p>
      {accounts.map((account) => (
        <button
          type="button"
          key={`${account.audience} ${account.login}`}
          className={account.audience === 'operator' ? 'demo wood' : 'demo'}
          disabled={action.isBusy}
          onClick={() => action.run(account)}
        >
          <span className="face" aria-hidden="true">
            {initials(nameOf(account))}
          </span>
          <span className="t">
            <b>{nameOf(account)}</b>
            <small>
              {account.audience === 'operator' ? text.operator : `${text.reseller}, ${roles[account.role]}`} ·{' '}
              <span className="mono">{account.login}</span>
            </small>
          </span>
          <Icon name="arrow" />
        </button>
      ))}
      <ActionProblem error={action.error} />
      <p className="small sub">{text.demoFile}</p>
    </section>
  )
}

function signInAs({ audience, login, password }: Account): Promise<unknown> {
  return audience === 'portal'
    ? portal.call('createPortalSession', { body: { username: login, password } })
    : operator.call('createOperatorSession', { body: { email: login, password } })
}

function nameOf({ name, reseller }: Account): string {
  return reseller?.name ?? name
}

function initials(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== '')
  return words
    .slice(0, 2)
    .map((word) => word.slice(0, 1).toUpperCase())
    .join('')
}
