/** Saves a text as a file through the browser's download. */
export function saveFile({ document }: Window, name: string, text: string, type = 'application/json'): void {
  const address = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}

/**
 * Lets the browser save the answer of an address, whose header names the file. A refusal of another origin is shown in a
 * new tab: browsers ignore `download` there, and the refusal would replace the page.
 */
export function saveFrom({ document, location }: Window, address: string): void {
  const link = document.createElement('a')
  link.href = address
  link.rel = 'noopener'
  if (new URL(address, location.href).origin === location.origin) link.download = ''
  else link.target = '_blank'
  link.click()
}
