import { useState } from 'react'
import { portal, portalKey, usePortal } from '../../api/portal.ts'
import { portalRemoveThreshold } from '../../api/portal-acts.generated.ts'
import { useText } from '../../text/language.ts'
import { moneyText } from '../../text/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Money } from '../../ui/money.tsx'
import { Panel } from '../../ui/panel.tsx'
import { ActionProblem, fieldError } from '../../ui/problem.tsx'
import { useAction } from '../../ui/use-action.ts'
import { PortalAct } from '../act.tsx'
import { AMOUNTS } from '../amount-messages.ts'
import { isAmount } from '../amounts.ts'
import { useIsAdmin } from '../session.ts'
import { TEAM } from './messages.ts'

/** Balances under which a mail goes out. */
export function ThresholdsPanel() {
  const text = useText(TEAM)
  const reading = usePortal('portalListThresholds', {})
  // The shell shows the balance on every page, so that its currency is known already.
  const currency = usePortal('portalGetBalance', {}).data?.data.currency ?? ''
  const isAdmin = useIsAdmin()
  const [removing, setRemoving] = useState<string | undefined>(undefined)
  return (
    <Panel title={text.thresholds} isFlush>
      <Loaded reading={reading} bones={2}>
        {({ data }) => (
          <ul className="list">
            {data.length === 0 ? <li className="sub">{text.noThresholds}</li> : null}
            {data.map(({ amount }) => (
              <li key={amount} className="middle">
                <Icon name="bell" />
                <span className="t">
                  {text.below} <Money amount={amount} currency={currency} />
                </span>
                {isAdmin ? (
                  <Button
                    size="sm"
                    aria-label={`${text.remove}: ${moneyText(amount, currency)}`}
                    onClick={() => setRemoving(amount)}
                  >
                    {text.remove}
                  </Button>
                ) : null}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {isAdmin ? <AddThreshold currency={currency} /> : null}
      {removing === undefined ? null : (
        <PortalAct
          act={portalRemoveThreshold}
          input={{ query: { amount: removing } }}
          title={text.removeTitle(moneyText(removing, currency))}
          action={text.remove}
          done={text.thresholdRemoved(moneyText(removing, currency))}
          refresh={['portalListThresholds', 'portalGetOverview']}
          onClose={() => setRemoving(undefined)}
        >
          <p className="mid">{text.removeAbout}</p>
        </PortalAct>
      )}
    </Panel>
  )
}

function AddThreshold({ currency }: { currency: string }) {
  const text = useText(TEAM)
  const amounts = useText(AMOUNTS)
  const [amount, setAmount] = useState('')
  const action = useAction({
    act: () => portal.call('portalAddThreshold', { body: { amount: amount.trim() } }),
    done: () => text.thresholdAdded(currency, amount.trim()),
    refresh: [portalKey('portalListThresholds'), portalKey('portalGetOverview')],
    onDone: () => setAmount(''),
  })
  const isUnreadable = amount.trim() !== '' && !isAmount(amount)
  const amountError = isUnreadable ? amounts.unreadable : fieldError(action.error, 'amount')
  return (
    <>
      <form
        className="threshold-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!action.isBusy && isAmount(amount)) action.run()
        }}
      >
        <TextField
          label={text.addThreshold}
          before={currency}
          value={amount}
          onValue={setAmount}
          inputMode="decimal"
          autoComplete="off"
          placeholder="500.00"
          error={amountError}
        />
        <Button type="submit" isBusy={action.isBusy} disabled={!isAmount(amount)}>
          {text.add}
        </Button>
      </form>
      {amountError === undefined ? <ActionProblem error={action.error} /> : null}
    </>
  )
}
