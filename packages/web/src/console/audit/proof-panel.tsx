import type { AuditProof } from '../../api/operator.generated.ts'
import { operator } from '../../api/operator.ts'
import { useText } from '../../text/language.ts'
import { grouped } from '../../text/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Facts, Panel } from '../../ui/panel.tsx'
import { ActionProblem } from '../../ui/problem.tsx'
import { Note, Pill } from '../../ui/state.tsx'
import { useAction } from '../../ui/use-action.ts'
import { AUDIT } from './messages.ts'

/** Proof that no record was changed. It reads the whole log, so it runs when somebody asks. */
export function ProofPanel() {
  const text = useText(AUDIT)
  const action = useAction({ act: () => operator.call('proveAudit', {}) })
  const proof = action.answer?.data
  return (
    <Panel
      title={text.proof}
      about={text.proofAbout}
      actions={
        <>
          {proof === undefined ? null : (
            <Pill tone={proof.is_whole ? 'ok' : 'critical'} small>
              {proof.is_whole ? text.whole : text.broken}
            </Pill>
          )}
          <Button size="sm" icon="check" isBusy={action.isBusy} onClick={() => action.run()}>
            {proof === undefined ? text.prove : text.proveAgain}
          </Button>
        </>
      }
    >
      <div className="audit-proof" aria-live="polite">
        {action.isBusy ? (
          <p className="sub">{text.proving}</p>
        ) : proof === undefined ? (
          action.error === null ? (
            <p className="sub">{text.notProved}</p>
          ) : null
        ) : (
          <Outcome proof={proof} />
        )}
        <ActionProblem error={action.error} />
      </div>
    </Panel>
  )
}

function Outcome({ proof }: { proof: AuditProof }) {
  const text = useText(AUDIT)
  const { head, broken } = proof
  return (
    <>
      <Note tone={proof.is_whole ? 'ok' : 'critical'}>
        <b>{proof.is_whole ? text.wholeAbout(grouped(proof.records)) : text.brokenAbout}</b>
      </Note>
      <Facts
        isLeft
        facts={[
          head === null ? undefined : { term: text.head, value: head.sequence },
          head === null
            ? undefined
            : {
                term: text.hash,
                value: (
                  <span className="row wrap">
                    <span className="mono audit-hash">{head.hash}</span> <CopyButton value={head.hash} />
                  </span>
                ),
              },
          broken === null
            ? undefined
            : { term: text.brokenAt, value: `${broken.kind} ${broken.sequence ?? ''}` },
          broken === null
            ? undefined
            : { term: text.expected, value: <span className="mono audit-hash">{broken.expected}</span> },
          broken === null
            ? undefined
            : { term: text.found, value: <span className="mono audit-hash">{broken.found}</span> },
        ]}
      />
      {head === null ? null : <p className="sub small">{text.hashAbout}</p>}
    </>
  )
}
