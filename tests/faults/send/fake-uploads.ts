type Answer = { status?: number; body?: unknown; headers?: Record<string, string> }

export type FakeUpload = {
  readonly call: string
  readonly headers: Record<string, string>
  readonly body: Blob
  readonly isAborted: boolean
  progress: (loaded: number) => void
  answer: (answer?: Answer) => void
  lose: () => void
}

/** The XMLHttpRequest of a browser. Each upload waits in `uploads` until the test answers it, or is given to `serve`. */
export function createFakeUploads(serve: (upload: FakeUpload) => void = () => {}) {
  const uploads: FakeUpload[] = []

  class FakeXMLHttpRequest {
    readonly upload: { onprogress: ((event: { loaded: number }) => void) | null } = { onprogress: null }
    onload: (() => void) | null = null
    onerror: (() => void) | null = null
    onabort: (() => void) | null = null
    status = 0
    responseText = ''
    #call = ''
    #isAborted = false
    #answered: Record<string, string> = {}
    readonly #headers: Record<string, string> = {}

    open(method: string, address: string): void {
      this.#call = `${method} ${address}`
    }
    setRequestHeader(name: string, value: string): void {
      this.#headers[name] = value
    }
    getResponseHeader(name: string): string | null {
      return this.#answered[name] ?? null
    }
    abort(): void {
      this.#isAborted = true
      this.onabort?.()
    }
    send(body: Blob): void {
      const isAborted = () => this.#isAborted
      const upload: FakeUpload = {
        call: this.#call,
        headers: this.#headers,
        body,
        get isAborted() {
          return isAborted()
        },
        progress: (loaded) => this.upload.onprogress?.({ loaded }),
        answer: ({ status = 200, body: answer = {}, headers = {} } = {}) => {
          this.status = status
          this.responseText = status === 204 ? '' : JSON.stringify(answer)
          this.#answered = headers
          this.onload?.()
        },
        lose: () => this.onerror?.(),
      }
      uploads.push(upload)
      queueMicrotask(() => serve(upload))
    }
  }

  return { uploads, XMLHttpRequest: FakeXMLHttpRequest }
}

/** What uploads use of a window, over the timers of this process. */
export const createFakeWindow = () =>
  Object.assign(new EventTarget(), {
    setTimeout: (run: () => void, milliseconds: number) => setTimeout(run, milliseconds),
    clearTimeout: (timer: number) => clearTimeout(timer),
  })
