import type { Page } from '@playwright/test'

/**
 * Notes everything that would show that a string was more than text: code that ran, the page's policy that had to stop
 * something, an element that no view makes, a call to a stranger, an address that was left.
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
    new MutationObserver((records) => {
      for (const { addedNodes } of records)
        for (const node of addedNodes) {
          if (!(node instanceof HTMLElement) || !document.body?.contains(node)) continue
          for (const element of [node, ...node.querySelectorAll('*')])
            if (element.matches('script, object, embed, iframe, frame, base, marquee, form[action], [srcdoc]'))
              tell(`there is a ${element.outerHTML.slice(0, 100)}`)
        }
    }).observe(document, { childList: true, subtree: true })
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
      const kind = route.request().resourceType()
      // Pictures and media come from wherever the network keeps them.
      if (kind !== 'image' && kind !== 'media') heard.push(`${kind} of ${route.request().url()} was asked for`)
      return route.abort()
    },
  )
  return heard
}
