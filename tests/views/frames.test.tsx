import { beforeEach, expect, it, vi } from 'vitest'

/** A page whose frames come when the test says so. */
function pageOf() {
  const frames: (() => void)[] = []
  const document = Object.assign(new EventTarget(), { hidden: false })
  return {
    document,
    event: undefined as Event | undefined,
    requestAnimationFrame: (frame: () => void) => frames.push(frame),
    paint: () => {
      for (const frame of frames.splice(0)) frame()
    },
    show: (isShown: boolean) => {
      document.hidden = !isShown
      document.dispatchEvent(new Event('visibilitychange'))
    },
  }
}

async function start() {
  const { inFrame, notInFrame, renderByFrame } = await import('../../src/views/components/frames.ts')
  const page = pageOf()
  renderByFrame(page as unknown as Window)
  const rendered: string[] = []
  const change = async (name: string) => {
    const render = () => void rendered.push(name)
    inFrame(render)
    // The next change is made in another task.
    await Promise.resolve()
    return () => notInFrame(render)
  }
  return { change, page, rendered }
}

beforeEach(() => void vi.resetModules())

it('renders the first change at once and further ones with the next frame', async () => {
  const { change, page, rendered } = await start()
  for (const name of ['first', 'second', 'third']) await change(name)
  expect(rendered).toEqual(['first'])
  page.paint()
  expect(rendered).toEqual(['first', 'second', 'third'])
})

it('renders a change that waits for a frame when the page is hidden, and every change while it is hidden', async () => {
  const { change, page, rendered } = await start()
  for (const name of ['first', 'second']) await change(name)
  page.show(false)
  await change('third')
  expect(rendered).toEqual(['first', 'second', 'third'])
  page.show(true)
  await change('fourth')
  page.paint()
  expect(rendered).toEqual(['first', 'second', 'third', 'fourth'])
})

it('renders at once what a person does, and not what is cancelled', async () => {
  const { change, page, rendered } = await start()
  for (const event of [undefined, undefined, new Event('keydown'), new MessageEvent('message')]) {
    page.event = event
    const cancel = await change(event?.type ?? 'news')
    if (event instanceof MessageEvent) cancel()
  }
  expect(rendered).toEqual(['news', 'keydown'])
  page.paint()
  expect(rendered).toEqual(['news', 'keydown', 'news'])
})
