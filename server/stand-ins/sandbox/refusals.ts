/** An error response in the form of the real network. */
export class SandboxRefusal extends Error {
  override readonly name = 'SandboxRefusal'
  readonly status: number
  readonly code: number
  readonly subcode: number | null
  readonly headers: Record<string, string>

  constructor(code: number, subcode: number | null, text: string, status = 400, headers: Record<string, string> = {}) {
    super(text)
    this.status = status
    this.code = code
    this.subcode = subcode
    this.headers = headers
  }

  body() {
    return {
      error: {
        message: `(#${this.code}) ${this.message}`,
        type: this.code === 190 || this.code === 10 || this.code === 200 ? 'OAuthException' : 'GraphMethodException',
        code: this.code,
        ...(this.subcode === null ? {} : { error_subcode: this.subcode }),
        fbtrace_id: 'ASandboxTrace',
      },
    }
  }
}

export const refusals = {
  badToken: () => new SandboxRefusal(190, null, 'Invalid OAuth access token.'),
  revokedToken: () => new SandboxRefusal(190, 460, 'The session has been invalidated.'),
  badProof: () => new SandboxRefusal(100, null, 'Invalid appsecret_proof provided in the API argument'),
  unknownObject: (id: string) =>
    new SandboxRefusal(100, 33, `Unsupported request. Object with ID '${id}' does not exist`),
  badParameter: (text: string) => new SandboxRefusal(100, null, text),
  noPermission: () => new SandboxRefusal(200, null, 'The page does not belong to this token', 403),
  tooOld: () => new SandboxRefusal(100, 33, 'Only the 20 most recent messages of a conversation can be read'),
  unknownRecipient: (instagram: boolean) =>
    new SandboxRefusal(100, instagram ? 2534014 : 2018001, 'No matching user found'),
  fileNotFetched: () => new SandboxRefusal(100, 2018008, 'Failed to fetch the file from the url'),
  unreachable: () => new SandboxRefusal(551, 1545041, 'This person is not available right now.'),
  windowClosed: (instagram: boolean) =>
    new SandboxRefusal(10, instagram ? 2534022 : 2018278, 'This message is sent outside of allowed window.', 403),
}
