import { useText } from '../../text/language.ts'
import type { Tone } from '../../ui/state.tsx'
import { Note, Pill, State } from '../../ui/state.tsx'
import { DESIGN } from './messages.ts'
import { Sheet } from './sheet.tsx'

const PAYMENT_TONES = ['wait', 'ok', 'bad', 'back', 'off'] as const satisfies readonly Tone[]
const SEVERITIES = ['critical', 'warning', 'info'] as const satisfies readonly Tone[]
const HEALTH = ['ok', 'wait', 'bad'] as const satisfies readonly Tone[]

export function StateSheets() {
  const text = useText(DESIGN)
  return (
    <>
      <Sheet title={text.states} about={text.statesAbout}>
        <div className="cl">
          {PAYMENT_TONES.map((tone) => (
            <Pill key={tone} tone={tone}>
              {text.tones[tone]}
            </Pill>
          ))}
        </div>
        <div className="cl far">
          {PAYMENT_TONES.map((tone) => (
            <State key={tone} tone={tone}>
              {text.tones[tone]}
            </State>
          ))}
        </div>
      </Sheet>
      <Sheet title={text.severities} about={text.severitiesAbout}>
        <div className="cl far">
          {SEVERITIES.map((tone) => (
            <State key={tone} tone={tone}>
              {text.tones[tone]}
            </State>
          ))}
        </div>
        <div className="cl far">
          {HEALTH.map((tone) => (
            <State key={tone} tone={tone}>
              {text.health[tone]}
            </State>
          ))}
          <span className="live">{text.live}</span>
          <span className="env">{text.staging}</span>
          <span className="tag">{text.tag}</span>
          <span className="count">{text.count}</span>
        </div>
      </Sheet>
      <Sheet title={text.notes} about={text.notesAbout} width={6}>
        <div className="three">
          <Note tone="wait">
            <b>{text.notHeard}</b> {text.notHeardAbout}
          </Note>
          <Note tone="info">
            <b>{text.viewer}</b> {text.viewerAbout}
          </Note>
          <Note tone="bad">
            <b>{text.refused}</b> {text.refusedAbout}
          </Note>
        </div>
      </Sheet>
    </>
  )
}
