import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { createLogger, logDestination } from '../../server/logger.ts'

const secrets = {
  password: 'inbox-demo-2026',
  token: 'eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl',
  refreshToken: 'r-90-days',
  refresh_token: 'p-90-days',
  page_access_token: 'EAAB-page',
  authorization: 'Bearer EAAB-page',
  apikey: 'anon',
  messageText: 'Magkano po?',
  message_text: 'Magkano po?',
  body: '{"messageText":"Magkano po?"}',
}

it('redacts passwords, tokens and message texts at every depth', () => {
  const lines: string[] = []
  const logger = createLogger('info', { write: (line: string) => void lines.push(line) })
  logger.info(secrets, 'a call')
  logger.warn({ pageId: 'p1', request: secrets }, 'a call')
  logger.error({ first: { second: { third: secrets } } }, 'a call')
  const hidden = Object.fromEntries(Object.keys(secrets).map((name) => [name, '[hidden]']))
  const logged = lines.map((line) => JSON.parse(line)).map(({ time: _, ...rest }) => rest)
  expect(logged).toEqual([
    { level: 30, ...hidden, msg: 'a call' },
    { level: 40, pageId: 'p1', request: hidden, msg: 'a call' },
    { level: 50, first: { second: { third: hidden } }, msg: 'a call' },
  ])
})

it('writes readable lines to a terminal, without secrets, and JSON elsewhere', async () => {
  const terminal = new PassThrough()
  const logger = createLogger('info', await logDestination({ isTTY: true, destination: terminal }))
  logger.warn({ pageId: 'p1', token: secrets.token }, 'the token of a page is not valid')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the colors of the terminal
  const text = String(terminal.read()).replaceAll(/\u001b\[\d+m/g, '')
  expect(text).toMatch(
    /^\[\d\d:\d\d:\d\d\] WARN: the token of a page is not valid\n {4}pageId: "p1"\n {4}token: "\[hidden\]"\n$/,
  )
  expect(await logDestination({ isTTY: false })).toBeUndefined()
})
