import { globSync, readFileSync } from 'node:fs'
import * as z from 'zod/mini'

const walk = z.nullable(z.object({ declared: z.number(), done: z.number() }))
const report = z.object({
  file: z.string(),
  walked: z.record(z.string(), z.object({ paths: z.number(), states: walk, transitions: walk })),
})

type Row = { machine: string; states: Walk; transitions: Walk; paths: number; pathsInViews: number }
type Walk = z.infer<typeof walk>
const cell = (count: Walk) => (count === null ? '' : `${count.done} of ${count.declared}`)
/** The more complete walk of one machine. */
const better = (one: Walk, other: Walk): Walk => ((one?.done ?? -1) >= (other?.done ?? -1) ? one : other)

/** The walked machines, with the covered and declared numbers of states and transitions; empty without walks. */
export function walksTable(folder: string): string[] {
  const rows = new Map<string, Row>()
  for (const path of globSync(`${folder}/*.json`)) {
    const { file, walked } = report.parse(JSON.parse(readFileSync(path, 'utf8')))
    for (const [machine, { paths, states, transitions }] of Object.entries(walked)) {
      const row = rows.get(machine) ?? { machine, states: null, transitions: null, paths: 0, pathsInViews: 0 }
      rows.set(machine, row)
      if (file.startsWith('views/')) {
        row.pathsInViews += paths
      } else {
        row.paths += paths
        row.states = better(states, row.states)
        row.transitions = better(transitions, row.transitions)
      }
    }
  }
  if (rows.size === 0) return []
  const line = (cells: readonly (string | number)[]) =>
    cells.map((cell, index) => (index === 0 ? String(cell).padEnd(18) : String(cell).padStart(14))).join('')
  const sorted = [...rows.values()].sort((a, b) => (a.machine < b.machine ? -1 : 1))
  return [
    line(['machine', 'states', 'transitions', 'paths', 'in views']),
    ...sorted.map((row) => line([row.machine, cell(row.states), cell(row.transitions), row.paths, row.pathsInViews])),
  ]
}
