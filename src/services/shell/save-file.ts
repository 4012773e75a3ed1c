/** Saves a text as a file through the browser's download. */
export function saveFile({ document }: Window, name: string, text: string, type = 'application/json'): void {
  const address = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}

/** Lets the browser save the answer of an address, whose header names the file. */
export function saveFrom({ document }: Window, address: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = ''
  link.click()
}
