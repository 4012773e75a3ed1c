import { globSync } from 'node:fs'
import { join, sep } from 'node:path'
import { getStateNodes } from '@xstate/graph'
import { StateMachine } from 'xstate'
import { projectRoot } from '../project.ts'
import { codeOf } from './code.ts'
import { diagramOf } from './diagram.ts'

/** The folder of the documents, relative to the root. */
export const docsFolder = 'docs/machines'

/** The machine as code for the Stately editor, by path relative to the root. */
export const codeFile = (name: string) => `${docsFolder}/${name}.machine.js`

/** The up-to-date documents of all machines, by path relative to the root. */
export async function machineDocs(): Promise<Map<string, string>> {
  const machines = await allMachines()
  const documents = machines.flatMap(({ name, source, machine }): [string, string][] => [
    [`${docsFolder}/${name}.md`, page(name, source, diagramOf(machine))],
    [codeFile(name), codeOf(machine, source)],
  ])
  return new Map([[`${docsFolder}/README.md`, index(machines)], ...documents])
}

type Found = { name: string; source: string; machine: StateMachineOf }
type StateMachineOf = Parameters<typeof diagramOf>[0]

/** All machines exported in src/machines, sorted by name. */
export async function allMachines(): Promise<Found[]> {
  const files = globSync('src/machines/**/*.ts', { cwd: projectRoot }).map((file) => file.split(sep).join('/'))
  const found = await Promise.all(files.sort().map(machinesIn))
  return found.flat().sort((a, b) => a.name.localeCompare(b.name))
}

async function machinesIn(source: string): Promise<Found[]> {
  const exported: Record<string, unknown> = await import(join(projectRoot, source))
  return Object.values(exported).flatMap((value) =>
    value instanceof StateMachine ? [{ name: value.id, source, machine: value }] : [],
  )
}

const page = (name: string, source: string, diagram: string) => `# ${name}

Drawn from [\`${source}\`](../../${source}) by \`npm run docs\`. As code for the Stately editor: [\`${name}.machine.js\`](${name}.machine.js).

\`\`\`mermaid
${diagram}
\`\`\`
`

function index(machines: readonly Found[]): string {
  const rows = machines.map(({ name, source, machine }) => {
    const nodes = getStateNodes(machine)
    const states = nodes.filter((node) => Object.keys(node.states).length === 0).length
    const transitions = [machine.root, ...nodes]
      .map((node) => [...node.transitions.values()].flat().length + (node.always ?? []).length)
      .reduce((sum, count) => sum + count, 0)
    return `| [${name}](${name}.md) | ${states} | ${transitions} | [\`${source}\`](../../${source}) |`
  })
  return `# The machines

Every stateful concern of the application is one of these. Each file holds a diagram that is generated from the code. \`npm run docs\` regenerates them, and the tests fail if one is outdated. In a diagram, *anywhere in x* is a composite state: its transitions apply in each of its states.

| machine | states | transitions | source |
|---|---|---|---|
${rows.join('\n')}

## In the Stately visualiser

- **With the application running**: \`npm run inspect\` shows the running machines beside the application, with all texts masked. A button opens them in the Stately inspector.
- **One machine**: in [the editor](https://stately.ai/editor) choose *Import from code* and paste the machine's \`.machine.js\` file. The file holds all states and transitions, guards with their operands, and the events that are raised or sent. Actors, guards, actions and delays are stubs: their code stays in the source. A child that an action starts is named in the machine's description.
- **From the source**: the editor's extension for VS Code opens a file of \`src/machines\` directly.
`
}
