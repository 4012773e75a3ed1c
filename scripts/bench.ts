import { mkdirSync, writeFileSync } from 'node:fs'
import { arch, cpus, platform } from 'node:os'
import { type ColdStart, measureColdStart, slowdown } from '../tests/bench/cold-start.ts'
import { kilobytes, printTable, round, type Spread } from '../tests/bench/figures.ts'
import { type FirstLoad, measureFirstLoad } from '../tests/bench/first-load.ts'
import {
  fullEffort as fullHostileEffort,
  type HostileFigures,
  measureHostile,
  quickEffort as quickHostileEffort,
} from '../tests/bench/hostile.ts'
import { fullImport, type ImportFigures, measureImports, quickImport } from '../tests/bench/imports.ts'
import {
  fullEffort as fullThreadEffort,
  type LongThreadFigures,
  measureLongThread,
  quickEffort as quickThreadEffort,
} from '../tests/bench/long-thread.ts'
import { fullEffort, measurePaint, type PaintFigures, quickEffort } from '../tests/bench/paint.ts'
import { fullSize, largeSize, measureQueries, type QueryFigures, quickSize } from '../tests/bench/queries.ts'
import { fullReports, measureReports, quickReports, type ReportFigures } from '../tests/bench/reports.ts'
import { fullScale, measureScale, quickScale, type ScaleFigures } from '../tests/bench/scale.ts'
import { fullSearch, measureSearch, quickSearch, type SearchFigures } from '../tests/bench/search.ts'
import { measureWarmStart, type WarmStart } from '../tests/bench/warm-start.ts'
import { startPostgres } from './postgres.ts'
import { buildIfStale } from './spa.ts'

/**
 * `npm run bench` measures everything. `--quick` uses less data, `--large` 10 million messages for the queries. Words select
 * parts: load, warm, cold, paint, thread, queries, search, reports, hostile, imports, scale.
 * Prints tables and writes them as JSON to test-results/bench.json.
 */
const parts = ['load', 'warm', 'cold', 'paint', 'thread', 'queries', 'search', 'reports', 'imports', 'hostile', 'scale']
const words = process.argv.slice(2)
const isQuick = words.includes('--quick')
const querySize = words.includes('--large') ? largeSize : isQuick ? quickSize : fullSize
const named = parts.filter((part) => words.includes(part))
const wanted = named.length > 0 ? named : parts
const slowCpu = `CPU × ${slowdown}`

const figures: {
  machine: string
  quick: boolean
  firstLoad?: FirstLoad[]
  warmStart?: { normal: WarmStart; slow: WarmStart }
  coldStart?: ColdStart
  paint?: PaintFigures[]
  longThread?: LongThreadFigures[]
  queries?: QueryFigures[]
  search?: SearchFigures[]
  reports?: ReportFigures[]
  imports?: ImportFigures[]
  hostile?: HostileFigures[]
  scale?: ScaleFigures[]
} = {
  machine: `${cpus().length} × ${cpus()[0]?.model}, ${platform()} ${arch()}, Node ${process.version}`,
  quick: isQuick,
}

