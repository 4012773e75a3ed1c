import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { StateMachine } from 'xstate'
import { dialogs, loadDialog } from '../../../src/dialog-registry.ts'
import type { DialogName } from '../../../src/machines/shell/dialog.ts'
import { createHttp } from '../../../src/services/http.ts'
import { createSessionServices } from '../../../src/session-services.ts'
import { loadedWith } from '../../loaded-with.ts'

const names = Object.keys(dialogs) as DialogName[]

/** The files that a file loads on demand. */
const onDemandIn = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/import\('(\.[^']+)'\)/g)].map(([, path]) => join(dirname(file), path ?? ''))

describe('Every dialog of the registry', () => {
  it.each(names)('has a machine, a view and a title: %s', async (name) => {
    const log = { warn: () => {} }
    const http = createHttp({ baseUrl: 'http://localhost', log, retries: 0 })
    const services = createSessionServices({
      http,
      baseUrl: '/api',
      log,
      sendsKeys: true,
      pictureProxy: null,
      provider: {
        client: async () => {
          throw new Error('no dialog opens a realtime channel')
        },
        accessToken: async () => null,
      },
      tab: 'tab-1',
      unstored: new Map(),
      isOnline: () => true,
      saveReport: async () => {},
      loadLater: async () => undefined,
    })
    const { title, View, logic, ...rest } = await loadDialog(name, services)
    expect(rest).toEqual({ name })
    expect([typeof View, logic instanceof StateMachine, title.trim().length > 0]).toEqual(['function', true, true])
  })

  it('has a unique title', async () => {
    const titles = await Promise.all(Object.values(dialogs).map(({ loadTitle }) => loadTitle()))
    expect(new Set(titles).size).toBe(titles.length)
  })

  it('is loaded on request, not with the page, the session or the inbox', () => {
    const early = loadedWith([
      'src/main.tsx',
      'src/compose-session.ts',
      'src/session-services.ts',
      'src/views/shell/InboxScreen.tsx',
    ])
    const registry = [...loadedWith(['src/dialog-registry.ts'])]
    const lazy = [...registry, 'src/services-on-demand.ts'].flatMap(onDemandIn)
    expect([...early]).toEqual(expect.arrayContaining(['src/machines/shell/dialog.ts', 'src/views/shell/Dialogs.tsx']))
    expect(lazy).toEqual(
      expect.arrayContaining(['src/machines/faq/faq.ts', 'src/services/faq/faq.ts', 'src/views/faq/FaqDialog.tsx']),
    )
    expect(lazy.filter((file) => early.has(file))).toEqual([])
    // The registry refers to a dialog only by the on-demand import.
    expect(registry.filter((file) => !file.startsWith('src/dialogs/'))).toEqual(['src/dialog-registry.ts'])
  })
})
