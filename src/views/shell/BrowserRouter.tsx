import { type ReactNode, useLayoutEffect, useState } from 'react'
import { Router, UNSAFE_createBrowserHistory } from 'react-router'

/**
 * React Router's `BrowserRouter` without transitions. Its own stands in a file with `Link` and `Form`, which the bundler
 * cannot leave out: 5 kB of every first load.
 */
export function BrowserRouter({ children }: { children: ReactNode }) {
  const [history] = useState(() => UNSAFE_createBrowserHistory({ v5Compat: true }))
  const [{ action, location }, setState] = useState<{
    action: typeof history.action
    location: typeof history.location
  }>(history)
  useLayoutEffect(() => history.listen(setState), [history])
  return (
    <Router location={location} navigationType={action} navigator={history} useTransitions={false}>
      {children}
    </Router>
  )
}
