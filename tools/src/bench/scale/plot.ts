const WIDTH = 720
const HEIGHT = 420
const LEFT = 70
const RIGHT = 210
const TOP = 40
const BOTTOM = 50
const COLORS = [
  '#1f5f8b',
  '#b3541e',
  '#3a7d44',
  '#8e3b8e',
  '#a08000',
  '#5b5b5b',
  '#c0392b',
  '#16807a',
  '#6b4ce6',
]

type Line = { name: string; points: { x: number; y: number }[] }
type Plot = { title: string; xLabel: string; yLabel: string; lines: Line[] }
type Scale = { decades: number[]; at(value: number): number }

/**
 * Draws lines over logarithmic axes as SVG. A cost that grows with the size is a line that rises by one decade for each
 * decade of size; a cost that does not grow is level.
 */
export function drawGrowth({ title, xLabel, yLabel, lines }: Plot) {
  const points = lines.flatMap((line) => line.points)
  const x = scaleOf(
    points.map((point) => point.x),
    [LEFT, WIDTH - RIGHT],
  )
  const y = scaleOf(
    points.map((point) => point.y),
    [HEIGHT - BOTTOM, TOP],
  )
  const parts = [
    `<title>${escaped(title)}</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    text(LEFT, 22, title, { size: 15, weight: 'bold' }),
    ...y.decades.map((decade) => gridLine(LEFT, y.at(decade), WIDTH - RIGHT, y.at(decade))),
    ...y.decades.map((decade) => text(LEFT - 8, y.at(decade) + 4, short(decade), { anchor: 'end' })),
    ...x.decades.map((decade) => gridLine(x.at(decade), TOP, x.at(decade), HEIGHT - BOTTOM)),
    ...x.decades.map((decade) =>
      text(x.at(decade), HEIGHT - BOTTOM + 18, short(decade), { anchor: 'middle' }),
    ),
    text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, xLabel, { anchor: 'middle' }),
    text(LEFT, TOP - 4, yLabel),
    ...lines.flatMap((line, index) =>
      drawLine(line, COLORS[index % COLORS.length] ?? '#222222', index, { x, y }),
    ),
  ]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">\n${parts.join('\n')}\n</svg>\n`
}

function drawLine({ name, points }: Line, color: string, index: number, { x, y }: { x: Scale; y: Scale }) {
  const places = points.map((point) => `${x.at(point.x).toFixed(1)},${y.at(point.y).toFixed(1)}`)
  const legendY = TOP + 10 + index * 20
  const legendX = WIDTH - RIGHT + 16
  return [
    `<polyline points="${places.join(' ')}" fill="none" stroke="${color}" stroke-width="2"/>`,
    ...places.map((place) => {
      const [cx, cy] = place.split(',')
      return `<circle cx="${cx}" cy="${cy}" r="3" fill="${color}"/>`
    }),
    `<rect x="${legendX}" y="${legendY - 8}" width="12" height="4" fill="${color}"/>`,
    text(legendX + 18, legendY - 2, name),
  ]
}

/** Makes a logarithmic scale that begins and ends at powers of ten. */
function scaleOf(values: number[], [start, end]: [number, number]): Scale {
  const positive = values.map((value) => Math.max(value, 0.1))
  const first = Math.floor(Math.log10(Math.min(...positive)))
  const last = Math.max(first + 1, Math.ceil(Math.log10(Math.max(...positive))))
  return {
    decades: Array.from({ length: last - first + 1 }, (_, index) => 10 ** (first + index)),
    at: (value: number) =>
      start + ((Math.log10(Math.max(value, 0.1)) - first) / (last - first)) * (end - start),
  }
}

function gridLine(x1: number, y1: number, x2: number, y2: number) {
  return `<line x1="${x1.toFixed(1)}" y1="${y1.toFixed(1)}" x2="${x2.toFixed(1)}" y2="${y2.toFixed(1)}" stroke="#dddddd"/>`
}

function text(
  x: number,
  y: number,
  content: string,
  { anchor = 'start', size = 12, weight = 'normal' } = {},
) {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" font-size="${size}" font-weight="${weight}" fill="#222222">${escaped(content)}</text>`
}

const escaped = (content: string) => content.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

function short(value: number) {
  if (value >= 1_000_000) return `${value / 1_000_000} M`
  return value >= 1_000 ? `${value / 1_000} k` : String(Number(value.toPrecision(1)))
}
