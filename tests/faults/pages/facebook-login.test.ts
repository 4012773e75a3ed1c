import { describe, expect, it } from 'vitest'
import type { LoginReturned } from '../../../src/domain/pages/facebook-login.ts'
import { createHttp } from '../../../src/services/http.ts'
import { createFacebookLogin, type LoginBrowser, loginBrowser } from '../../../src/services/pages/facebook-login.ts'
import { allowed, begun, offered } from '../../model/pages/facebook-login-fixture.ts'
import { describeRequests, done, ok, unreadable } from '../requests.ts'

/** A browser whose windows tell what happens to them. */
function createBrowser({ isBlocked = false } = {}) {
  const steps: string[] = []
  let hear = (_: unknown) => {}
  const browser: LoginBrowser = {
    openWindow: () => {
      steps.push('opened')
      const location = { replace: (address: string) => void steps.push(`went to ${address}`) }
      return isBlocked ? null : { close: () => void steps.push('closed'), location }
    },
    listen: (name, report) => {
      steps.push(`listens to ${name}`)
      hear = report
      return () => void steps.push('stopped')
    },
  }
  return { browser, steps, say: (message: unknown) => hear(message) }
}

const log = { warn: () => {} }
const begin = ok({ state: begun.stateToken, address: begun.address })
const { signal } = new AbortController()

describeRequests(
  'The service of Facebook Login',
  (http, warnings) => createFacebookLogin(http, warnings, createBrowser().browser),
  [
    {
      claim: 'begins a login',
      call: (login, until) => login.beginLogin(until),
      asks: ['POST /facebook/logins'],
      answer: begin,
      gives: begun,
    },
    {
      claim: 'completes a login, and gives the pages that may be connected',
      call: (login) => login.completeLogin({ stateToken: 'state1', codeToken: 'code1' }),
      asks: ['POST /facebook/logins/complete', { state: 'state1', code: 'code1' }],
      answer: ok({ pages: [...offered, unreadable] }),
      gives: offered,
      warns: ['1 pages could not be read'],
    },
    {
      claim: 'connects a page',
      call: (login) => login.connectPage({ stateToken: 'state1', pageId: 'cakes' }),
      asks: ['POST /facebook/logins/connect', { state: 'state1', page_id: 'cakes' }],
      answer: done,
    },
  ],
)

describe('The window of the network', () => {
  const beginWith = (answer: unknown, { isBlocked = false } = {}) => {
    const { browser, steps } = createBrowser({ isBlocked })
    const fetch = async () => {
      steps.push('asked')
      return Response.json(answer)
    }
    const login = createFacebookLogin(createHttp({ baseUrl: '', log, fetch }), log, browser)
    return { steps, beginning: login.beginLogin(signal) }
  }

  it('opens before the call, and goes to the network after it', async () => {
    const { steps, beginning } = beginWith(begin)
    expect([await beginning, steps]).toEqual([begun, ['opened', 'asked', `went to ${begun.address}`]])
  })

  it('closes if the call fails', async () => {
    const { steps, beginning } = beginWith({ success: false })
    await expect(beginning).rejects.toMatchObject({ kind: 'badAnswer' })
    expect(steps).toEqual(['opened', 'asked', 'closed'])
  })

  it('is told to be blocked if the browser blocks it', async () => {
    expect(await beginWith(begin, { isBlocked: true }).beginning).toEqual({ ...begun, isWindowOpen: false })
    const { beginning } = beginWith({ success: false }, { isBlocked: true })
    await expect(beginning).rejects.toMatchObject({ name: 'Failure', kind: 'badAnswer' })
  })
})

describe('The return from the network', () => {
  function watch() {
    const reports: LoginReturned[] = []
    const { browser, steps, say } = createBrowser()
    const login = createFacebookLogin(createHttp({ baseUrl: '', log }), log, browser)
    const stop = login.watchReturn({ stateToken: 'state1' }, (event) => reports.push(event))
    return { reports, steps, say, stop }
  }

  it.each<[string, unknown, LoginReturned[]]>([
    ['a permission', '?state=state1&code=code1', [allowed]],
    ['a refusal', '?state=state1&error=access_denied', [{ type: 'login.returned', outcome: 'cancelled' }]],
    ['a failure', '?state=state1', [{ type: 'login.returned', outcome: 'failed' }]],
    ['nothing about another login', '?state=state2&code=code1', []],
    ['nothing for a message that is no text', { state: 'state1', code: 'code1' }, []],
  ])('reports %s', (_, message, reported) => {
    const { reports, say } = watch()
    say(message)
    expect(reports).toEqual(reported)
  })

  it('is watched on one channel until it is stopped', () => {
    const { steps, stop } = watch()
    stop()
    expect(steps).toEqual(['listens to facebook-login', 'stopped'])
  })
})

describe('The browser', () => {
  function realBrowser() {
    const opened: unknown[] = []
    const fake: Pick<Window, 'open'> = {
      open: (...asked) => {
        opened.push(asked)
        return null
      },
    }
    return { browser: loginBrowser(fake as Window), opened }
  }

  it('opens an empty window of its own', () => {
    const { browser, opened } = realBrowser()
    expect(browser.openWindow()).toBe(null)
    expect(opened).toEqual([['about:blank', '_blank', 'popup,width=640,height=760']])
  })

  it('reports what is posted to the channel, and nothing after it has stopped', async () => {
    const heard: unknown[] = []
    const { browser } = realBrowser()
    const stop = browser.listen('login-of-a-test', (message) => heard.push(message))
    const sender = new BroadcastChannel('login-of-a-test')
    sender.postMessage('?state=state1')
    await expect.poll(() => heard).toEqual(['?state=state1'])
    stop()
    const witness: unknown[] = []
    const stopWitness = browser.listen('login-of-a-test', (message) => witness.push(message))
    sender.postMessage('?state=state2')
    await expect.poll(() => witness).toEqual(['?state=state2'])
    stopWitness()
    sender.close()
    expect(heard).toEqual(['?state=state1'])
  })
})
