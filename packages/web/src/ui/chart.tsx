import type { ReactNode, RefObject } from 'react'
import { useId, useLayoutEffect, useRef, useState } from 'react'
import { useText } from '../text/language.ts'
import { Button } from './button.tsx'
import { UI } from './messages.ts'

// Charts are SVG of our own: they take their colours from the tokens, print sharply, and cost no library. A chart
// library on a canvas would need its own colours for each theme and has nothing for screen readers.

export type ChartPoint = {
  /** Name of the point in the table, such as a day. */
  readonly label: string
  /** Value for the height of the mark; null leaves a gap. */
  readonly value: number | null
  /** Value as a person reads it, in the table and in hints. */
  readonly text: string
  /** True: the time of this point is not over, so that it is hatched. */
  readonly isOpen?: boolean
}

type ChartProps = {
  /** A sentence about what the chart shows; screen readers hear it instead of the drawing. */
  readonly label: string
  readonly points: readonly ChartPoint[]
  readonly colour?: 'chart-1' | 'chart-2' | 'chart-3'
  /** Labels below the axis, by index of the point. */
  readonly ticks?: readonly { readonly at: number; readonly text: string }[]
  /** Text of a value on the axis. */
  readonly axisText?: (value: number) => string
  /** Start of the axis. Bars begin at 0; a rate may begin higher, and then says so. */
  readonly from?: number
  readonly to?: number
}

const WIDTH = 352
const PLOT_WIDTH = 322
const TOP = 8
const BOTTOM = 100
const HEIGHT = 118

/** One bar for each point, beginning at 0. */
export function BarChart(props: ChartProps) {
  const { points, colour = 'chart-1', to } = props
  const hatch = useId()
  const scale = scaleOf(points, 0, to)
  const slot = PLOT_WIDTH / Math.max(1, points.length)
  const fill = `var(--${colour})`
  return (
    <ChartFrame {...props} scale={scale}>
      <defs>
        <pattern id={hatch} width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="4" height="4" fill="var(--surface)" />
          <rect width="2" height="4" fill={fill} />
        </pattern>
      </defs>
      {points.map(({ label, value, text, isOpen }, index) => {
        if (value === null) return null
        const y = yOf(scale, value)
        const [top, height] = value >= 0 ? [y, yOf(scale, 0) - y] : [yOf(scale, 0), y - yOf(scale, 0)]
        return (
          <rect
            key={label}
            x={index * slot + slot * 0.13}
            width={slot * 0.75}
            y={top}
            height={Math.max(height, 0.5)}
            rx="1.2"
            fill={value < 0 ? 'var(--bad)' : isOpen ? `url(#${hatch})` : fill}
            {...(isOpen ? { stroke: fill, strokeWidth: 1 } : {})}
          >
            <title>{`${label}: ${text}`}</title>
          </rect>
        )
      })}
    </ChartFrame>
  )
}

/** A line through the points; gaps stay gaps. */
export function LineChart(props: ChartProps) {
  const { points, colour = 'chart-3', from, to } = props
  const scale = scaleOf(points, from, to)
  const slot = PLOT_WIDTH / Math.max(1, points.length)
  const xOf = (index: number) => index * slot + slot / 2
  const runs = runsOf(points)
  // A point between two gaps has no line that would show it.
  const lone = new Set(runs.flatMap((run) => (run.length === 1 ? run.map(({ index }) => index) : [])))
  return (
    <ChartFrame {...props} scale={scale}>
      {runs
        .filter((run) => run.length > 1)
        .map((run) => (
          <polyline
            key={run[0]?.index}
            fill="none"
            stroke={`var(--${colour})`}
            strokeWidth="1.7"
            strokeLinejoin="round"
            points={run.map(({ index, value }) => `${xOf(index)},${yOf(scale, value)}`).join(' ')}
          />
        ))}
      {points.map(({ label, value, text, isOpen }, index) =>
        value === null ? null : (
          <circle
            key={label}
            cx={xOf(index)}
            cy={yOf(scale, value)}
            r={isOpen ? 3 : lone.has(index) ? 2.5 : 5}
            fill={isOpen ? 'var(--surface)' : lone.has(index) ? `var(--${colour})` : 'transparent'}
            {...(isOpen ? { stroke: `var(--${colour})`, strokeWidth: 1.7 } : {})}
          >
            <title>{`${label}: ${text}`}</title>
          </circle>
        ),
      )}
    </ChartFrame>
  )
}

