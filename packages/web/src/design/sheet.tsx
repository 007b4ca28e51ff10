import type { ReactNode } from 'react'
import { ApiProblem } from '../api/errors.ts'
import { Button } from '../ui/button.tsx'
import type { IconName } from '../ui/icon.tsx'
import { ICON_PATHS, Icon } from '../ui/icon.tsx'
import { Bones, Empty } from '../ui/loaded.tsx'
import { Progress } from '../ui/panel.tsx'
import { ActionProblem, ProblemPanel } from '../ui/problem.tsx'
import type { Tone } from '../ui/state.tsx'
import { Note, Pill, State } from '../ui/state.tsx'

type SheetProps = {
  readonly title: string
  readonly about: ReactNode
  /** Sixths of the page's width. */
  readonly width?: 2 | 3 | 6
  readonly children: ReactNode
}

/** One component with its states. */
export function Sheet({ title, about, width = 3, children }: SheetProps) {
  return (
    <section className={`sheet w${width}`}>
      <h2>{title}</h2>
      <p>{about}</p>
      {children}
    </section>
  )
}

export const TONE_WORDS = {
  ok: 'Successful',
  wait: 'Pending',
  bad: 'Failed',
  back: 'Refunded',
  off: 'Off',
  warning: 'Warning',
  critical: 'Critical',
  info: 'For your information',
} as const

const HEALTH_WORDS = {
  ok: 'Well (closed)',
  wait: 'Probing (half open)',
  bad: 'No orders (open)',
} as const

const PAYMENT_TONES = ['wait', 'ok', 'bad', 'back', 'off'] as const satisfies readonly Tone[]
const SEVERITIES = ['critical', 'warning', 'info'] as const satisfies readonly Tone[]
const HEALTH = ['ok', 'wait', 'bad'] as const satisfies readonly Tone[]

export function StateSheets() {
  return (
    <>
      <Sheet
        title="Payment states"
        about="Shape, colour and word together; any one of them is enough to read it"
      >
        <div className="cl">
          {PAYMENT_TONES.map((tone) => (
            <Pill key={tone} tone={tone}>
              {TONE_WORDS[tone]}
            </Pill>
          ))}
        </div>
        <div className="cl far">
          {PAYMENT_TONES.map((tone) => (
            <State key={tone} tone={tone}>
              {TONE_WORDS[tone]}
            </State>
          ))}
        </div>
      </Sheet>
      <Sheet title="Severities" about="Triangle warns, octagon is critical, ring informs">
        <div className="cl far">
          {SEVERITIES.map((tone) => (
            <State key={tone} tone={tone}>
              {TONE_WORDS[tone]}
            </State>
          ))}
        </div>
        <div className="cl far">
          {HEALTH.map((tone) => (
            <State key={tone} tone={tone}>
              {HEALTH_WORDS[tone]}
            </State>
          ))}
          <span className="live">Live</span>
          <span className="env">Staging</span>
          <span className="tag">Tag</span>
          <span className="count">12</span>
        </div>
      </Sheet>
      <Sheet title="Notes" about="A state, and what it means for the reader" width={6}>
        <div className="three">
          <Note tone="wait">
            <b>We have not heard how it ended.</b> Do not sell it again. If it fails, the money comes back by
            itself.
          </Note>
          <Note tone="info">
            <b>You are a viewer.</b> PINs and receivers’ answers are hidden. An admin can change that.
          </Note>
          <Note tone="bad">
            <b>Nothing was paid:</b> the wallet balance is too low by MYR 12.05.
          </Note>
        </div>
      </Sheet>
    </>
  )
}

const COLOURS = [
  'paper',
  'surface',
  'sunken',
  'line',
  'control',
  'ink-3',
  'ink-2',
  'ink',
  'accent',
  'accent-soft',
  'ok',
  'wait',
  'bad',
  'back',
  'chart-1',
  'chart-2',
] as const

const SIZES = [34, 26, 20, 16, 14, 13, 12, 11] as const

export function TokenSheets() {
  const icons = Object.keys(ICON_PATHS) as IconName[]
  return (
    <>
      <Sheet title="Colours" about="Ink on paper, clay that points, four states" width={6}>
        <ul className="swt">
          {COLOURS.map((name) => (
            <li key={name}>
              <span style={{ background: `var(--${name})` }} />
              {name}
            </li>
          ))}
        </ul>
      </Sheet>
      <Sheet title="Type" about="Hanken Grotesk for words and figures, Atkinson Mono for codes">
        <ul className="scale">
          {SIZES.map((size) => (
            <li key={size}>
              <small className="sub">{size}</small>
              <span className="cut" style={{ fontSize: `var(--t-${size})`, lineHeight: 1.3 }}>
                Kedai Maju 18,462.35
              </span>
            </li>
          ))}
          <li>
            <small className="sub">mono</small>
            <span className="mono">60171180341 0O 1lI</span>
          </li>
        </ul>
      </Sheet>
      <Sheet title="Icons" about="One stroke on a grid of 16; always beside a word or with a name">
        <ul className="icons">
          {icons.map((name) => (
            <li key={name}>
              <Icon name={name} />
              {name}
            </li>
          ))}
        </ul>
      </Sheet>
    </>
  )
}

export function WaitingSheets() {
  const refused = new ApiProblem('It took longer than 8 seconds.', {
    status: 503,
    code: 'timeout',
    requestId: '0d5c9a1e',
  })
  const unknown = new ApiProblem('', { status: 0, code: 'no_answer' })
  return (
    <>
      <Sheet title="Empty" about="Says why it is empty and what fills it" width={2}>
        <div className="panel">
          <Empty
            title="No failed payments in these days"
            about="Everything that ended, ended well."
            action={<Button size="sm">Clear filters</Button>}
          />
        </div>
      </Sheet>
      <Sheet title="Loading" about="Bones after 300 ms, in the place of the rows" width={2}>
        <div className="panel">
          <Bones rows={4} />
        </div>
      </Sheet>
      <Sheet title="Error" about="What happened, whether anything was done, what to do" width={2}>
        <div className="panel">
          <ProblemPanel error={refused} title="The payments could not be read" onRetry={() => {}} />
        </div>
      </Sheet>
      <Sheet title="Not known" about="What was sent and not heard of is never called failed">
        <div className="stack tight">
          <ActionProblem error={unknown} />
          <ActionProblem error={refused} />
        </div>
      </Sheet>
      <Sheet title="Long work" about="Progress that can be left and found again">
        <div className="panel long">
          <div className="row">
            <b className="strong">Export of payments</b>
            <span className="sub push">18,500 of 42,180 rows</span>
          </div>
          <Progress label="Export of payments" share={0.44} />
          <p className="small sub">You can go on working. The file arrives whole or not at all.</p>
        </div>
      </Sheet>
    </>
  )
}
