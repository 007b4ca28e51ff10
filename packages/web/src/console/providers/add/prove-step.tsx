import { useOperator } from '../../../api/operator.ts'
import { PageLink } from '../../../shell/navigation.tsx'
import { useText } from '../../../text/language.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { ClaimsPanel, ProofsPanel } from '../pack-panels.tsx'
import { ADD } from './messages.ts'
import { ADDING } from './rules.ts'

/** Tries what the pack says of the supplier. */
export function ProveStep({ code }: { code: string }) {
  const text = useText(ADD)
  const reading = useOperator('getProviderPack', { params: { code } })
  return (
    <Loaded reading={reading}>
      {({ data }) => (
        <>
          <div className="stack">
            <ProofsPanel pack={data} />
            <ClaimsPanel pack={data} />
          </div>
          <p className="step-on">
            <PageLink
              className={buttonClass({ look: 'primary' })}
              to={ADDING}
              search={{ provider: code, step: 'products' }}
            >
              {text.next.products}
            </PageLink>
          </p>
        </>
      )}
    </Loaded>
  )
}
