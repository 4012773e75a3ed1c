import type { AnyActorRef } from 'xstate'
import { shownInReports } from '../dialog-registry.ts'
import type { Recorder, Recording } from '../recorder/recorder.ts'
import { createRedactor } from '../recorder/redact.ts'
import { depthOf, openInspector } from './inspector.ts'

const style = `
:host { position: fixed; inset: 0 0 0 auto; width: min(38rem, 40vw); z-index: 2147483647; display: grid;
  grid-template: auto 1fr / 13rem 1fr; font: 12px/1.5 ui-monospace, monospace; color: #d7dce5; background: #14171d;
  box-shadow: -8px 0 32px #0006; }
header { grid-column: 1 / -1; display: flex; gap: 8px; align-items: center; padding: 8px 12px; border-bottom: 1px solid #2b313c; }
header b { flex: 1; font-weight: 600; }
button { font: inherit; color: inherit; background: none; border: 1px solid #2b313c; border-radius: 6px; padding: 2px 8px; cursor: pointer; }
button:hover, button[aria-pressed=true] { background: #262c37; }
nav, main { overflow: auto; padding: 8px; min-width: 0; }
nav { border-right: 1px solid #2b313c; }
nav button { display: block; width: 100%; text-align: left; border-color: transparent; }
nav small { display: block; color: #7f8a9c; overflow-wrap: anywhere; }
nav [data-ended] { opacity: .5; }
h2 { margin: 8px 0 4px; font-size: 12px; color: #8ab4ff; }
details { border-top: 1px solid #232934; padding: 2px 0; }
summary { cursor: pointer; }
pre { margin: 4px 0 8px; white-space: pre-wrap; overflow-wrap: anywhere; color: #a9b3c3; }
time { color: #7f8a9c; margin-right: 8px; }
`

/**
 * Shows the running actors with their state, context and last event, masked like problem reports, in a panel beside the
 * page. Needs no network connection. Development only. Alt+Shift+I toggles it.
 */
export function watchForInspectorKey(app: AnyActorRef, recorder: Recorder, startsOpen: boolean): void {
  const panel = createPanel(app, recorder)
  addEventListener('keydown', (event) => {
    if (!event.altKey || !event.shiftKey || event.code !== 'KeyI') return
    event.preventDefault()
    panel.toggle()
  })
  if (startsOpen) panel.toggle()
}

function createPanel(app: AnyActorRef, recorder: Recorder) {
  const host = document.createElement('aside')
  host.setAttribute('aria-label', 'Actors')
  const root = host.attachShadow({ mode: 'open' })
  const tree = make('nav')
  const shown = make('main')
  const stately = button('Stately inspector', () => {
    if (!openInspector(app, recorder)) stately.textContent = 'The browser stopped the window'
  })
  const header = make('header', [make('b', ['Actors']), stately, button('Close', () => toggle())])
  root.append(make('style', [style]), header, tree, shown)

  const redactor = createRedactor(shownInReports)
  const masked = (value: unknown): string => {
    redactor.learn(value)
    return JSON.stringify(redactor.redact(value), null, 1)
  }
  let chosen: AnyActorRef = app
  let drawn: unknown
  let isDue = false
  app.system.inspect(() => {
    if (isDue || !host.isConnected) return
    isDue = true
    requestAnimationFrame(() => {
      isDue = false
      draw()
    })
  })

  function draw(): void {
    const recordings = inTreeOrder(recorder.recordings())
    tree.replaceChildren(...recordings.map(entry))
    const recording = recordings.find(({ ref }) => ref === chosen)
    // Redraw only when the actor has changed, so that opened details stay open while they are read.
    if (recording && recording.last !== drawn) shown.replaceChildren(...detailsOf(recording))
    drawn = recording?.last
  }

  function entry({ ref, last }: Recording): HTMLElement {
    const item = button('', () => {
      chosen = ref
      draw()
    })
    item.style.paddingLeft = `${8 + 12 * depthOf(ref)}px`
    item.setAttribute('aria-pressed', String(ref === chosen))
    item.toggleAttribute('data-ended', last.status !== 'active')
    item.append(nameOf(ref, last.machine.id), make('small', [stateText(last.value)]))
    return item
  }

  function detailsOf({ ref, last, stretches, dropped }: Recording): HTMLElement[] {
    const events = stretches.flatMap((stretch) => stretch.events)
    const before = dropped > 0 ? `, ${dropped} before them` : ''
    return [
      make('h2', [`${nameOf(ref, last.machine.id)}: ${stateText(last.value)}`]),
      folded('context', () => masked(last.context)),
      make('h2', [`last ${Math.min(events.length, 50)} events${before}`]),
      ...events
        .slice(-50)
        .reverse()
        .map(({ at, event }) => folded(event.type, () => masked(event), new Date(at))),
    ]
  }

  const toggle = () => {
    if (host.isConnected) return host.remove()
    document.body.append(host)
    draw()
  }
  return { toggle }
}

const nameOf = ({ id }: AnyActorRef, machine: string): string => (id.startsWith('x:') ? machine : id)

const stateText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Each actor below its parent, in the order of creation. */
function inTreeOrder(recordings: readonly Recording[]): Recording[] {
  const known = new Set(recordings.map(({ ref }) => ref))
  const below = (parent: AnyActorRef | undefined): Recording[] =>
    recordings
      .filter(({ ref }) => (ref._parent && known.has(ref._parent) ? ref._parent : undefined) === parent)
      .flatMap((recording) => [recording, ...below(recording.ref)])
  return below(undefined)
}

function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  children: readonly (Node | string)[] = [],
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  element.append(...children)
  return element
}

function button(text: string, press: () => void): HTMLButtonElement {
  const element = make('button', [text])
  element.type = 'button'
  element.addEventListener('click', press)
  return element
}

/** A line that can be expanded to show more. */
function folded(title: string, text: () => string, at?: Date): HTMLElement {
  const summary = make('summary', at ? [make('time', [at.toLocaleTimeString()]), title] : [title])
  const details = make('details', [summary])
  details.addEventListener('toggle', () => details.open && details.append(make('pre', [text()])), { once: true })
  return details
}
