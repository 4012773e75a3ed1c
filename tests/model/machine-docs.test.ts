import { globSync, readFileSync } from 'node:fs'
import { sep } from 'node:path'
import { getStateNodes } from '@xstate/graph'
import { describe, expect, test } from 'vitest'
import { createMachine } from 'xstate'
import { allMachines, docsFolder, machineDocs } from '../../scripts/machine-docs/machine-docs.ts'

describe('the documents of the machines', () => {
  test('are as the machines are (npm run docs draws them anew)', async () => {
    const written = globSync(`${docsFolder}/*`).map((file) => file.split(sep).join('/'))
    expect(Object.fromEntries(written.map((file) => [file, readFileSync(file, 'utf8')]))).toEqual(
      Object.fromEntries(await machineDocs()),
    )
  })

  test('hold exports that make machines of the same states', async () => {
    const documents = await machineDocs()
    const machines = await allMachines()
    const ids = (machine: Parameters<typeof getStateNodes>[0]) => getStateNodes(machine).map((node) => node.id)
    const exported = machines.map(({ name }) =>
      createMachine(JSON.parse(documents.get(`${docsFolder}/${name}.json`) ?? '')),
    )
    expect(exported.map(ids)).toEqual(machines.map(({ machine }) => ids(machine)))
  })
})
