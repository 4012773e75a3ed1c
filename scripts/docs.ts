import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { docsFolder, machineDocs } from './machine-docs/machine-docs.ts'
import { projectRoot } from './project.ts'

const documents = await machineDocs()
rmSync(join(projectRoot, docsFolder), { recursive: true, force: true })
mkdirSync(join(projectRoot, docsFolder), { recursive: true })
for (const [path, text] of documents) writeFileSync(join(projectRoot, path), text)
console.log(`${documents.size} files in ${docsFolder}`)
