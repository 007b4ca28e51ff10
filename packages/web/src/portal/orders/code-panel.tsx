import { useState } from 'react'
import { PageLink } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { CopyButton } from '../../ui/copy.tsx'
import { Segment } from '../../ui/field.tsx'
import { Panel } from '../../ui/panel.tsx'
import { PLAYGROUND } from './playground-messages.ts'
import type { OrderValues, SnippetLanguage } from './snippets.ts'
import { pageSnippet, SNIPPET_LANGUAGES, SNIPPET_NAMES, serverSnippet } from './snippets.ts'
import type { Order } from './units.ts'

/** Code that makes such an order on a reseller's server, and shows its form on the reseller's page. */
export function CodePanel({ values, order }: { values: OrderValues; order: Order | undefined }) {
  const text = useText(PLAYGROUND)
  const [language, setLanguage] = useState<SnippetLanguage>('node')
  const token = order?.client_token ?? 'CLIENT_TOKEN'
  return (
    <Panel title={text.code} className="code-panel">
      <div className="row wrap">
        <h3>{text.serverPart}</h3>
        <Segment
          label={text.languageOfCode}
          value={language}
          onValue={setLanguage}
          options={SNIPPET_LANGUAGES.map((value) => ({ value, label: SNIPPET_NAMES[value] }))}
        />
      </div>
      <Code text={serverSnippet(language, values)} label={text.serverPart} />
      <h3>{text.pagePart}</h3>
      <Code text={pageSnippet(values.baseUrl, order?.order_id ?? 'ORDER_ID', token)} label={text.pagePart} />
      <p className="sub small">{text.afterPart}</p>
      <p className="sub small">
        {text.originsNote}{' '}
        <PageLink className="link" to="/portal/orders/settings">
          {text.toSettings}
        </PageLink>
      </p>
    </Panel>
  )
}

function Code({ text: code, label }: { text: string; label: string }) {
  const text = useText(PLAYGROUND)
  return (
    <section aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls is reached by keyboard. */}
      <pre className="code" tabIndex={0}>
        {code}
      </pre>
      <div className="row">
        <CopyButton value={code} label={text.copy} />
      </div>
    </section>
  )
}
