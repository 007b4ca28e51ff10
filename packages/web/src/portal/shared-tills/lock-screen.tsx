import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { ApiProblem } from '../../api/errors.ts'
import type { SharedTillOfThisBrowser } from '../../api/portal.generated.ts'
import { portal, portalKey, usePortal } from '../../api/portal.ts'
import { PasskeyButton } from '../../people/passkey-button.tsx'
import { PublicPage } from '../../people/public-page.tsx'
import { localPath } from '../../shell/local-path.ts'
import { useFilters, useGo } from '../../shell/navigation.tsx'
import { useShortcuts } from '../../shell/shortcuts.ts'
import { useText } from '../../text/language.ts'
import { Button, Key } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { ActionProblem } from '../../ui/problem.tsx'
import { Note } from '../../ui/state.tsx'
import { useAction } from '../../ui/use-action.ts'
import { markTill } from './marker.ts'
import { SHARED_TILLS } from './messages.ts'
import './shared-tills.css'

type Till = SharedTillOfThisBrowser['data']
type Person = Till['people'][number]

type LockScreenProps = {
  /** Called when somebody wants to sign in with a password, or the browser is no shared till any more. */
  readonly onFull: () => void
}

/** Screen of a locked shared till: one key or click chooses the person, six digits sign in. */
export function LockScreen({ onFull }: LockScreenProps) {
  const text = useText(SHARED_TILLS)
  const client = useQueryClient()
  const go = useGo()
  const [{ next }] = useFilters()
  const reading = usePortal('getSharedTill', {})
  const isNone = reading.data === null
  useEffect(() => {
    if (!isNone) return
    markTill(false)
    onFull()
  }, [isNone, onFull])
  const enter = () => {
    // Nothing that was read for somebody else stays.
    client.clear()
    go(localPath(next, '/portal'))
  }
  if (isNone) return null
  return (
    <PublicPage>
      <h1>{text.whoSells}</h1>
      <Loaded reading={reading} bones={3}>
        {(answer) => (answer === null ? null : <People till={answer.data} onSignedIn={enter} />)}
      </Loaded>
      <PasskeyButton
        begin={() => portal.call('beginPortalPasskeySession', {})}
        finish={(body) => portal.call('createPortalPasskeySession', { body })}
        onSignedIn={enter}
      />
      <div className="si-passkey">
        <Button size="lg" isWide look="quiet" onClick={onFull}>
          {text.inFull}
        </Button>
      </div>
    </PublicPage>
  )
}

/** Keys of the first people; the others are reached with Tab. */
const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9']

function People({ till, onSignedIn }: { till: Till; onSignedIn: () => void }) {
  const text = useText(SHARED_TILLS)
  const [chosen, setChosen] = useState<Person | undefined>(undefined)
  const choose = (person: Person | undefined) => {
    if (person !== undefined && !person.is_locked && !till.is_locked) setChosen(person)
  }
  const choices = KEYS.map((key, at) => [key, () => choose(till.people[at])] as const)
  // Behind the choice all digits belong to the PIN.
  useShortcuts(chosen === undefined ? Object.fromEntries(choices) : {})
  if (chosen !== undefined) {
    return <PinForm person={chosen} onBack={() => setChosen(undefined)} onSignedIn={onSignedIn} />
  }
  return (
    <>
      <p className="sub">{text.lockedAt(till.name)}</p>
      {till.is_locked ? <Note tone="warning">{text.tillLocked}</Note> : null}
      {till.people.length === 0 ? <Note tone="info">{text.nobody}</Note> : null}
      <ul className="till-people">
        {till.people.map((person, at) => (
          <li key={person.id}>
            <Button
              size="lg"
              isWide
              disabled={person.is_locked || till.is_locked}
              aria-keyshortcuts={KEYS[at]}
              onClick={() => choose(person)}
            >
              <span className="cut">{person.name}</span>
              {person.is_locked ? <span className="tag">{text.personLocked}</span> : null}
              {KEYS[at] === undefined ? null : <Key>{KEYS[at]}</Key>}
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}

const PIN_LENGTH = 6
const DIGITS = [...'0123456789']

type PinFormProps = {
  readonly person: Person
  readonly onBack: () => void
  readonly onSignedIn: () => void
}

function PinForm({ person, onBack, onSignedIn }: PinFormProps) {
  const text = useText(SHARED_TILLS)
  const [pin, setPin] = useState('')
  const action = useAction({
    act: (digits: string) => portal.call('createPinSession', { body: { member_id: person.id, pin: digits } }),
    refresh: [portalKey('getSharedTill')],
    onDone: onSignedIn,
  })
  const code = action.error instanceof ApiProblem ? action.error.code : undefined
  const isExpected = code === 'invalid_pin' || code === 'pin_locked'
  const type = (given: string) => {
    const digits = given.replace(/\D/g, '').slice(0, PIN_LENGTH)
    setPin(digits)
    if (digits.length < PIN_LENGTH || action.isBusy) return
    // A wrong PIN is typed anew from its first digit.
    setPin('')
    action.run(digits)
  }
  const form = useRef<HTMLFormElement>(null)
  const focus = () => form.current?.querySelector('input')?.focus()
  // Before the next key: effects may wait for the next picture.
  useLayoutEffect(focus, [])
  // Digits count wherever the focus is: somebody in a hurry types them before the field is drawn.
  const add = (digit: string) => () => {
    focus()
    type(pin + digit)
  }
  useShortcuts({ ...Object.fromEntries(DIGITS.map((each) => [each, add(each)])), escape: onBack })
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onBack()
      }}
    >
      <TextField
        isLarge
        label={text.pinOf(person.name)}
        hint={text.sixDigits}
        type="password"
        inputMode="numeric"
        autoComplete="off"
        value={pin}
        onValue={type}
        error={code === 'invalid_pin' ? text.wrongPin : code === 'pin_locked' ? text.lockedNow : undefined}
      />
      {isExpected ? null : <ActionProblem error={action.error} />}
      <Button size="lg" isWide isBusy={action.isBusy} onClick={onBack} aria-keyshortcuts="Escape">
        {text.somebodyElse} <Key>Esc</Key>
      </Button>
    </form>
  )
}
