import type { Reseller } from '../../api/operator.generated.ts'
import { useOperator } from '../../api/operator.ts'
import { PageLink } from '../../shell/navigation.tsx'
import { whenText, ZONE_NAME } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { grouped } from '../../text/numbers.ts'
import { Figure } from '../../ui/money.tsx'
import { State } from '../../ui/state.tsx'
import { useMay } from '../roles.ts'
import { RESELLERS } from './messages.ts'
import { RESELLER } from './reseller-messages.ts'

/** Figures of a reseller that stay above every tab. */
export function FactsStrip({ reseller }: { reseller: Reseller }) {
  const text = useText(RESELLER)
  const may = useMay()
  const wallet = useOperator(
    'getWallet',
    { params: { account: reseller.account } },
    { isEnabled: may('money.read') },
  ).data?.data
  return (
    <section className="panel flush facts-strip" aria-label={reseller.name}>
      {may('money.read') ? (
        <div>
          <span className="lab">{text.balance}</span>
          {wallet === undefined ? (
            <div className="fig">…</div>
          ) : (
            <Figure amount={wallet.balance} currency="MYR" />
          )}
        </div>
      ) : null}
      {may('money.read') ? (
        <div>
          <span className="lab">{text.entries}</span>
          <b>{wallet === undefined ? '…' : grouped(wallet.entry_count)}</b>
          <small className="sub small">
            {text.lastEntry}{' '}
            {wallet === undefined || wallet.last_entry_at === null
              ? text.noEntry
              : `${whenText(wallet.last_entry_at)} ${ZONE_NAME}`}
          </small>
        </div>
      ) : null}
      <div>
        <span className="lab">{text.level}</span>
        <PageLink className="link mono" to={`/operator/levels/${encodeURIComponent(reseller.price_level)}`}>
          {reseller.price_level}
        </PageLink>
      </div>
      <div>
        <span className="lab">{text.access}</span>
        <AccessState access={reseller.access} />
      </div>
    </section>
  )
}

export function AccessState({ access }: Pick<Reseller, 'access'>) {
  const text = useText(RESELLERS)
  return access === 0 ? <span>{text.accesses[0]}</span> : <State tone="off">{text.accesses[50]}</State>
}
