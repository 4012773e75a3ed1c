import { expect, it } from 'vitest'
import * as leftOut from '../../../src/services/session/supabase-left-out.ts'

it.each([
  ['tables', leftOut.PostgrestClient, 'from'],
  ['files', leftOut.StorageClient, 'upload'],
  ['functions', leftOut.FunctionsClient, 'invoke'],
  ['passkeys', leftOut.WebAuthnApi, 'register'],
])("the client's %s can be constructed, and no use of them goes unnoticed", (part, Part, name) => {
  const made: object = new Part()
  expect(() => Reflect.get(made, name)).toThrow(`The client's ${part} are left out of this build: see vite.config.ts`)
})

it('no function for passkeys does anything', () => {
  expect(() => leftOut.browserSupportsWebAuthn()).toThrow("The client's passkeys are left out of this build")
})
