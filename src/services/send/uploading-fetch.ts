/** Milliseconds without progress, after which an upload counts as lost. */
const stallTimeout = 60_000

/**
 * A `fetch` that sends these bytes and reports how many have left, which `fetch` itself cannot. Rejects as `fetch` does
 * if the connection is lost, or if nothing leaves for a minute.
 */
export const uploadingFetch =
  (body: Blob, onProgress: (sent: number) => void): typeof fetch =>
  (input, init) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      let timer = 0
      const end = (done: () => void) => {
        window.clearTimeout(timer)
        init?.signal?.removeEventListener('abort', abort)
        done()
      }
      const fail = () => end(() => reject(new TypeError('the upload was interrupted')))
      const abort = () => request.abort()
      const watch = () => {
        window.clearTimeout(timer)
        timer = window.setTimeout(abort, stallTimeout)
      }
      request.open(init?.method ?? 'PUT', String(input))
      for (const [name, value] of new Headers(init?.headers)) request.setRequestHeader(name, value)
      request.setRequestHeader('content-type', body.type || 'application/octet-stream')
      request.upload.onprogress = ({ loaded }) => {
        watch()
        onProgress(loaded)
      }
      request.onload = () =>
        end(() => {
          const retryAfter = request.getResponseHeader('retry-after')
          const headers: Record<string, string> = retryAfter === null ? {} : { 'retry-after': retryAfter }
          // The answer 204 may not even have an empty text.
          resolve(new Response(request.responseText || null, { status: request.status, headers }))
        })
      request.onerror = fail
      request.onabort = fail
      init?.signal?.addEventListener('abort', abort)
      watch()
      if (init?.signal?.aborted) fail()
      else request.send(body)
    })
