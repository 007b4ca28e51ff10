import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { ClaimAboutASupplier, PackOfAProvider, ProviderProof } from '../../api/operator.generated.ts'
import { operatorKey } from '../../api/operator.ts'
import { beginProviderProof } from '../../api/operator-acts.generated.ts'
import { whenText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/panel.tsx'
import type { Tone } from '../../ui/state.tsx'
import { Note, State } from '../../ui/state.tsx'
import { useMayChangeProviders } from '../catalog/parts.tsx'
import { ConsoleAct } from '../parts/act.tsx'
import { PACK } from './pack-messages.ts'

type PackProps = { readonly pack: PackOfAProvider }

const POLL_MS = 2_000
/** Longest time of a trial; after it, nothing more is waited for. */
const TRIAL_MS = 150_000

/**
 * Reads the pack of a provider again every few seconds while a trial is under way. Another node may make it, so a trial
 * that was begun here is waited for until it has a proof.
 */
function useTrial({ proofs, trial_since: since }: PackOfAProvider) {
  const client = useQueryClient()
  const newest = proofs[0]?.at ?? ''
  const [begunAfter, setBegunAfter] = useState<string | undefined>(undefined)
  const isRunning = since !== null || begunAfter === newest
  useEffect(() => {
    if (!isRunning) return
    const renew = () => void client.invalidateQueries({ queryKey: operatorKey('getProviderPack') })
    const timer = window.setInterval(renew, POLL_MS)
    const end = window.setTimeout(() => setBegunAfter(undefined), TRIAL_MS)
    return () => {
      window.clearInterval(timer)
      window.clearTimeout(end)
    }
  }, [isRunning, client])
  return { isRunning, begin: () => setBegunAfter(newest) }
}

const STANDINGS: Readonly<Record<ClaimAboutASupplier['standing'], Tone>> = {
  proven: 'ok',
  documented: 'info',
  unknown: 'warning',
  disproven: 'bad',
}

/** Facts about the supplier that decide how money moves, and what they rest on. */
export function ClaimsPanel({ pack: { claims } }: PackProps) {
  const text = useText(PACK)
  return (
    <Panel isFlush title={text.claims} about={text.claimsAbout}>
      <ul className="list">
        {claims.map(({ claim, standing, value, says, source, at }) => (
          <li key={claim}>
            <div className="t">
              <b className="mid-weight">{text.names[claim]}</b>
              {value === null || value === true ? null : (
                <span className="mono"> {value === false ? text.no : String(value)}</span>
              )}
              <small>
                {says}.{' '}
                <a className="link" href={source} target="_blank" rel="noreferrer">
                  {text.source}
                </a>
              </small>
            </div>
            <span className="nowrap">
              <State tone={STANDINGS[standing]}>{text.standings[standing]}</State>
              {at === null ? null : <small className="under">{whenText(at)}</small>}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

const RESULTS: Readonly<Record<ProviderProof['result'], Tone>> = {
  held: 'ok',
  did_not_hold: 'bad',
  not_tried: 'off',
}

/** Trials of the supplier with their dates, and a button for another one. */
export function ProofsPanel({ pack }: PackProps) {
  const text = useText(PACK)
  const mayChange = useMayChangeProviders()
  const [isTrying, setTrying] = useState(false)
  const { provider: code, proofs, trial_since: since, trial_results: results, is_test_address: isTest } = pack
  const { isRunning, begin } = useTrial(pack)
  return (
    <Panel
      isFlush
      title={text.proofs}
      actions={
        mayChange ? (
          <Button size="sm" icon="refresh" isBusy={isRunning} onClick={() => setTrying(true)}>
            {proofs.length === 0 ? text.prove : text.proveAgain}
          </Button>
        ) : null
      }
    >
      {since === null ? null : <Trial since={since} results={results} />}
      {proofs.length === 0 && since === null ? (
        <p className="sub small pad">{text.noProofs}</p>
      ) : (
        trialsOf(proofs).map(({ at, by, results: kept }) => (
          <div key={at}>
            <p className="sub small pad">{text.trialOf(whenText(at), by)}</p>
            <Results results={kept} />
          </div>
        ))
      )}
      {isTrying ? (
        <ConsoleAct
          act={beginProviderProof}
          input={{ params: { code } }}
          fields={{
            supplier_code: { label: text.supplierCode, hint: text.supplierCodeHint },
            ...(isTest ? {} : { live_address: { label: text.liveAddress, isNeeded: true } }),
          }}
          title={text.proveTitle}
          action={text.prove}
          done={text.begun}
          refresh={['getProviderPack']}
          onDone={() => {
            begin()
            setTrying(false)
          }}
          onClose={() => setTrying(false)}
        >
          <p className="mid">{text.proveAbout}</p>
          <Note tone={isTest ? 'info' : 'warning'}>
            {isTest ? null : <b>{text.noTestAddress} </b>}
            {pack.test_mode.says}.
          </Note>
        </ConsoleAct>
      ) : null}
    </Panel>
  )
}

type Result = Pick<ProviderProof, 'claim' | 'result' | 'says'>

function Trial({ since, results }: { since: string; results: readonly Result[] }) {
  const text = useText(PACK)
  return (
    <div role="status">
      <p className="small pad">
        <State tone="wait">{text.underway(whenText(since))}</State>
      </p>
      <Results results={results} />
    </div>
  )
}

function Results({ results }: { results: readonly Result[] }) {
  const text = useText(PACK)
  return (
    <ul className="list">
      {results.map(({ claim, result, says }) => (
        <li key={claim}>
          <div className="t">
            <b className="mid-weight">{nameOf(claim, text)}</b>
            <small>{says}</small>
          </div>
          <span className="nowrap">
            <State tone={RESULTS[result]}>{text.results[result]}</State>
          </span>
        </li>
      ))}
    </ul>
  )
}

function nameOf(claim: string, text: ReturnType<typeof useText<(typeof PACK)['en']>>): string {
  const order = /^test_order_(\d+)$/.exec(claim)?.[1]
  if (order !== undefined) return text.testOrder(order)
  return Object.hasOwn(text.names, claim) ? text.names[claim as keyof typeof text.names] : claim
}

const TRIALS_SHOWN = 3

/** Proofs of the newest trials. Those of one trial have one time. */
function trialsOf(proofs: readonly ProviderProof[]) {
  const times = [...new Set(proofs.map(({ at }) => at))].slice(0, TRIALS_SHOWN)
  return times.map((at) => {
    const results = proofs.filter((each) => each.at === at)
    return { at, by: results[0]?.by ?? '', results }
  })
}