if (wanted.some((part) => !['queries', 'search', 'reports', 'imports', 'hostile', 'scale'].includes(part))) {
  if (!(await buildIfStale())) process.exit(1)
}
if (wanted.includes('load')) {
  figures.firstLoad = await measureFirstLoad()
  printFirstLoad(figures.firstLoad)
}
if (wanted.includes('warm')) {
  const starts = isQuick ? 5 : 20
  figures.warmStart = { normal: await measureWarmStart(starts, 1), slow: await measureWarmStart(starts, slowdown) }
  const { normal, slow } = figures.warmStart
  printTable('Second start, all answers of the API held back: from the navigation to the paint', [
    { of: 'the list', 'p50 ms': normal.list.p50, 'p95 ms': normal.list.p95, 'goal ms': 300 },
    { of: 'the thread', 'p50 ms': normal.thread.p50, 'p95 ms': normal.thread.p95, 'goal ms': 300 },
    { of: `the list, ${slowCpu}`, 'p50 ms': slow.list.p50, 'p95 ms': slow.list.p95, 'goal ms': 500 },
    { of: `the thread, ${slowCpu}`, 'p50 ms': slow.thread.p50, 'p95 ms': slow.thread.p95, 'goal ms': 500 },
  ])
}
if (wanted.includes('cold')) {
  figures.coldStart = await measureColdStart(isQuick ? 2 : 5)
  const { lean, application } = figures.coldStart
  printTable(
    `First start with a stored session, ${slowCpu}, slow 4G: from the navigation to the paint of the first rows`,
    [
      { screen: 'lean', 'p50 ms': lean.p50, 'to lean': 1, goal: '' },
      { screen: 'application', 'p50 ms': application.p50, 'to lean': round(application.p50 / lean.p50), goal: '1.2' },
    ],
  )
}
if (wanted.includes('paint')) {
  figures.paint = await measurePaint(isQuick ? quickEffort : fullEffort)
  printPaint(figures.paint)
  printGrowth(figures.paint)
}
if (wanted.includes('thread')) {
  figures.longThread = await measureLongThread(isQuick ? quickThreadEffort : fullThreadEffort)
  printLongThread(figures.longThread)
}
if (wanted.includes('queries')) {
  const postgres = await startPostgres()
  if (postgres === null) console.log('\nPostgreSQL is not installed, so its queries are not measured.')
  try {
    figures.queries = await measureQueries(querySize, postgres?.url)
  } finally {
    await postgres?.stop()
  }
  printQueries(figures.queries)
}

if (wanted.includes('search')) {
  const postgres = await startPostgres()
  if (postgres === null) console.log('\nPostgreSQL is not installed, so the embedded database alone is searched.')
  try {
    figures.search = await measureSearch(isQuick ? quickSearch : fullSearch, postgres?.url)
  } finally {
    await postgres?.stop()
  }
  printSearch(figures.search)
}

if (wanted.includes('reports')) {
  const postgres = await startPostgres()
  if (postgres === null) console.log('\nPostgreSQL is not installed, so the reports are not measured.')
  else {
    try {
      figures.reports = await measureReports(isQuick ? quickReports : fullReports, postgres.url)
    } finally {
      await postgres.stop()
    }
    const messages = figures.reports[0]?.events.messages.toLocaleString('en')
    printTable(
      `Reports from the events of ${messages} messages`,
      figures.reports.map(({ report, p50, p95 }) => ({ report, 'p50 ms': p50, 'p95 ms': p95, 'goal ms': 200 })),
    )
  }
}
if (wanted.includes('imports')) {
  const postgres = await startPostgres()
  if (postgres === null) console.log('\nPostgreSQL is not installed, so the embedded database alone is measured.')
  try {
    figures.imports = await measureImports(isQuick ? quickImport : fullImport, postgres?.url)
  } finally {
    await postgres?.stop()
  }
  printTable(
    'Import of a CSV file of orders, in seconds; memory in MB above the start',
    figures.imports.map(({ upload, read, check, run, again, memory, ...named }) => ({
      ...named,
      upload: round(upload),
      read: round(read),
      check: round(check),
      run: round(run),
      'the same file again': round(again),
      memory: round(memory),
    })),
  )
}
if (wanted.includes('hostile')) {
  const postgres = await startPostgres()
  if (postgres === null) console.log('\nPostgreSQL is not installed, so the embedded database alone is attacked.')
  try {
    figures.hostile = await measureHostile(isQuick ? quickHostileEffort : fullHostileEffort, postgres?.url)
  } finally {
    await postgres?.stop()
  }
  printHostile(figures.hostile)
}

