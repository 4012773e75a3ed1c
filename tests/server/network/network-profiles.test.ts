import { expect, it } from 'vitest'
import { createLogger } from '../../../server/logger.ts'
import { createKeepAddress } from '../../../server/network/graph/addresses.ts'
import { createProfiles } from '../../../server/network/store/profiles.ts'
import { manualClock } from '../manual-clock.ts'

it('who has no name is asked for again after an hour, and of ten thousand such people the oldest is forgotten', async () => {
  const asked: string[] = []
  const clock = manualClock()
  const profiles = createProfiles({
    graph: {
      person: async (_token: string, psid: string) => {
        asked.push(psid)
        return {}
      },
    },
    keep: createKeepAddress('https://inbox.example.com'),
    clock,
    logger: createLogger('silent'),
  })
  const lookUp = (psids: string[]) => profiles.of('token', 'page', psids, 'messenger')
  const lookedUp = async (psids: string[]) => {
    asked.length = 0
    await lookUp(psids)
    return asked
  }

  expect([...(await lookedUp(['first'])), ...(await lookedUp(['first']))]).toEqual(['first'])
  clock.advance(60 * 60 * 1000)
  expect(await lookedUp(['first'])).toEqual(['first'])

  await lookUp(Array.from({ length: 9_999 }, (_, index) => `other ${index}`))
  expect(await lookedUp(['first'])).toEqual([])
  await lookUp(['one more'])
  expect(await lookedUp(['one more', 'first'])).toEqual(['first'])
})
