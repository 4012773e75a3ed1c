import type { Page } from '@playwright/test'

/** Counts that do not depend on the speed of the machine. */
export type PageWork = {
  /** Commits of React. */
  commits: number
  /** Elements added to the document, and removed from it. An element that is moved counts in both. */
  added: number
  removed: number
}

/** Runs in the browser before the application. React reports each commit to the hook of its developer tools. */
export function countPageWork(): void {
  const work: PageWork = { commits: 0, added: 0, removed: 0 }
  const hook = {
    isDisabled: false,
    supportsFiber: true,
    inject: () => 1,
    onCommitFiberRoot: () => {
      work.commits++
    },
    onCommitFiberUnmount: () => {},
    onPostCommitFiberRoot: () => {},
    checkDCE: () => {},
  }
  const countOf = (nodes: NodeList) => {
    let count = 0
    for (const node of nodes) if (node instanceof Element) count += 1 + node.querySelectorAll('*').length
    return count
  }
  new MutationObserver((mutations) => {
    for (const { addedNodes, removedNodes } of mutations) {
      work.added += countOf(addedNodes)
      work.removed += countOf(removedNodes)
    }
  }).observe(document, { subtree: true, childList: true })
  Object.assign(window, { __REACT_DEVTOOLS_GLOBAL_HOOK__: hook, pageWork: work })
}

/** The counts since the last call. */
export const takePageWork = (page: Page): Promise<PageWork> =>
  page.evaluate(() => {
    const { pageWork } = window
    const taken = { ...pageWork }
    Object.assign(pageWork, { commits: 0, added: 0, removed: 0 })
    return taken
  })

declare global {
  interface Window {
    pageWork: PageWork
  }
}