if (wanted.includes('scale')) {
  const postgres = await startPostgres()
  if (postgres === null) console.log('\nPostgreSQL is not installed, so the embedded database alone is measured.')
  try {
    figures.scale = await measureScale(isQuick ? quickScale : fullScale, postgres?.url)
  } finally {
    await postgres?.stop()
  }
  printScale(figures.scale)
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
    const of = (subject: PaintFigures['subject']) =>
      all.find((figure) => figure.conversations === conversations && figure.subject === subject)
    const [baseline, lean, application] = [of('baseline'), of('lean'), of('application')]
    if (!baseline || !lean || !application) continue
    const lines: [string, (figure: PaintFigures) => number, number?][] = [
      ['opening a conversation, p50 ms', ({ opening }) => opening.paint.p50],
      ['opening a conversation, p95 ms', ({ opening }) => opening.paint.p95, 1.5],
      ['opening a conversation, CPU ms', ({ opening }) => opening.work.cpu],
      ['opening a conversation, layouts', ({ opening }) => opening.work.layouts],
      ...(['p50', 'p95', 'p99'] as const).map((p): [string, (figure: PaintFigures) => number] => [
        `event to paint at 10/s, ${p} ms`,
        ({ tenPerSecond }) => tenPerSecond.paint[p],
      ]),
      ['an event at 10/s, CPU ms', ({ tenPerSecond }) => tenPerSecond.work.cpu],
      ['event to paint at 100/s, p50 ms', ({ hundredPerSecond }) => hundredPerSecond.paint.p50],
      ['event to paint at 100/s, p95 ms', ({ hundredPerSecond }) => hundredPerSecond.paint.p95, 1.3],
      ['event to paint at 100/s, p99 ms', ({ hundredPerSecond }) => hundredPerSecond.paint.p99],
      ['events at 100/s ever painted, %', ({ hundredPerSecond }) => hundredPerSecond.painted],
      ['an event at 100/s, CPU ms', ({ hundredPerSecond }) => hundredPerSecond.work.cpu],
      ['burst of 1,000 until painted, ms', ({ burstOfThousand }) => burstOfThousand.untilPainted, 1.5],
      ['burst of 1,000, CPU ms', ({ burstOfThousand }) => burstOfThousand.work.cpu],
      ...(['p50', 'p95', 'p99'] as const).map((p): [string, (figure: PaintFigures) => number] => [
        `event to paint in the burst, ${p} ms`,
        ({ burstOfThousand }) => burstOfThousand.events[p],
      ]),
      ['mounting the screen, CPU ms', ({ mount }) => mount.cpu, 2],
      ['blank while scrolling fast, % of frames', ({ blankFrames }) => blankFrames],
      ['JavaScript heap, MB', ({ heap }) => heap, 2],
    ]
    const toLean = ratios(lean, application, lines)
    const rows = ratios(baseline, application, lines).map(({ budget, ...row }, at) => ({
      ...row,
      lean: toLean[at]?.baseline ?? 0,
      'to lean': toLean[at]?.ratio ?? '',
      budget,
    }))
    printTable(`In the browser, ${conversations.toLocaleString('en')} conversations loaded`, rows)
  }
}

function printLongThread(all: LongThreadFigures[]): void {
  const [baseline, application] = all
  if (!baseline || !application) return
  const rows = ratios(baseline, application, [
    ['opening the thread, p50 ms', ({ opening }) => opening.paint.p50],
    ['opening the thread, p95 ms', ({ opening }) => opening.paint.p95, 1.5],
    ['opening the thread, CPU ms', ({ opening }) => opening.work.cpu],
    ['an older page, p50 ms', ({ olderPage }) => olderPage.paint.p50],
    ['an older page, p95 ms', ({ olderPage }) => olderPage.paint.p95],
    ['an older page, CPU ms', ({ olderPage }) => olderPage.work.cpu],
    ['blank while scrolling fast, % of frames', ({ blankFrames }) => blankFrames],
    ['event to paint at 10/s, p50 ms', ({ tenPerSecond }) => tenPerSecond.paint.p50],
    ['event to paint at 10/s, p95 ms', ({ tenPerSecond }) => tenPerSecond.paint.p95, 1.3],
    ['an event at 10/s, CPU ms', ({ tenPerSecond }) => tenPerSecond.work.cpu],
    ['JavaScript heap with all messages, MB', ({ heap }) => heap, 2],
  ])
  printTable(`In the browser, a thread of ${baseline.messages.toLocaleString('en')} messages`, rows)
}

