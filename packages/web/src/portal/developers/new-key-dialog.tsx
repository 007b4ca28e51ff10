import { useState } from 'react'
import type { NewAPIKey } from '../../api/portal.generated.ts'
import { useText } from '../../text/language.ts'
import { CopyButton } from '../../ui/copy.tsx'
import { SecretDialog } from '../../ui/dialog.tsx'
import { Segment } from '../../ui/field.tsx'
import { Note } from '../../ui/state.tsx'
import { KEYS } from './messages.ts'
import type { SnippetLanguage } from './snippets.ts'
import { SNIPPET_LANGUAGES, snippetOf } from './snippets.ts'

/** Names of the programs, the same in every language. */
const LANGUAGE_NAMES: Readonly<Record<SnippetLanguage, string>> = {
  curl: 'curl',
  node: 'Node',
  python: 'Python',
  php: 'PHP',
}

/** Shows a new key and its secret, this once, beside a request that runs as it is pasted. */
export function NewKeyDialog({ made, onClose }: { made: NewAPIKey; onClose: () => void }) {
  const text = useText(KEYS)
  const secret = made.signing_secret ?? ''
  return (
    <SecretDialog
      title={text.madeTitle}
      about={text.madeAbout}
      secrets={[
        { label: text.key, value: made.key },
        { label: text.secret, value: secret },
      ]}
      onClose={onClose}
    >
      {made.scopes.includes('read') ? null : <Note tone="info">{text.cannotRead}</Note>}
      <Snippet apiKey={made.key} secret={secret} />
    </SecretDialog>
  )
}

function Snippet({ apiKey, secret }: { apiKey: string; secret: string }) {
  const text = useText(KEYS)
  const [language, setLanguage] = useState<SnippetLanguage>('curl')
  const snippet = snippetOf(language, { key: apiKey, secret, baseUrl: location.origin })
  return (
    <section className="snippet" aria-label={text.tryIt}>
      <p className="sub small">{text.tryIt}</p>
      <div className="row wrap">
        <Segment
          label={text.language}
          value={language}
          onValue={setLanguage}
          options={SNIPPET_LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
        />
        <CopyButton value={snippet} label={text.copySnippet} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls is reached by keyboard. */}
      <pre className="code" tabIndex={0}>
        {snippet}
      </pre>
    </section>
  )
}
