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
  'appSecret',
  'secretKey',
  'messageText',
  'message_text',
  'text',
  'body',
]

/** The log of the server, one JSON object a line. Fields that hold secrets or what people wrote are never written. */
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

/** Where an error comes from, without its message: a database's message may quote what a person wrote. */
export const traceOf = (error: unknown) =>
  error instanceof Error
    ? {
        error: error.name,
        code: 'code' in error ? error.code : undefined,
        frames: error.stack?.split('\n').filter((line) => line.startsWith('    at ')),
      }
    : { error: typeof error }
