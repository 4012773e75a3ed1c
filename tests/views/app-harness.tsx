import { act, render } from '@testing-library/react'
import { StrictMode } from 'react'
import { useLocation } from 'react-router'
import { createActor, type InspectionEvent, SimulatedClock } from 'xstate'
import { composeApp } from '../../src/compose-app.ts'
import { defaultWidths } from '../../src/domain/shell/pane-widths.ts'
import type { AuthActor } from '../../src/machines/session/auth.ts'
import { sharedComputerLogic } from '../../src/machines/session/shared-computer.ts'
import { appearanceLogic } from '../../src/machines/shell/appearance.ts'
import { paneWidthsLogic } from '../../src/machines/shell/pane-widths.ts'
import { reducedMotionLogic } from '../../src/machines/shell/reduced-motion.ts'
import type { SavedInbox } from '../../src/schemas/saved-inbox.ts'
import type { SessionServices } from '../../src/services-port.ts'
import { App } from '../../src/views/App.tsx'
import { BrowserRouter } from '../../src/views/shell/BrowserRouter.tsx'
import { fakeSessionServices } from '../fake-services.ts'
import { createControl } from '../model/harness.ts'
import { controlAuth } from '../model/session/auth-fixture.ts'

/** Records every address of the page. */
function Address({ paths }: { paths: string[] }) {
  const { pathname } = useLocation()
  if (paths.at(-1) !== pathname) paths.push(pathname)
  return null
}

/**
 * Renders the whole product at `at`, or at the current address for a reload. The test controls what auth receives. With
 * `holdsSession` the test also controls when the code of the session arrives.
 */
export async function showApp(
  at: string | 'a reload' = '/',
  inspect?: (event: InspectionEvent) => void,
  {
    holdsSession = false,
    session = fakeSessionServices(),
    readSavedInbox = async (): Promise<SavedInbox | null> => null,
  } = {},
) {
  if (at !== 'a reload') window.history.pushState(null, '', at)
  const { services, ...controls } = controlAuth()
  const held = createControl<SessionServices>()
  const clock = new SimulatedClock()
  const selections: unknown[] = []
  const paths: string[] = []
  const app = createActor(
    composeApp({
      ...services,
      deviceCache: { ...services.deviceCache, read: readSavedInbox },
      loadSessionServices: async () => (holdsSession ? held.call(undefined, new AbortController().signal) : session),
    }),
    {
      input: { now: () => clock.now() },
      clock,
      systemId: 'app',
      inspect: (event) => {
        inspect?.(event)
        if (event.type === '@xstate.event' && /^conversation\.(de)?selected$/.test(event.event.type)) {
          selections.push(event.event)
        }
      },
    },
  ).start()
  const auth: AuthActor = app.system.get('auth')
  const appearance = createActor(appearanceLogic, { input: 'system' }).start()
  const reducedMotion = createActor(reducedMotionLogic, { input: false }).start()
  const paneWidths = createActor(paneWidthsLogic, { input: defaultWidths }).start()
  const sharedComputer = createActor(sharedComputerLogic, { input: false }).start()

  // Loads the on-demand code first: the tests check the content, not the loading time.
  await Promise.all([
    import('../../src/compose-session.ts'),
    import('../../src/views/session/LoginScreen.tsx'),
    import('../../src/sign-in-steps.ts'),
    import('../../src/views/shell/Inbox.tsx'),
    import('../../src/views/shell/SessionInUrl.tsx'),
    import('../../src/views/shell/Toaster.tsx'),
  ])
  const view = render(
    <StrictMode>
      <BrowserRouter>
        <Address paths={paths} />
        <App
          actors={{
            app,
            auth,
            notifier: app.system.get('notifier'),
            appearance,
            reducedMotion,
            paneWidths,
            sharedComputer,
          }}
        />
      </BrowserRouter>
    </StrictMode>,
  )
  await act(async () => {})

  return {
    ...controls,
    /** Controls when the code of the session arrives, with `holdsSession`. */
    code: { come: () => held.resolve(session), fail: () => held.reject(new Error('no answer')) },
    app,
    actor: auth,
    clock,
    /** Every address of the page so far. */
    paths,
    /** Every selection event that the session received. */
    selections,
    stop: () => {
      view.unmount()
      app.stop()
    },
  }
}

export type ShownApp = Awaited<ReturnType<typeof showApp>>
