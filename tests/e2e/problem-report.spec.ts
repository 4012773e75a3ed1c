import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { projectRoot } from '../../scripts/project.ts'
import { demoStaff } from '../../server/stand-ins/supabase/demo-staff.ts'
import { nameOf } from '../../src/domain/list/conversation-text.ts'
import { reportFileName } from '../../src/domain/shell/report-file-name.ts'
import { reportFile } from '../../src/recorder/report-file.ts'
import { expect, test } from './fixtures.ts'

const replay = (file: string) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/run.js', 'scripts/replay.ts', file], {
    cwd: projectRoot,
    encoding: 'utf8',
  })
  return { status, said: `${stdout}${stderr}` }
}

test('a problem report contains no texts, and replays to the same state', async ({
  harness,
  openChat,
  page,
  person,
  unique,
}, info) => {
  const words = unique('Private words')
  await openChat(person, 'Good morning po')
  await harness.isLive()
  await harness.answer(words)
  await expect(harness.bubbles(words)).toHaveCount(1)
  await expect(page.getByText('Message sent successfully')).toBeVisible()
  await page.getByRole('button', { name: /^Account:/ }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save a problem report' }).click(),
  ])
  const file = info.outputPath('report.json')
  await download.saveAs(file)
  expect(download.suggestedFilename()).toBe(reportFileName)

  const text = readFileSync(file, 'utf8')
  const { email, password } = demoStaff.find(({ role }) => role === 'agent') ?? demoStaff[0]
  const secrets = [words, nameOf(person), email, password, await page.evaluate(() => localStorage.getItem('token'))]
  expect(secrets.filter((secret) => secret === null || text.includes(secret))).toEqual([])

  expect(replay(file)).toEqual({
    status: 0,
    said: expect.stringMatching(
      /as recorded {2}auth {2}"authenticated"[\s\S]*All \d+ actors came to the state that was recorded\./,
    ),
  })

  const report = reportFile.parse(JSON.parse(text))
  for (const actor of report.actors) if (actor.machine === 'auth') actor.events = []
  writeFileSync(file, JSON.stringify(report))
  expect(replay(file)).toEqual({ status: 1, said: expect.stringMatching(/DIFFERS {6}auth[\s\S]*1 of \d+ actors/) })

  writeFileSync(file, '{"format":')
  expect(replay(file)).toEqual({
    status: 1,
    said: `${file} is not a report of Staff Inbox, or one of another version ("Save a problem report" saves one).\n`,
  })
})
