import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../../../server/database/open-database.ts'
import { childEnvironment } from '../child-environment.ts'
import { anyKind, createEmbeddedIn, createMigratedOnServer, databaseKinds } from '../databases.ts'
import { addIdentity, addMessage, addPage } from '../people.ts'
import { columnsWith } from './catalogue.ts'

const script = fileURLToPath(new URL('../../../scripts/person.ts', import.meta.url))
const directory = mkdtempSync(join(tmpdir(), 'staff-inbox-person-'))
const cleanUp: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const clean of cleanUp.splice(0)) await clean()
  rmSync(directory, { recursive: true, force: true })
})

describe.each(databaseKinds())('npm run person (%s)', (kind) => {
  it('exports and erases a person; with the embedded database only while the server is stopped', async () => {
    const place = { dataDir: join(directory, kind), databaseUrl: undefined as string | undefined }
    if (kind === 'server') {
      const { url, drop } = await createMigratedOnServer()
      place.databaseUrl = url
      cleanUp.push(drop)
    } else await createEmbeddedIn(place.dataDir)
    const open = () =>
      openDatabase(place.databaseUrl === undefined ? { dataDir: place.dataDir } : { databaseUrl: place.databaseUrl })
    const runWith = (...words: string[]) => {
      const env = { ...childEnvironment(), DATA_DIR: place.dataDir, DATABASE_URL: place.databaseUrl }
      return spawn(process.execPath, [script, ...words], { env })
    }
    const run = async (...words: string[]) => {
      const child = runWith(...words)
      const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
      return { output, errors, code }
    }

    const { db, close } = await open()
    await addPage(db, 'p1')
    await addIdentity(db, 'u1', { page: 'p1', name: 'Ana Cruz' })
    // More than a pipe holds.
    for (let index = 0; index < 100; index++) {
      await addMessage(db, `m${index}`, 'u1', index, { message_text: 'x'.repeat(5_000) })
    }
    await addIdentity(db, 'u2', { page: 'p1', name: 'Ben Lim' })
    if (kind === 'embedded') {
      expect(await run('export', 'u1')).toEqual({
        output: '',
        errors: expect.stringMatching(
          /^The data directory .* is used by another process, the server or a command; stop that process/,
        ),
        code: 1,
      })
    }
    await close()

    const exported = await run('export', 'psid-u1')
    expect([exported.errors, exported.code]).toEqual(['', 0])
    expect(JSON.parse(exported.output)).toMatchObject({ identities: [{ id: 'u1', name: 'Ana Cruz' }] })

    if (kind === anyKind()) {
      const cutOff = runWith('export', 'u1')
      cutOff.stdout.once('data', () => cutOff.stdout.destroy())
      const [errors, [code]] = await Promise.all([text(cutOff.stderr), once(cutOff, 'close')])
      expect([errors, code]).toEqual(['The export is incomplete: its output was closed.\n', 1])
    }

    expect(await run('erase', 'u1')).toEqual({ output: 'The person was erased.\n', errors: '', code: 0 })
    if (kind === anyKind()) {
      expect(await run('erase', 'u1')).toEqual({ output: '', errors: 'Nobody is known by "u1".\n', code: 1 })
      expect((await run('erase')).errors).toContain('npm run --silent person -- export|erase')
    }

    const left = await open()
    expect(await left.db.selectFrom('fb_users').select('id').execute()).toEqual([{ id: 'u2' }])
    expect(await columnsWith(left.db, 'Ana Cruz')).toEqual([])
    await left.close()
  }, 180_000)
})
