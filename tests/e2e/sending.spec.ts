import { expect, test } from './fixtures.ts'
import { psidOf } from './network.ts'

test('each message is shown and delivered once', async ({ api, harness, openChat, page, person, sandbox, unique }) => {
  await openChat(person, 'Hello po')
  await harness.isLive()
  const psid = psidOf(person)
  const delivered: string[] = []
  const arrives = async (text: string) => {
    delivered.push(text)
    await expect.poll(() => sandbox.deliveredTo(psid)).toEqual(delivered)
  }

  const twice = unique('Opo, available pa.')
  const equal = unique('Sige po')
  const unanswered = unique('Ipapadala na po namin bukas.')
  const aborted = unique('Noted po.')
  const unreceived = unique('Bukas na po ang dating.')

  await test.step('two presses of Enter send one message', async () => {
    await harness.composer.fill(twice)
    await harness.composer.evaluate((field) => {
      for (let press = 0; press < 2; press++) {
        field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
      }
    })
    await expect(harness.bubbles(twice)).toHaveCount(1)
    await arrives(twice)
  })

  await test.step('equal texts are two messages', async () => {
    for (const count of [1, 2]) {
      await harness.answer(equal)
      await expect(harness.bubbles(equal)).toHaveCount(count)
      await expect(harness.composer).toHaveValue('')
      await arrives(equal)
    }
  })

  await test.step('a message whose response the network loses is not sent again', async () => {
    await sandbox.setFaults({ loseAnswers: 1, holdWebhooks: true })
    await harness.answer(unanswered)
    await expect(harness.bubbles(unanswered)).toHaveCount(1)
    await expect(harness.bubbles(unanswered)).toContainText('May not have arrived')
    await arrives(unanswered)
    await sandbox.setFaults({})
    await expect(harness.bubbles(unanswered)).not.toContainText('May not have arrived')
    await expect(harness.bubbles(unanswered)).toHaveCount(1)
  })

  await test.step('a message whose response to the browser is lost is not sent again', async () => {
    let lost = 0
    await page.route(
      '**/api/facebook/send-message',
      async (route) => {
        await route.fetch()
        lost++
        await route.abort('connectionreset')
      },
      { times: 1 },
    )
    await harness.answer(aborted)
    await expect.poll(() => lost).toBe(1)
    await expect(harness.bubbles(aborted)).toHaveAccessibleName(/^You, \d/)
    await expect(harness.bubbles(aborted)).toHaveCount(1)
    await arrives(aborted)
  })

  await test.step('a message that the network never received is sent by a retry', async () => {
    await sandbox.setFaults({ loseRequests: 1 })
    await harness.answer(unreceived)
    await expect(harness.bubbles(unreceived)).toContainText('May not have arrived')
    await harness.bubbles(unreceived).getByRole('button', { name: 'Send again' }).click()
    await expect(harness.bubbles(unreceived)).toHaveAccessibleName(/^You, \d/)
    await arrives(unreceived)
  })

  await test.step('a reload shows each message as often as it was sent', async () => {
    await page.reload()
    for (const text of [twice, unanswered, aborted, unreceived]) await expect(harness.bubbles(text)).toHaveCount(1)
    await expect(harness.bubbles(equal)).toHaveCount(2)
    expect(await sandbox.deliveredTo(psid)).toEqual(delivered)
    const stored = await api.messages(person.primary_user_id ?? person.fb_user_id)
    const texts = stored.flatMap(({ message_text }) => message_text ?? [])
    expect(texts.filter((text) => delivered.includes(text)).toSorted()).toEqual(delivered.toSorted())
  })

  await test.step('a refused message keeps its text and says so', async () => {
    const refused = unique('Hindi po ito aabot.')
    await sandbox.setFaults({ refuse: { times: 1, code: 10, subcode: 2018278, status: 403 } })
    await harness.answer(refused)
    await expect(harness.bubbles(refused)).toContainText('Not sent')
    expect(await sandbox.deliveredTo(psid)).toEqual(delivered)
  })
})