type Scale = { readonly from: number; readonly to: number; readonly step: number }

function yOf({ from, to }: Scale, value: number): number {
  if (to === from) return BOTTOM
  const share = (Math.min(Math.max(value, from), to) - from) / (to - from)
  return BOTTOM - share * (BOTTOM - TOP)
}

/** Chooses an axis with two or three lines at round numbers. */
function scaleOf(points: readonly ChartPoint[], from = 0, to?: number): Scale {
  const values = points.flatMap(({ value }) => (value === null ? [] : [value]))
  const low = Math.min(from, ...values)
  const high = to ?? Math.max(from, ...values)
  const step = roundStep((high - low) / 2 || 1)
  return {
    from: low < from ? Math.floor(low / step) * step : from,
    to: to ?? Math.ceil(high / step) * step,
    step,
  }
}

function roundStep(wanted: number): number {
  const power = 10 ** Math.floor(Math.log10(wanted))
  const factor = [1, 2, 2.5, 5, 10].find((each) => each * power >= wanted) ?? 10
  return factor * power
}

type Run = { readonly index: number; readonly value: number }[]

function runsOf(points: readonly ChartPoint[]): Run[] {
  const runs: Run[] = []
  let isInRun = false
  for (const [index, { value }] of points.entries()) {
    if (value === null) isInRun = false
    else {
      if (!isInRun) runs.push([])
      runs.at(-1)?.push({ index, value })
      isInRun = true
    }
  }
  return runs
}

function ChartFrame({
  label,
  points,
  ticks = [],
  axisText = String,
  scale,
  children,
}: ChartProps & { scale: Scale; children: ReactNode }) {
  const lines: number[] = []
  for (let value = scale.from; value <= scale.to + scale.step / 1000; value += scale.step) lines.push(value)
  const slot = PLOT_WIDTH / Math.max(1, points.length)
  const drawing = useRef<SVGSVGElement>(null)
  useSteadyText(drawing)
  return (
    <svg ref={drawing} className="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      {lines.map((value) => (
        <g key={value}>
          <line
            className={value === 0 ? 'base' : 'ax'}
            x1="0"
            x2={PLOT_WIDTH}
            y1={yOf(scale, value)}
            y2={yOf(scale, value)}
          />
          <text x={PLOT_WIDTH + 5} y={yOf(scale, value) + 3.5}>
            {axisText(value)}
          </text>
        </g>
      ))}
      {children}
      {ticks.map(({ at, text }) => (
        <text
          key={at}
          x={at === points.length - 1 ? PLOT_WIDTH : at * slot + 1}
          y={HEIGHT - 3}
          textAnchor={at === points.length - 1 ? 'end' : 'start'}
        >
          {text}
        </text>
      ))}
    </svg>
  )
}

/** Tells the style how many units of the drawing are a pixel, so that texts keep their size in a drawing of any width. */
function useSteadyText(drawing: RefObject<SVGSVGElement | null>): void {
  useLayoutEffect(() => {
    const element = drawing.current
    if (element === null) return
    const tell = () => {
      const { width } = element.getBoundingClientRect()
      if (width > 0) element.style.setProperty('--unit', `${WIDTH / width}px`)
    }
    tell()
    const observer = new ResizeObserver(tell)
    observer.observe(element)
    return () => observer.disconnect()
  }, [drawing])
}

type ChartTable = {
  readonly caption: string
  readonly heads: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** The same figures as a table, for screen readers and for people who like numbers. */
export function TwinTable({ caption, heads, rows }: ChartTable) {
  return (
    <div className="scroll-x">
      <table className="tbl">
        <caption className="hide">{caption}</caption>
        <thead>
          <tr>
            {heads.map((head, index) => (
              <th key={head} scope="col" className={index === 0 ? undefined : 'r'}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row[0]}>
              {row.map((cell, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells are told apart by their column alone.
                <td key={index} className={index === 0 ? undefined : 'r'}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Switch between a chart and its table: the state, and the button that changes it. */
export function useTwin(): { readonly isTable: boolean; readonly button: ReactNode } {
  const text = useText(UI)
  const [isTable, setTable] = useState(false)
  const button = (
    <Button look="quiet" size="sm" icon="log" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
      {isTable ? text.showAsChart : text.showAsTable}
    </Button>
  )
  return { isTable, button }
}
