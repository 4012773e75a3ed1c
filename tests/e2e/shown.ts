/** Records in the browser whether login or inbox was ever shown, even for a single frame. */
export function recordShownScreens(): void {
  const shown = new Set<string>()
  Object.assign(window, { shown })
  new MutationObserver(() => {
    if (document.querySelector('form[aria-label="Sign in"]')) shown.add('login')
    if (document.querySelector('[aria-label="Thread"]')) shown.add('inbox')
  }).observe(document, { subtree: true, childList: true })
}

declare global {
  interface Window {
    shown: Set<string>
  }
}
