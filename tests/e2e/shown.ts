/** Notes every heading and landmark that was ever on the page, if only for a frame. */
export function noteWhatIsShown(): void {
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
