/** The browser's XMLHttpRequest as uploads use it: over the simulated `fetch`, with one report of progress. */
export const createSimulatedUploads = () =>
  class SimulatedXMLHttpRequest {
    readonly upload: { onprogress: ((event: { loaded: number }) => void) | null } = { onprogress: null }
    onload: (() => void) | null = null
    onerror: (() => void) | null = null
    onabort: (() => void) | null = null
    status = 0
    responseText = ''
    readonly #stopping = new AbortController()
    readonly #headers = new Headers()
    #received = new Headers()
    #target = { method: '', address: '' }

    open(method: string, address: string): void {
      this.#target = { method, address }
    }
    setRequestHeader(name: string, value: string): void {
      this.#headers.set(name, value)
    }
    getResponseHeader(name: string): string | null {
      return this.#received.get(name)
    }
    abort(): void {
      if (this.#stopping.signal.aborted) return
      this.#stopping.abort()
      this.onabort?.()
    }
    send(content: Blob): void {
      void this.#run(content).catch(() => {
        if (!this.#stopping.signal.aborted) this.onerror?.()
      })
    }

    async #run(content: Blob): Promise<void> {
      const { method, address } = this.#target
      const body = new Uint8Array(await content.arrayBuffer())
      this.#stopping.signal.throwIfAborted()
      this.upload.onprogress?.({ loaded: Math.floor(body.length / 2) })
      const answer = await fetch(address, { method, headers: this.#headers, body, signal: this.#stopping.signal })
      this.responseText = await answer.text()
      this.status = answer.status
      this.#received = answer.headers
      this.onload?.()
    }
  }
