import type { Page, Route } from '@playwright/test'

import { pictures } from './world.ts'

const url = (route: Route) => new URL(route.request().url())

/**
 * Records everything that shows that a string was not treated as text: code that ran, violations of the content security
 * policy, elements that no view creates, text with control characters, requests to other origins, and navigations.
 */
export async function recordViolations(page: Page, origin: string) {
  const violations: string[] = []
  await page.exposeFunction('reportViolation', (violation: string) => violations.push(violation))
  await page.addInitScript(() => {
    const report = (violation: string) =>
      void (window as unknown as { reportViolation: (violation: string) => void }).reportViolation(violation)
    const recorded = (name: string) => (): void => report(`${name} was called`)
    Object.assign(window, {
      ran: recorded('ran'),
      alert: recorded('alert'),
      confirm: recorded('confirm'),
      prompt: recorded('prompt'),
      print: recorded('print'),
      open: recorded('open'),
    })
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
      report(`the policy stopped ${effectiveDirective} ${blockedURI}`),
    )
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the test searches for control characters
    const controlCharacters = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/
    // Messages, responses and fields show texts unchanged.
    const unchanged = 'article p[dir="auto"], [aria-label="FAQs"] > li > p[dir="auto"], textarea, style'
    const check = (text: Node) => {
      const shown = text.nodeValue ?? ''
      if (shown.trim() === '' || !controlCharacters.test(shown) || text.parentElement?.closest(unchanged) !== null)
        return
      report(`${text.parentElement.outerHTML.slice(0, 100)} holds ${JSON.stringify(shown.slice(0, 100))}`)
    }
    const checkWithin = (node: Node) => {
      const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT)
      if (node.nodeType === Node.TEXT_NODE) check(node)
      while (texts.nextNode()) check(texts.currentNode)
    }
    new MutationObserver((records) => {
      for (const { type, target, addedNodes } of records) {
        if (type === 'characterData') check(target)
        for (const node of addedNodes) {
          checkWithin(node)
          if (!(node instanceof HTMLElement) || !document.body?.contains(node)) continue
          for (const element of [node, ...node.querySelectorAll('*')])
            if (element.matches('script, object, embed, iframe, frame, base, marquee, form[action], [srcdoc]'))
              report(`there is a ${element.outerHTML.slice(0, 100)}`)
            else if (
              ['aria-label', 'title', 'alt'].some((name) => controlCharacters.test(element.getAttribute(name) ?? ''))
            )
              report(`something is named ${element.outerHTML.slice(0, 100)}`)
        }
      }
    }).observe(document, { childList: true, subtree: true, characterData: true })
  })
  page.on('dialog', (dialog) => {
    violations.push(`a dialog opened: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('pageerror', (error) => violations.push(`an error: ${error.message}`))
  page.on('framenavigated', (frame) => {
    if (new URL(frame.url()).origin !== origin) violations.push(`the page navigated to ${frame.url()}`)
  })
  await page.route(
    (url) => url.origin !== origin,
    (route) => {
      // Never answered, so that pictures stay in their loading state.
      if (url(route).origin === pictures) return
      const kind = route.request().resourceType()
      // Pictures and media may come from any host.
      if (kind !== 'image' && kind !== 'media') violations.push(`${kind} of ${route.request().url()} was requested`)
      return route.abort()
    },
  )
  return violations
}
