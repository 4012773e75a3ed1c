import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { watchForInspectorKey } from '../../../src/dev/panel.ts'
import { createRecorder } from '../../../src/recorder/recorder.ts'
import { createWorld, openTab, quiet, start } from '../../faults/session/session-world.ts'

const person = { email: 'ana@example.com', password: 'hunter2-hunter2' }
const stops: (() => void)[] = []
let frames: FrameRequestCallback[] = []
const nextFrame = () => {
  for (const work of frames.splice(0)) work(0)
}

beforeEach(() => {
  frames = []
  vi.stubGlobal('requestAnimationFrame', (work: FrameRequestCallback) => frames.push(work))
  const listening = vi.spyOn(window, 'addEventListener')
  stops.push(() => {
    for (const [type, listener] of listening.mock.calls) if (listener) window.removeEventListener(type, listener)
    listening.mockRestore()
    vi.unstubAllGlobals()
    panel()?.remove()
  })
})
afterEach(() => {
  for (const stop of stops.splice(0).reverse()) stop()
})

const panel = () => document.querySelector('[aria-label="Actors"]')
const within = (selector: string) => [...(panel()?.shadowRoot?.querySelectorAll<HTMLElement>(selector) ?? [])]
const textsOf = (selector: string) => within(selector).map(({ textContent }) => textContent)
const pressKey = (change: KeyboardEventInit = {}) => {
  const event = new KeyboardEvent('keydown', {
    altKey: true,
    shiftKey: true,
    code: 'KeyI',
    cancelable: true,
    ...change,
  })
  window.dispatchEvent(event)
  return event
}
const press = (name: string) =>
  within('button')
    .find(({ textContent }) => textContent?.startsWith(name))
    ?.click()
const linesOpened = () => within('main details').filter((one) => one.hasAttribute('open')).length
const openAll = () => {
  for (const details of within('main details')) {
    details.setAttribute('open', '')
    details.dispatchEvent(new Event('toggle'))
  }
}

/** Opens the inbox of a signed-in user while recording the actors of the product. */
async function watched(startsOpen = false) {
  const world = createWorld()
  Object.assign(world.people[0] ?? {}, person)
  const recorder = createRecorder(() => start)
  const tab = openTab({ world, inspect: recorder.inspect })
  stops.push(tab.close)
  watchForInspectorKey(tab.app, recorder, startsOpen)
  await quiet()
  tab.actor.send({ type: 'signIn.requested', ...person })
  await quiet()
  nextFrame()
  return tab
}

describe('The actor panel', () => {
  it('opens and closes with Alt+Shift+I, and with no other key', async () => {
    await watched()
    const others = [{ altKey: false }, { shiftKey: false }, { code: 'KeyJ' }].map((change) => pressKey(change))
    expect([panel(), others.map(({ defaultPrevented }) => defaultPrevented)]).toEqual([null, [false, false, false]])
    const opening = pressKey()
    expect([panel() !== null, opening.defaultPrevented]).toEqual([true, true])
    pressKey()
    expect(panel()).toBe(null)
  })

  it('closes by its button, and is open from the start if requested', async () => {
    await watched(true)
    expect(panel()).not.toBe(null)
    press('Close')
    expect(panel()).toBe(null)
  })

  it('shows every actor below its parent, with its state', async () => {
    const tab = await watched()
    pressKey()
    const shown = within('nav button').map(({ textContent, style }) => [textContent, style.paddingLeft])
    expect(shown.slice(0, 3)).toEqual([
      ['app{"signedIn":"running"}', '8px'],
      ['notifieridle', '20px'],
      ['authauthenticated', '20px'],
    ])
    const session = Object.keys(tab.session()?.getSnapshot().children ?? {})
    expect(textsOf('nav button').filter((text) => session.some((id) => text?.startsWith(id))).length).toBeGreaterThan(4)
  })

  it('shows the context and the last event of an actor, without passwords, tokens, names or addresses', async () => {
    await watched()
    pressKey()
    const seen: string[] = []
    for (const actor of ['app', 'auth', 'notifier', 'session', 'conversations']) {
      press(actor)
      openAll()
      seen.push(...textsOf('main').map(String))
    }
    const text = seen.join('\n')
    expect(text).toContain('auth: authenticated')
    expect(text).toContain('signIn.requested')
    expect(text).toContain('"$secret": true')
    expect(text).toContain('"permissions"')
    expect([person.password, person.email, 'eyJ', 'provider u1'].filter((secret) => text.includes(secret))).toEqual([])
  })

  it('follows an actor from frame to frame, and keeps opened parts open while the actor is idle', async () => {
    const tab = await watched()
    pressKey()
    press('auth')
    openAll()
    const opened = linesOpened()
    expect(opened).toBeGreaterThan(1)
    tab.app.system.get('notifier').send({ type: 'toasts.awaited' })
    nextFrame()
    expect(linesOpened()).toBe(opened)
    tab.actor.send({ type: 'signOut.requested' })
    await quiet()
    nextFrame()
    expect([textsOf('main h2')[0], linesOpened()]).toEqual(['auth: anonymous', 0])
    expect(textsOf('nav [data-ended]').filter((text) => text?.startsWith('session'))).toHaveLength(1)
  })

  it('shows a message if the browser blocks the window of the Stately inspector', async () => {
    vi.spyOn(window, 'open').mockReturnValue(null)
    await watched()
    pressKey()
    press('Stately inspector')
    expect(textsOf('header button')).toEqual(['The browser stopped the window', 'Close'])
  })
})
