import { useState } from 'react'
import type { ProviderFailure, UnknownAnswerOfAProvider } from '../../api/operator.generated.ts'
import { useOperator } from '../../api/operator.ts'
import { dismissUnknownAnswer, mapUnknownAnswer } from '../../api/operator-acts.generated.ts'
import { whenText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { countText } from '../../text/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Note, State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { useMayChangeProviders } from '../catalog/parts.tsx'
import { ConsoleAct } from '../parts/act.tsx'
import { ANSWERS } from './answers-messages.ts'

type PanelProps = { readonly code: string }

/** Reasons for which the supplier refused orders, in its own words. */
export function FailuresPanel({ code }: PanelProps) {
  const text = useText(ANSWERS)
  const reading = useOperator('listProviderFailures', { params: { code } })
  const columns = useColumns()
  return (
    <Panel isFlush title={text.failures} about={text.failuresAbout}>
      <Loaded reading={reading} bones={2} empty={<p className="sub small pad">{text.noFailures}</p>}>
        {({ data }) => (
          <Table
            caption={text.failures}
            columns={columns}
            rows={data}
            rowKey={({ word, outcome, code: ours }) => [word, outcome, ours].join(' ')}
          />
        )}
      </Loaded>
    </Panel>
  )
}

function useColumns(): readonly Column<ProviderFailure>[] {
  const text = useText(ANSWERS)
  const codeText = useCodeText()
  return [
    {
      key: 'outcome',
      head: text.state,
      folded: 'shape',
      cell: ({ outcome }) => (
        <State tone={outcome === 'failed' ? 'bad' : 'wait'}>{text.outcomes[outcome]}</State>
      ),
    },
    {
      key: 'word',
      head: text.word,
      folded: 'name',
      className: 'wide-text',
      cell: ({ word }) =>
        word === null ? <span className="sub">{text.noWord}</span> : <span className="mono">{word}</span>,
    },
    { key: 'code', head: text.ourCode, folded: 'detail', cell: ({ code }) => codeText(code) },
    {
      key: 'count',
      head: text.times,
      isRight: true,
      folded: 'amount',
      cell: ({ count }) => countText(count),
    },
    {
      key: 'last',
      head: text.last,
      folded: 'time',
      className: 'nowrap',
      cell: ({ last_at: at }) => whenText(at),
    },
  ]
}

function useCodeText(): (code: number) => string {
  const { codes } = useText(ANSWERS)
  return (code) => {
    const words = (codes as Readonly<Record<number, string>>)[code]
    return words === undefined ? String(code) : `${code} ${words}`
  }
}

type Opened = { readonly kind: 'map' | 'dismiss'; readonly answer: UnknownAnswerOfAProvider }

/** Words of the supplier that no table knows. Orders with one wait until somebody says what it means. */
export function WordsPanel({ code }: PanelProps) {
  const text = useText(ANSWERS)
  const mayChange = useMayChangeProviders()
  const reading = useOperator('listUnknownAnswers', { params: { code } })
  const [opened, setOpened] = useState<Opened | undefined>(undefined)
  return (
    <Panel isFlush title={text.words} count={reading.data?.data.length || undefined}>
      <Loaded reading={reading} bones={1} empty={<p className="sub small pad">{text.noWords}</p>}>
        {({ data }) => (
          <ul className="list">
            {data.map((answer) => (
              <li key={answer.id}>
                <div className="t">
                  <b className="mono anywhere">{answer.value}</b>
                  <small>
                    {text.wordAt(answer.operation, answer.path)}, {text.seen(answer.count)},{' '}
                    {whenText(answer.last_at)}
                  </small>
                  <details className="small">
                    <summary>{text.sample}</summary>
                    <pre className="code wrap">{answer.sample}</pre>
                  </details>
                  {mayChange ? (
                    <p className="row wrap">
                      <Button size="sm" onClick={() => setOpened({ kind: 'map', answer })}>
                        {text.map}
                      </Button>
                      <Button
                        size="sm"
                        look="quiet"
                        aria-label={text.dismissWord(answer.value)}
                        onClick={() => setOpened({ kind: 'dismiss', answer })}
                      >
                        {text.dismiss}
                      </Button>
                    </p>
                  ) : null}
                </div>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {opened?.kind === 'map' ? (
        <MapDialog code={code} answer={opened.answer} onClose={() => setOpened(undefined)} />
      ) : null}
      {opened?.kind === 'dismiss' ? (
        <ConsoleAct
          act={dismissUnknownAnswer}
          input={{ params: { code, id: opened.answer.id } }}
          title={text.dismissWord(opened.answer.value)}
          action={text.dismiss}
          done={text.dismissed}
          refresh={STALE}
          onClose={() => setOpened(undefined)}
        >
          <p className="mid">{text.dismissAbout}</p>
        </ConsoleAct>
      ) : null}
    </Panel>
  )
}

const STALE = ['listUnknownAnswers', 'getProvider', 'getProviderPack', 'listApprovals'] as const

type Operation = UnknownAnswerOfAProvider['operation']
type Meaning = keyof (typeof ANSWERS)['en']['meanings']

/** Meanings that the tables of each question can have; waiting comes first. */
const MEANINGS: Readonly<Record<Operation, readonly Meaning[]>> = {
  submit: ['pending', 'succeeded', 'failed', 'not_acted'],
  query: ['pending', 'succeeded', 'failed', 'not_acted', 'not_found', 'reversed'],
  fetch: ['pending', 'succeeded'],
  callback: ['pending', 'succeeded', 'failed', 'reversed'],
  void: ['pending', 'approved', 'refused'],
}
/** Meanings that name a code. */
const CODED: readonly unknown[] = ['failed', 'not_acted', 'reversed']

type MapDialogProps = {
  readonly code: string
  readonly answer: UnknownAnswerOfAProvider
  readonly onClose: () => void
}

function MapDialog({ code, answer: { id, operation, value, sample }, onClose }: MapDialogProps) {
  const text = useText(ANSWERS)
  const codeText = useCodeText()
  return (
    <ConsoleAct
      act={mapUnknownAnswer}
      input={{ params: { code, id } }}
      title={text.mapTitle(value)}
      action={text.map}
      asked={text.asked}
      done={text.mapped}
      refresh={STALE}
      from={{ outcome: 'pending' }}
      fields={({ outcome }) => ({
        outcome: {
          label: text.meaning,
          options: MEANINGS[operation].map((name) => ({ value: name, label: text.meanings[name] })),
        },
        ...(CODED.includes(outcome) && {
          failure: {
            label: text.ourCode,
            isNeeded: outcome === 'failed',
            placeholder: text.chooseCode,
            options: Object.keys(text.codes).map((each) => ({ value: each, label: codeText(Number(each)) })),
          },
        }),
      })}
      onClose={onClose}
    >
      {({ outcome }) => (
        <>
          <pre className="code wrap">{sample}</pre>
          {outcome === 'pending' ? (
            <p className="mid">{text.pendingAbout}</p>
          ) : (
            <Note tone="back">{text.secondPerson}</Note>
          )}
        </>
      )}
    </ConsoleAct>
  )
}
