import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Session, error as webDriverErrors } from 'selenium-webdriver'
import type { Command, Executor } from 'selenium-webdriver/lib/command.js'
import * as z from 'zod/mini'

/**
 * The WebDriver commands that the journeys use, with their names in Marionette, the protocol of Firefox. geckodriver would
 * translate them in the same way, but no package of Debian or npm contains it.
 */
const marionetteNames: Readonly<Record<string, string>> = {
  newSession: 'WebDriver:NewSession',
  get: 'WebDriver:Navigate',
  refresh: 'WebDriver:Refresh',
  getCurrentUrl: 'WebDriver:GetCurrentURL',
  executeScript: 'WebDriver:ExecuteScript',
  executeAsyncScript: 'WebDriver:ExecuteAsyncScript',
  clickElement: 'WebDriver:ElementClick',
  sendKeysToElement: 'WebDriver:ElementSendKeys',
  actions: 'WebDriver:PerformActions',
  setWindowRect: 'WebDriver:SetWindowRect',
  screenshot: 'WebDriver:TakeScreenshot',
  getAriaRole: 'WebDriver:GetComputedRole',
  getAccessibleName: 'WebDriver:GetComputedLabel',
}

/** The key of an element's id in WebDriver. */
const elementKey = 'element-6066-11e4-a52e-4f735466cecf'

const parameters = z.looseObject({
  id: z.optional(z.object({ [elementKey]: z.string() })),
  capabilities: z.optional(z.object({ alwaysMatch: z.unknown() })),
})
const failure = z.object({ error: z.string(), message: z.string() })
const answer = z.tuple([z.literal(1), z.number(), z.nullable(failure), z.unknown()])
const session = z.object({ sessionId: z.string(), capabilities: z.looseObject({}) })
const wrapped = z.strictObject({ value: z.unknown() })

/** Executes WebDriver commands of Selenium in the Firefox that listens at this port. One command at a time. */
export class Marionette implements Executor {
  readonly #socket: Socket
  readonly #messages: AsyncGenerator<string>
  #lastId = 0

  private constructor(socket: Socket) {
    this.#socket = socket
    this.#messages = messagesOf(socket)
  }

  static async connect(port: number): Promise<Marionette> {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    const marionette = new Marionette(socket)
    // The greeting names the kind of application and the version of the protocol.
    await marionette.#messages.next()
    return marionette
  }

  async execute(command: Command): Promise<unknown> {
    const name = marionetteNames[command.getName()]
    if (name === undefined)
      throw new Error(`The command ${command.getName()} is not in the table of Marionette's names`)
    const { id, capabilities, ...others } = parameters.parse(command.getParameters())
    const result = await this.#call(name, {
      ...others,
      ...(id && { id: id[elementKey] }),
      ...(capabilities && { capabilities: { alwaysMatch: capabilities.alwaysMatch } }),
    })
    if (command.getName() === 'newSession') {
      const started = session.parse(result)
      return new Session(started.sessionId, started.capabilities)
    }
    const { success, data } = wrapped.safeParse(result)
    return success ? data.value : result
  }

  async #call(name: string, body: object): Promise<unknown> {
    const id = ++this.#lastId
    const message = JSON.stringify([0, id, name, body])
    this.#socket.write(`${Buffer.byteLength(message)}:${message}`)
    const { done, value } = await this.#messages.next()
    if (done) throw new Error(`Firefox closed the connection during ${name}`)
    const [, answered, failed, result] = answer.parse(JSON.parse(value))
    if (answered !== id) throw new Error(`Firefox answered command ${answered} instead of ${id}`)
    if (failed) webDriverErrors.throwDecodedError(failed)
    return result
  }
}

/** The messages of a socket, each of which follows its length in bytes and a colon. */
async function* messagesOf(socket: Socket): AsyncGenerator<string> {
  let received = Buffer.alloc(0)
  for await (const chunk of socket) {
    received = Buffer.concat([received, chunk])
    while (true) {
      const colon = received.indexOf(':')
      const end = colon + 1 + Number(received.subarray(0, colon).toString())
      if (colon === -1 || received.length < end) break
      yield received.subarray(colon + 1, end).toString()
      received = received.subarray(end)
    }
  }
}
