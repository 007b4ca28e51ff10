import { useOperator } from '../../../api/operator.ts'
import { Crumbs, PageLink, useFilters } from '../../../shell/navigation.tsx'
import { useText } from '../../../text/language.ts'
import { PageHead } from '../../../ui/panel.tsx'
import { Note } from '../../../ui/state.tsx'
import { useMayChangeProviders } from '../../catalog/parts.tsx'
import { CONSOLE } from '../../messages.ts'
import { LoadedPage } from '../../parts/pages.tsx'
import { ChooseStep } from './choose-step.tsx'
import { ConnectStep, SettingsStep } from './credentials-step.tsx'
import { ADD } from './messages.ts'
import { ProductsStep } from './products-step.tsx'
import { ProveStep } from './prove-step.tsx'
import { RoutesStep } from './routes-step.tsx'
import type { Step } from './rules.ts'
import { ADDING, STEPS, stepOf } from './rules.ts'
import '../../catalog/supply.css'
import './add.css'

/** Connects a supplier by its pack, in steps that the address names. */
export function Page() {
  const text = useText(ADD)
  const mayChange = useMayChangeProviders()
  const [{ provider, pack, ...search }] = useFilters()
  const step = mayChange ? stepOf({ provider, pack, ...search }) : 'choose'
  if (step === 'choose') {
    return (
      <>
        <Head step={step} />
        {mayChange ? null : <Note tone="info">{text.adminsAlone}</Note>}
        <ChooseStep mayChange={mayChange} />
      </>
    )
  }
  if (provider !== undefined) return <Connected code={provider} step={step} />
  return (
    <>
      <Head step={step} pack={pack} />
      <ConnectStep pack={pack ?? ''} />
    </>
  )
}

type HeadProps = {
  readonly step: Step
  readonly pack?: string | undefined
  readonly code?: string
  readonly name?: string
}

function Head({ step, pack, code, name }: HeadProps) {
  const text = useText(ADD)
  const pages = useText(CONSOLE)
  return (
    <>
      <PageHead
        crumbs={<Crumbs to="/operator/providers" label={pages.providers} here={code ?? pack ?? text.title} />}
        title={name === undefined ? text.title : text.titleOf(name)}
        about={text.about}
      />
      <nav aria-label={text.steps}>
        <ol className="stepper">
          {STEPS.map((each, index) => (
            <li key={each} className={each === step ? 'now' : ''}>
              <b aria-hidden="true">{index + 1}</b>
              {each === step ? (
                <span aria-current="step">{text.step[each]}</span>
              ) : code !== undefined && each !== 'choose' ? (
                <PageLink className="link" to={ADDING} search={{ provider: code, step: each }}>
                  {text.step[each]}
                </PageLink>
              ) : code === undefined && each === 'choose' ? (
                <PageLink className="link" to={ADDING}>
                  {text.step[each]}
                </PageLink>
              ) : (
                <span>{text.step[each]}</span>
              )}
            </li>
          ))}
        </ol>
      </nav>
    </>
  )
}

/** Steps of a provider that exists. */
function Connected({ code, step }: { code: string; step: Step }) {
  const reading = useOperator('getProvider', { params: { code } })
  return (
    <LoadedPage reading={reading} title={code}>
      {({ data }) => (
        <>
          <Head step={step} code={code} name={data.name} />
          {step === 'credentials' ? <SettingsStep provider={data} /> : null}
          {step === 'prove' ? <ProveStep code={code} /> : null}
          {step === 'products' ? <ProductsStep provider={data} /> : null}
          {step === 'routes' ? <RoutesStep provider={data} /> : null}
        </>
      )}
    </LoadedPage>
  )
}
