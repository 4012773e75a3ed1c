import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino'

export type Logger = PinoLogger

const secretFields = [
  'authorization',
  'cookie',
  'apikey',
  'password',
  'token',
  'accessToken',
  'access_token',
  'refreshToken',
  'refresh_token',
  'supabaseToken',
  'page_access_token',
  'page_access_token_encrypted',
  'credentials_encrypted',
  'appSecret',
  'secretKey',
  'messageText',
  'message_text',
  'text',
  'body',
]

/** Where the log goes: readable lines in a terminal, else standard output as it is, for programs that read JSON. */
export async function logDestination({
  isTTY,
  ...terminal
}: {
  isTTY: boolean
  /** Standard output if undefined. */
  destination?: NodeJS.WritableStream
}): Promise<DestinationStream | undefined> {
  if (!isTTY) return undefined
  const { PinoPretty } = await import('pino-pretty')
  return PinoPretty({ sync: true, colorize: true, translateTime: 'SYS:HH:MM:ss', ...terminal })
}

/** The server's logger: one JSON object per line. Fields with secrets or message texts are redacted. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    redact: {
      paths: secretFields.flatMap((field) => [field, `*.${field}`, `*.*.${field}`, `*.*.*.${field}`]),
      censor: '[hidden]',
    },
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}

/** The stack trace of an error without its message: a database error may contain message texts. */
export const traceOf = (error: unknown) =>
  error instanceof Error
    ? {
        error: error.name,
        code: 'code' in error ? error.code : undefined,
        frames: error.stack?.split('\n').filter((line) => line.startsWith('    at ')),
      }
    : { error: typeof error }