function ratios<Figures>(
  baseline: Figures,
  application: Figures,
  lines: readonly [string, (figures: Figures) => number, number?][],
) {
  return lines.map(([work, read, budget]) => ({
    work,
    baseline: read(baseline),
    application: read(application),
    ratio: read(baseline) === 0 ? '' : round(read(application) / read(baseline)),
    budget: budget ?? '',
  }))
}

/** The heap per additional conversation, without the code, which is loaded once. */
function printGrowth(all: PaintFigures[]): void {
  const rows = (['baseline', 'application'] as const).flatMap((subject) => {
    const sizes = all.filter((figure) => figure.subject === subject)
    const [smallest, largest] = [sizes.at(0), sizes.at(-1)]
    if (!smallest || !largest || smallest === largest) return []
    const bytes = ((largest.heap - smallest.heap) * 1_000_000) / (largest.conversations - smallest.conversations)
    return [{ subject, 'bytes per conversation': Math.round(bytes) }]
  })
  if (rows.length > 0) printTable('JavaScript heap per further conversation', rows)
}

function printQueries(all: QueryFigures[]): void {
  const rows = all.map(({ query, kind, alone, besideWrites }) => ({
    query,
    database: kind,
    'p50 ms': alone.p50,
    'p95 ms': alone.p95,
    'beside writes, p50 ms': besideWrites.p50,
    'beside writes, p95 ms': besideWrites.p95,
  }))
  const [first] = all
  const size = first
    ? `${first.conversations.toLocaleString('en')} conversations, ${first.messages.toLocaleString('en')} messages`
    : ''
  printTable(`Queries at ${size}`, rows)
}

function printSearch(all: SearchFigures[]): void {
  for (const { kind, messages, terms, insert, index } of all) {
    const rows = terms.map(({ term, alone, besideWrites }) => ({
      term,
      'p50 ms': alone.p50,
      'p95 ms': alone.p95,
      'beside writes, p50 ms': besideWrites.p50,
      'beside writes, p95 ms': besideWrites.p95,
    }))
    printTable(`Search in ${messages.toLocaleString('en')} messages, ${kind}`, rows)
    printTable(`The index of words, ${kind}`, [
      {
        'storing a message, ms': round(insert.without),
        'with the index, ms': round(insert.with),
        'bytes a message': round(index),
      },
    ])
  }
}

/** 95th percentiles, and in brackets their ratios to those without a load. */
function printHostile(all: HostileFigures[]): void {
  for (const kind of new Set(all.map((figure) => figure.kind))) {
    const [quiet, ...attacked] = all.filter((figure) => figure.kind === kind)
    if (quiet === undefined) continue
    const cell = (of: Spread, reference: Spread) => `${of.p95} (${round(of.p95 / reference.p95)})`
    const rows = [quiet, ...attacked].map(({ load, acknowledgement, list, sync }) => ({
      'while there is': load,
      'acknowledgement of a webhook, p95 ms (ratio)': cell(acknowledgement, quiet.acknowledgement),
      'first page of the list': cell(list, quiet.list),
      'sync of a conversation': cell(sync, quiet.sync),
    }))
    printTable(`Under load, ${kind}`, rows)
  }
}

function printScale(all: ScaleFigures[]): void {
  for (const { kind, processes } of all.filter(({ load }) => load === 'full load')) {
    const rows = all
      .filter((figure) => figure.kind === kind && figure.processes === processes)
      .map((figure) => ({
        load: figure.load,
        'messages/s': figure.perSecond,
        'acknowledgement p50 / p99 ms': `${figure.acknowledgement.p50} / ${figure.acknowledgement.p99}`,
        'to the socket p50 / p99 ms': `${figure.toSocket.p50} / ${figure.toSocket.p99}`,
        'CPU a message, Node ms': figure.nodeCpu,
        'database ms': figure.databaseCpu ?? '–',
        'list p95 ms': figure.list.p95,
        'drained after ms': figure.drained,
        lost: figure.lost,
        doubled: figure.doubled,
        'HOT updates': figure.updates === null ? '–' : `${figure.updates.hot} of ${figure.updates.all}`,
      }))
    printTable(`Webhooks to 40 sockets, ${kind}, ${processes === 1 ? 'one process' : `${processes} processes`}`, rows)
  }
}
