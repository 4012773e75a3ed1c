import { mkdirSync, writeFileSync } from 'node:fs'
import { arch, cpus, platform } from 'node:os'
import { kilobytes, printTable, round } from '../tests/bench/figures.ts'
import { type FirstLoad, measureFirstLoad } from '../tests/bench/first-load.ts'
import { fullEffort, measurePaint, type PaintFigures, quickEffort } from '../tests/bench/paint.ts'
import { fullSize, measureQueries, type QueryFigures, quickSize } from '../tests/bench/queries.ts'
import { startPostgres } from './postgres.ts'
import { buildIfStale } from './spa.ts'

/**
 * `npm run bench` measures everything; `--quick` with less of it; and words choose parts: load, paint, queries.
 * Prints tables, and writes the same as JSON to test-results/bench.json.
 */
const parts = ['load', 'paint', 'queries']
const words = process.argv.slice(2)
const isQuick = words.includes('--quick')
const named = parts.filter((part) => words.includes(part))
const wanted = named.length > 0 ? named : parts

const figures: {
  machine: string
  quick: boolean
  firstLoad?: FirstLoad[]
  paint?: PaintFigures[]
  queries?: QueryFigures[]
} = {
  machine: `${cpus().length} × ${cpus()[0]?.model}, ${platform()} ${arch()}, Node ${process.version}`,
  quick: isQuick,
}

if (wanted.includes('load') || wanted.includes('paint')) {
  if (!(await buildIfStale())) process.exit(1)
}
if (wanted.includes('load')) {
  figures.firstLoad = await measureFirstLoad()
  printFirstLoad(figures.firstLoad)
}
if (wanted.includes('paint')) {
  figures.paint = await measurePaint(isQuick ? quickEffort : fullEffort)
  printPaint(figures.paint)
}
if (wanted.includes('queries')) {
  const postgres = await startPostgres()
  if (postgres === null) console.log('\nNo PostgreSQL was found: its queries are not measured.')
  try {
    figures.queries = await measureQueries(isQuick ? quickSize : fullSize, postgres?.url)
  } finally {
    await postgres?.stop()
  }
  printQueries(figures.queries)
}

mkdirSync('test-results', { recursive: true })
writeFileSync('test-results/bench.json', `${JSON.stringify(figures, null, 2)}\n`)
console.log(`\n${figures.machine}\nAs JSON: test-results/bench.json`)

function printFirstLoad(loads: FirstLoad[]): void {
  const totals = loads.map(({ path, scripts, minified, gzip, brotli }) => ({
    path,
    scripts: scripts.length,
    'minified kB': kilobytes(minified),
    'gzip kB': kilobytes(gzip),
    'brotli kB': kilobytes(brotli),
  }))
  printTable('First load, JavaScript', totals)
  const packages = [...new Set(loads.flatMap(({ byPackage }) => Object.keys(byPackage)))]
  const rows = packages
    .map((name) => ({ name, sizes: loads.map(({ byPackage }) => byPackage[name] ?? 0) }))
    .toSorted((a, b) => Math.max(...b.sizes) - Math.max(...a.sizes))
    .map(({ name, sizes }) => ({
      package: name,
      ...Object.fromEntries(loads.map(({ path }, at) => [`${path} gzip kB`, kilobytes(sizes[at] ?? 0)])),
    }))
  printTable('The same by package', rows)
}

function printPaint(all: PaintFigures[]): void {
  for (const conversations of new Set(all.map((figure) => figure.conversations))) {
    const floor = all.find((figure) => figure.conversations === conversations && figure.subject === 'floor')
    const application = all.find((figure) => figure.conversations === conversations && figure.subject === 'application')
    if (!floor || !application) continue
    const lines: [string, (figure: PaintFigures) => number][] = [
      ['opening a conversation, p50 ms', ({ opening }) => opening.p50],
      ['opening a conversation, p95 ms', ({ opening }) => opening.p95],
      ...(['p50', 'p95', 'p99'] as const).map((p): [string, (figure: PaintFigures) => number] => [
        `event to paint at 10/s, ${p} ms`,
        ({ tenPerSecond }) => tenPerSecond[p],
      ]),
      ...(['p50', 'p95', 'p99'] as const).map((p): [string, (figure: PaintFigures) => number] => [
        `event to paint at 100/s, ${p} ms`,
        ({ hundredPerSecond }) => hundredPerSecond[p],
      ]),
      ['burst of 1,000 until painted, ms', ({ burstOfThousand }) => burstOfThousand.untilPainted],
      ...(['p50', 'p95', 'p99'] as const).map((p): [string, (figure: PaintFigures) => number] => [
        `event to paint in the burst, ${p} ms`,
        ({ burstOfThousand }) => burstOfThousand.events[p],
      ]),
      ['JavaScript heap, MB', ({ heapMegabytes }) => heapMegabytes],
    ]
    const rows = lines.map(([work, read]) => ({
      work,
      floor: read(floor),
      application: read(application),
      ratio: round(read(application) / read(floor)),
    }))
    printTable(`In the browser, ${conversations.toLocaleString('en')} conversations loaded`, rows)
  }
}

function printQueries(all: QueryFigures[]): void {
  const rows = all.map(({ query, kind, p50, p95, p99 }) => ({
    query,
    database: kind,
    'p50 ms': p50,
    'p95 ms': p95,
    'p99 ms': p99,
  }))
  const [first] = all
  const size = first
    ? `${first.conversations.toLocaleString('en')} conversations, ${first.messages.toLocaleString('en')} messages`
    : ''
  printTable(`Queries at ${size}`, rows)
}
