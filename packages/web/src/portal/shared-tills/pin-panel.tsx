import { useState } from 'react'
import { usePortal } from '../../api/portal.ts'
import { removePin, setPin } from '../../api/portal-acts.generated.ts'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Panel } from '../../ui/panel.tsx'
import { PortalAct } from '../act.tsx'
import { SHARED_TILLS } from './messages.ts'

/** One's own PIN for shared tills. */
export function PinPanel() {
  const text = useText(SHARED_TILLS)
  const reading = usePortal('getPin', {})
  const [asked, setAsked] = useState<'set' | 'remove' | undefined>(undefined)
  const isSet = reading.data?.data.is_set === true
  const close = () => setAsked(undefined)
  return (
    <Panel
      title={text.pin}
      actions={
        <>
          {isSet ? (
            <Button size="sm" look="danger-quiet" onClick={() => setAsked('remove')}>
              {text.removePin}
            </Button>
          ) : null}
          <Button size="sm" onClick={() => setAsked('set')}>
            {isSet ? text.changePin : text.setPin}
          </Button>
        </>
      }
    >
      <p className="mid">
        {isSet ? <b>{text.pinSet} </b> : null}
        {text.pinAbout}
      </p>
      {asked === 'set' ? <SetDialog onClose={close} /> : null}
      {asked === 'remove' ? (
        <PortalAct
          act={removePin}
          title={text.removePinTitle}
          action={text.removePin}
          done={text.pinRemoved}
          refresh={['getPin']}
          onClose={close}
        >
          <p className="mid">{text.removePinAbout}</p>
        </PortalAct>
      ) : null}
    </Panel>
  )
}

const FORM = /^\d{6}$/

function SetDialog({ onClose }: { onClose: () => void }) {
  const text = useText(SHARED_TILLS)
  const [repeated, setRepeated] = useState('')
  return (
    <PortalAct
      act={setPin}
      title={text.setPin}
      action={text.setPin}
      isDangerous={false}
      fields={{
        pin: {
          label: text.newPin,
          draw: ({ value, onValue, error }) => (
            <>
              <TextField
                label={text.newPin}
                hint={text.newPinHint}
                type="password"
                inputMode="numeric"
                autoComplete="off"
                maxLength={6}
                value={String(value)}
                onValue={onValue}
                error={error}
              />
              <TextField
                label={text.repeatPin}
                type="password"
                inputMode="numeric"
                autoComplete="off"
                maxLength={6}
                value={repeated}
                onValue={setRepeated}
                error={repeated.length === 6 && repeated !== value ? text.pinsDiffer : undefined}
              />
            </>
          ),
        },
      }}
      isReady={({ pin }) => FORM.test(String(pin)) && pin === repeated}
      done={text.pinIsSet}
      refresh={['getPin']}
      onClose={onClose}
    >
      <p className="mid">{text.pinAbout}</p>
    </PortalAct>
  )
}
