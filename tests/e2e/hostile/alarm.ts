import type { Page, Route } from '@playwright/test'

import { pictures } from './world.ts'

const url = (route: Route) => new URL(route.request().url())

/**
 * Notes everything that would show that a string was more than text: code that ran, the page's policy that had to stop
 * something, an element that no view makes, a
 * text that could turn what stands beside it, a call to a stranger, an address that was left.
 */
export async function setAlarm(page: Page, origin: string) {
  const heard: string[] = []
  await page.exposeFunction('tellAlarm', (what: string) => heard.push(what))
  await page.addInitScript(() => {
    const tell = (what: string) => void (window as unknown as { tellAlarm: (what: string) => void }).tellAlarm(what)
    const noted = (name: string) => (): void => tell(`${name} was called`)
    Object.assign(window, {
      ran: noted('ran'),
      alert: noted('alert'),
      confirm: noted('confirm'),
      prompt: noted('prompt'),
      print: noted('print'),
      open: noted('open'),
    })
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
      tell(`the policy stopped ${effectiveDirective} ${blockedURI}`),
    )
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
    const turning = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/
    // A message and a response are shown as they were written; what stands in a field is being edited.
    const asWritten = 'article p[dir="auto"], [aria-label="FAQs"] > li > p[dir="auto"], textarea, style'
    const look = (text: Node) => {
      const shown = text.nodeValue ?? ''
      if (shown.trim() === '' || !turning.test(shown) || text.parentElement?.closest(asWritten) !== null) return
      tell(`${text.parentElement.outerHTML.slice(0, 100)} holds ${JSON.stringify(shown.slice(0, 100))}`)
    }
    const lookWithin = (node: Node) => {
      const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT)
      if (node.nodeType === Node.TEXT_NODE) look(node)
      while (texts.nextNode()) look(texts.currentNode)
    }
    new MutationObserver((records) => {
      for (const { type, target, addedNodes } of records) {
        if (type === 'characterData') look(target)
        for (const node of addedNodes) {
          lookWithin(node)
          if (!(node instanceof HTMLElement) || !document.body?.contains(node)) continue
          for (const element of [node, ...node.querySelectorAll('*')])
            if (element.matches('script, object, embed, iframe, frame, base, marquee, form[action], [srcdoc]'))
              tell(`there is a ${element.outerHTML.slice(0, 100)}`)
            else if (['aria-label', 'title', 'alt'].some((name) => turning.test(element.getAttribute(name) ?? '')))
              tell(`something is named ${element.outerHTML.slice(0, 100)}`)
        }
      }
    }).observe(document, { childList: true, subtree: true, characterData: true })
  })
  page.on('dialog', (dialog) => {
    heard.push(`a dialog says ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('pageerror', (error) => heard.push(`an error: ${error.message}`))
  page.on('framenavigated', (frame) => {
    if (new URL(frame.url()).origin !== origin) heard.push(`the page went to ${frame.url()}`)
  })
  await page.route(
    (url) => url.origin !== origin,
    (route) => {
      // Never answered: what is shown stays as it is while it loads.
      if (url(route).origin === pictures) return
      const kind = route.request().resourceType()
      // Pictures and media come from wherever the network keeps them.
      if (kind !== 'image' && kind !== 'media') heard.push(`${kind} of ${route.request().url()} was asked for`)
      return route.abort()
    },
  )
  return heard
}
