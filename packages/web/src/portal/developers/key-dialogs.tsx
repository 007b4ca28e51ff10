import { useState } from 'react'
import type { ListedAPIKey as APIKey, NewAPIKey } from '../../api/portal.generated.ts'
import {
  portalChangeKey,
  portalCreateKey,
  portalRevokeKey,
  portalRotateKey,
} from '../../api/portal-acts.generated.ts'
import { useText } from '../../text/language.ts'
import type { Control, FieldWords } from '../../ui/act-field.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { SecretDialog } from '../../ui/dialog.tsx'
import { Checkbox, Segment } from '../../ui/field.tsx'
import { Note } from '../../ui/state.tsx'
import { PortalAct } from '../act.tsx'
import { emptyBounds, minuteOf, usePurposeFields } from './key-purpose.tsx'
import { KEYS } from './messages.ts'
import { PURPOSE } from './purpose-messages.ts'
import type { SnippetLanguage } from './snippets.ts'
import { SNIPPET_LANGUAGES, snippetOf } from './snippets.ts'

const SCOPES = ['read', 'pay', 'support', 'configure'] as const
const CHANGED = ['portalListKeys', 'portalGetChecklist'] as const

/** Asks the member's own password once more before a change that a stolen session must not make. */
export function passwordWords(label: string, hint?: string): FieldWords {
  return { label, type: 'password', isNeeded: true, ...(hint === undefined ? {} : { hint }) }
}

type MadeProps = { readonly onMade: (key: NewAPIKey) => void; readonly onClose: () => void }

/** Makes a key; its secret is shown by `onMade`. */
export function MakeKeyDialog({ onMade, onClose }: MadeProps) {
  const text = useText(KEYS)
  const purpose = useText(PURPOSE)
  const bounds = usePurposeFields()
  return (
    <PortalAct
      act={portalCreateKey}
      title={text.makeTitle}
      isDangerous={false}
      action={text.make1}
      refresh={CHANGED}
      onDone={({ data }) => onMade(data)}
      onClose={onClose}
      from={{ scopes: [...SCOPES] }}
      members={emptyBounds}
      fields={{
        label: { label: text.name, hint: text.nameHint },
        scopes: {
          label: text.scopesLabel,
          isNeeded: true,
          draw: (control) => <ScopeChoice {...control} />,
        },
        ...bounds,
        password: passwordWords(text.password, text.passwordHint),
      }}
    >
      <p className="mid">{purpose.about}</p>
    </PortalAct>
  )
}

function ScopeChoice({ value, onValue }: Control) {
  const text = useText(KEYS)
  const chosen = Array.isArray(value) ? value : []
  return (
    <fieldset className="stack tight" aria-label={text.scopesLabel}>
      <span className="sub small">{text.scopesLabel}</span>
      {SCOPES.map((scope) => (
        <Checkbox
          key={scope}
          label={
            <>
              <b>{text.scopes[scope]}</b> <span className="sub">{text.scopesAbout[scope]}</span>
            </>
          }
          isOn={chosen.includes(scope)}
          onToggle={(isOn) =>
            onValue(SCOPES.filter((each) => (each === scope ? isOn : chosen.includes(each))))
          }
        />
      ))}
    </fieldset>
  )
}

/** Changes what a key may do. The password is needed only where that is more than before. */
export function ChangeKeyDialog({ apiKey, onClose }: { apiKey: APIKey; onClose: () => void }) {
  const text = useText(PURPOSE)
  const fields = usePurposeFields()
  const name = keyName(apiKey)
  const end = minuteOf(apiKey.expires_at)
  return (
    <PortalAct
      act={portalChangeKey}
      input={{ params: { id: apiKey.id } }}
      title={text.changeTitle(name)}
      isDangerous={false}
      action={text.changeDo}
      done={text.changed(name)}
      refresh={CHANGED}
      onClose={onClose}
      from={{ ...apiKey, expires_at: end }}
      members={(values) => ({
        ...emptyBounds(values),
        // The field has no seconds: an end that nobody touched is not sent.
        ...(values.expires_at === end && { expires_at: undefined }),
        ...(values.password === '' && { password: undefined }),
      })}
      fields={{
        ...fields,
        password: { ...passwordWords(text.password, text.passwordHint), isNeeded: false },
      }}
    />
  )
}

const GRACES = ['0', '3600', '86400', '604800'] as const

/** Replaces a key by a new one; both work during the grace period. */
export function RotateKeyDialog({ apiKey, onMade, onClose }: MadeProps & { readonly apiKey: APIKey }) {
  const text = useText(KEYS)
  return (
    <PortalAct
      act={portalRotateKey}
      input={{ params: { id: apiKey.id } }}
      title={text.rotateTitle(keyName(apiKey))}
      isDangerous={false}
      action={text.rotateDo}
      refresh={CHANGED}
      onDone={({ data }) => onMade(data)}
      onClose={onClose}
      from={{ grace_seconds: '86400' }}
      fields={{
        grace_seconds: {
          label: text.grace,
          options: GRACES.map((value) => ({ value, label: text.graces[value] })),
        },
        password: passwordWords(text.password),
      }}
    >
      <p className="mid">{text.rotateAbout}</p>
    </PortalAct>
  )
}

/** Ends a key at once and for ever. */
export function RevokeKeyDialog({ apiKey, onClose }: { apiKey: APIKey; onClose: () => void }) {
  const text = useText(KEYS)
  const name = keyName(apiKey)
  return (
    <PortalAct
      act={portalRevokeKey}
      input={{ params: { id: apiKey.id } }}
      title={text.revokeTitle(name)}
      keep={text.keep}
      action={text.revokeDo}
      typed={name}
      done={text.revoked(name)}
      refresh={CHANGED}
      onClose={onClose}
      fields={{ password: passwordWords(text.password) }}
    >
      <p className="mid">{text.revokeAbout}</p>
    </PortalAct>
  )
}

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

const BEGINNING = 11
const END = 4

/** Beginning and end of a key, enough to tell it from others. */
export function shortKey(key: string): string {
  return key.length <= BEGINNING + END ? key : `${key.slice(0, BEGINNING)}…${key.slice(-END)}`
}

/** Name of a key; one without a label is called by its beginning and end. */
export function keyName({ label, key }: Pick<APIKey, 'label' | 'key'>): string {
  return label === '' ? shortKey(key) : label
}
